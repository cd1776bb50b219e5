// Sparse arrays of any number of modes: coordinates per mode and values, in lexicographic order.
// Copies share the entries, which never change.
#pragma once
#include <memory>
#include <vector>

#include "gingham/data/sparse_matrix.hpp"
#include "gingham/data/tensor.hpp"

namespace gingham {

class GINGHAM_API SparseTensor {
 public:
  // Entries grouped by their index in one mode, in lexicographic order of the others within a
  // group: those of item i are pointers[i] <= k < pointers[i+1]. coordinates[m] lists mode m; that
  // of the grouping mode itself is empty.
  struct Grouped {
    Array<Index> pointers;
    std::vector<Array<std::int32_t>> coordinates;
    Array<double> values;
    Index bytes() const;
  };

  // From entries in any order; coordinates[m][k] is the index of entry k in mode m. Throws
  // Error{input} for an index out of range and DuplicateEntry where the rule says so.
  static SparseTensor from_coordinates(Shape shape, std::vector<Array<std::int32_t>> coordinates,
                                       Array<double> values, Duplicates duplicates);

  const Shape& shape() const { return shape_; }
  Index modes() const { return static_cast<Index>(shape_.size()); }
  Index entries() const { return store_->values.size(); }
  std::span<const std::int32_t> coordinates(Index mode) const {
    return std::as_const(store_->coordinates[mode]).span();
  }
  std::span<const double> values() const { return std::as_const(store_->values).span(); }
  Index bytes() const;

  // Made once per mode, by whoever asks first, and kept. That of mode 0 is the order the entries
  // have anyway and takes no room of its own.
  const Grouped& grouped(Index mode) const;

 private:
  SparseTensor(Shape shape, std::vector<Array<std::int32_t>> coordinates, Array<double> values);
  struct Lazy;
  struct Store {
    std::vector<Array<std::int32_t>> coordinates;
    Array<double> values;
    std::unique_ptr<Lazy[]> grouped;
    ~Store();
  };
  Grouped make_grouped(Index mode) const;

  Shape shape_;
  std::shared_ptr<Store> store_;
};

}  // namespace gingham
