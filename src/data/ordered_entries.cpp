#include "gingham/data/ordered_entries.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace gingham {
namespace {

using Key = std::uint64_t;

constexpr int kDigitBits = 11;  // at most, so that the places entries move to stay in the cache

void map_blocks(Executor* executor, const Partition& blocks, FunctionRef<void(Index)> body) {
  if (executor != nullptr) return executor->map(blocks.count(), body);
  for (Index block = 0; block < blocks.count(); ++block) body(block);
}

// Entries given by their indices per mode, which it takes.
class EntrySort {
 public:
  EntrySort(const Shape& shape, std::vector<Array<std::int32_t>>& coordinates, Executor* executor)
      : executor_(executor), coordinates_(coordinates) {
    n_entries_ = coordinates[0].size();
    blocks_ = Partition::even(n_entries_, 8);
    for (std::size_t mode = shape.size(); mode-- > 0;) {
      shifts_.insert(shifts_.begin(), bits_);
      bits_ +=
          static_cast<int>(std::bit_width(static_cast<Key>(std::max<Index>(shape[mode], 1) - 1)));
    }
    is_possible_ = bits_ <= 64 && n_entries_ <= std::numeric_limits<std::uint32_t>::max();
    for (std::size_t mode = 0; mode < shape.size(); ++mode)
      is_possible_ =
          is_possible_ && coordinates[mode].size() == n_entries_ && in_range(mode, shape);
  }

  // False where the places are too many for 64 bits, or something is wrong with the entries.
  bool is_possible() const { return is_possible_; }

  // Sorts unless the entries are in order; the indices are gone until restore() or unpack().
  void sort() {
    keys_ = Array<Key>(n_entries_);
    pack();
    coordinates_.assign(coordinates_.size(), {});
    if (is_sorted()) return;
    order_ = Array<std::uint32_t>(n_entries_);
    map_blocks(executor_, blocks_, [&](Index block) {
      for (Index k = blocks_.begin(block); k < blocks_.end(block); ++k)
        order_.data()[k] = static_cast<std::uint32_t>(k);
    });
    Array<Key> other_keys(n_entries_);
    Array<std::uint32_t> other_order(n_entries_);
    const int n_digits = (bits_ + kDigitBits - 1) / kDigitBits;
    for (int digit = 0; digit < n_digits; ++digit) {
      const int from = bits_ * digit / n_digits, to = bits_ * (digit + 1) / n_digits;
      if (!move_by(from, to - from, other_keys, other_order)) continue;
      std::swap(keys_, other_keys);
      std::swap(order_, other_order);
    }
  }

  bool has_duplicates() const {
    std::vector<char> found(static_cast<std::size_t>(blocks_.count()), 0);
    const Key* keys = keys_.data();
    map_blocks(executor_, blocks_, [&](Index block) {
      for (Index k = std::max<Index>(1, blocks_.begin(block)); k < blocks_.end(block); ++k) {
        if (keys[k] != keys[k - 1]) continue;
        found[block] = 1;
        return;
      }
    });
    return std::find(found.begin(), found.end(), 1) != found.end();
  }

  // The indices in the order they were given.
  void restore() {
    unpack();
    if (order_.empty()) return;
    for (Array<std::int32_t>& mode : coordinates_) {
      Array<std::int32_t> given(n_entries_);
      for (Index k = 0; k < n_entries_; ++k) given.data()[order_.data()[k]] = mode.data()[k];
      mode = std::move(given);
    }
  }

  // The indices in order.
  void unpack() {
    for (std::size_t mode = 0; mode < coordinates_.size(); ++mode) {
      coordinates_[mode] = Array<std::int32_t>(n_entries_);
      std::int32_t* const out = coordinates_[mode].data();
      const Key* keys = keys_.data();
      const int shift = shifts_[mode], width = (mode == 0 ? bits_ : shifts_[mode - 1]) - shift;
      const Key mask = (Key{1} << width) - 1;  // an index has at most 31 bits
      map_blocks(executor_, blocks_, [&](Index block) {
        if (width == 0) return;
        for (Index k = blocks_.begin(block); k < blocks_.end(block); ++k)
          out[k] = static_cast<std::int32_t>(keys[k] >> shift & mask);
      });
    }
  }

  // The values in the same order.
  Array<double> ordered(Array<double> values) const {
    if (order_.empty()) return values;
    Array<double> result(n_entries_);
    double* const out = result.data();
    const double* in = std::as_const(values).data();
    map_blocks(executor_, blocks_, [&](Index block) {
      for (Index k = blocks_.begin(block); k < blocks_.end(block); ++k)
        out[k] = in[order_.data()[k]];
    });
    return result;
  }

 private:
  bool in_range(std::size_t mode, const Shape& shape) const {
    std::vector<char> wrong(static_cast<std::size_t>(blocks_.count()), 0);
    const std::int32_t* index = std::as_const(coordinates_[mode]).data();
    map_blocks(executor_, blocks_, [&](Index block) {
      bool outside = false;
      for (Index k = blocks_.begin(block); k < blocks_.end(block); ++k)
        outside |= index[k] < 0 || index[k] >= shape[mode];
      wrong[block] = outside ? 1 : 0;
    });
    return std::find(wrong.begin(), wrong.end(), 1) == wrong.end();
  }

  void pack() {
    Key* const keys = keys_.data();
    map_blocks(executor_, blocks_, [&](Index block) {
      for (std::size_t mode = 0; mode < coordinates_.size(); ++mode) {
        const std::int32_t* index = std::as_const(coordinates_[mode]).data();
        const int shift = shifts_[mode];
        if (shift == 64) continue;  // a mode of one item before 64 bits
        for (Index k = blocks_.begin(block); k < blocks_.end(block); ++k)
          keys[k] |= static_cast<Key>(index[k]) << shift;
      }
    });
  }

  bool is_sorted() const {
    std::vector<char> falls(static_cast<std::size_t>(blocks_.count()), 0);
    const Key* keys = keys_.data();
    map_blocks(executor_, blocks_, [&](Index block) {
      for (Index k = std::max<Index>(1, blocks_.begin(block)); k < blocks_.end(block); ++k) {
        if (keys[k] >= keys[k - 1]) continue;
        falls[block] = 1;
        return;
      }
    });
    return std::find(falls.begin(), falls.end(), 1) == falls.end();
  }

  // Moves all entries, ordered by `width` bits from `shift` on; false where these are the same.
  bool move_by(int shift, int width, Array<Key>& keys, Array<std::uint32_t>& order) const {
    const Index n_values = Index{1} << width;
    const Key mask = static_cast<Key>(n_values - 1);
    std::vector<Index> places(static_cast<std::size_t>(blocks_.count() * n_values));
    const auto digit_of = [&](Key key) { return static_cast<Index>(key >> shift & mask); };
    const Key* from_keys = keys_.data();
    const std::uint32_t* from_order = std::as_const(order_).data();
    map_blocks(executor_, blocks_, [&](Index block) {
      Index* const counts = places.data() + block * n_values;
      for (Index k = blocks_.begin(block); k < blocks_.end(block); ++k)
        ++counts[digit_of(from_keys[k])];
    });
    Index next = 0;
    for (Index digit = 0; digit < n_values; ++digit) {
      const Index first = next;
      for (Index block = 0; block < blocks_.count(); ++block)
        next += std::exchange(places[block * n_values + digit], next);
      if (next - first == n_entries_) return false;
    }
    Key* const to_keys = keys.data();
    std::uint32_t* const to_order = order.data();
    map_blocks(executor_, blocks_, [&](Index block) {
      Index* const place = places.data() + block * n_values;
      for (Index k = blocks_.begin(block); k < blocks_.end(block); ++k) {
        const Index to = place[digit_of(from_keys[k])]++;
        to_keys[to] = from_keys[k];
        to_order[to] = from_order[k];
      }
    });
    return true;
  }

  Executor* executor_;
  std::vector<Array<std::int32_t>>& coordinates_;
  Index n_entries_ = 0;
  Partition blocks_ = Partition::even(0, 1);
  std::vector<int> shifts_;  // of the lowest bit of a mode's index
  int bits_ = 0;
  bool is_possible_ = false;
  Array<Key> keys_;
  Array<std::uint32_t> order_;  // empty: as they were given
};

// Adds up the values at the same place; sorted input, in place.
void sum_equal_places(std::vector<Array<std::int32_t>>& coordinates, Array<double>& values) {
  const Index n_entries = values.size();
  Index kept = 0;
  double* const value = values.data();
  const auto is_same = [&](Index a, Index b) {
    return std::all_of(coordinates.begin(), coordinates.end(),
                       [&](Array<std::int32_t>& mode) { return mode.data()[a] == mode.data()[b]; });
  };
  for (Index k = 0; k < n_entries; ++k) {
    if (kept > 0 && is_same(kept - 1, k)) {
      value[kept - 1] += value[k];
      continue;
    }
    for (Array<std::int32_t>& mode : coordinates) mode.data()[kept] = mode.data()[k];
    value[kept++] = value[k];
  }
  const auto cut = [&](auto& array) {
    auto shorter = std::remove_reference_t<decltype(array)>(kept);
    std::copy_n(array.data(), kept, shorter.data());
    array = std::move(shorter);
  };
  for (Array<std::int32_t>& mode : coordinates) cut(mode);
  cut(values);
}

// Brings the entries into order, equal places summed where they may be; false where they are left
// as they were given.
bool bring_into_order(const Shape& shape, std::vector<Array<std::int32_t>>& coordinates,
                      Array<double>& values, Duplicates duplicates, Executor* executor) {
  if (coordinates.empty() || coordinates.size() != shape.size() || values.empty() ||
      coordinates[0].size() != values.size())
    return false;
  EntrySort entries(shape, coordinates, executor);
  if (!entries.is_possible()) return false;
  entries.sort();
  const bool repeated = entries.has_duplicates();
  if (repeated && duplicates == Duplicates::error) {
    entries.restore();  // the error counts entries as they were given
    return false;
  }
  entries.unpack();
  values = entries.ordered(std::move(values));
  if (repeated) sum_equal_places(coordinates, values);
  return true;
}

}  // namespace

SparseTensor tensor_of_entries(Shape shape, std::vector<Array<std::int32_t>> coordinates,
                               Array<double> values, Duplicates duplicates, Executor* executor) {
  bring_into_order(shape, coordinates, values, duplicates, executor);
  return SparseTensor::from_coordinates(std::move(shape), std::move(coordinates), std::move(values),
                                        duplicates);
}

}  // namespace gingham
