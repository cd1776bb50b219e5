#include "gingham/data/sparse_tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>

namespace gingham {
namespace {

// order <- order sorted by keys[order[k]], stable: one counting pass, or comparisons where a count
// per key would take more memory than the entries do.
void stable_order(std::vector<Index>& order, std::vector<Index>& scratch,
                  std::span<const std::int32_t> keys, Index n_keys) {
  constexpr Index kKeysPerEntry = 8;
  if (n_keys / kKeysPerEntry > std::ssize(order)) {
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return keys[a] < keys[b]; });
    return;
  }
  std::vector<Index> place(static_cast<std::size_t>(n_keys) + 1);
  for (const std::int32_t key : keys) ++place[key + 1];
  std::partial_sum(place.begin(), place.end(), place.begin());
  scratch.resize(order.size());
  for (const Index entry : order) scratch[place[keys[entry]]++] = entry;
  std::swap(order, scratch);
}

template <class T>
Array<T> reordered(const Array<T>& values, const std::vector<Index>& order) {
  Array<T> result(static_cast<Index>(order.size()));
  T* out = result.data();
  for (const Index entry : order) *out++ = values.data()[entry];
  return result;
}

// Whether the entries are in lexicographic order, no two at the same place.
bool rises(const std::vector<Array<std::int32_t>>& coordinates, Index n_entries) {
  for (Index k = 1; k < n_entries; ++k) {
    std::size_t mode = 0;
    const auto index = [&](Index entry) { return coordinates[mode].data()[entry]; };
    while (mode < coordinates.size() && index(k) == index(k - 1)) ++mode;
    if (mode == coordinates.size() || index(k) < index(k - 1)) return false;
  }
  return true;
}

}  // namespace

struct SparseTensor::Lazy {
  std::once_flag once;
  Grouped grouped;
};

Index SparseTensor::Grouped::bytes() const {
  Index total = pointers.bytes() + values.bytes();
  for (const auto& mode : coordinates) total += mode.bytes();
  return total;
}

SparseTensor::SparseTensor(Shape shape, std::vector<Array<std::int32_t>> coordinates,
                           Array<double> values)
    : shape_(std::move(shape)), store_(std::make_shared<Store>()) {
  store_->coordinates = std::move(coordinates);
  store_->values = std::move(values);
  store_->grouped = std::make_unique<Lazy[]>(shape_.size());
}

SparseTensor::Store::~Store() = default;

Index SparseTensor::bytes() const {
  Index total = store_->values.bytes();
  for (const auto& mode : store_->coordinates) total += mode.bytes();
  return total;
}

SparseTensor SparseTensor::from_coordinates(Shape shape,
                                            std::vector<Array<std::int32_t>> coordinates,
                                            Array<double> values, Duplicates duplicates) {
  const Index n_modes = static_cast<Index>(shape.size());
  if (coordinates.size() != shape.size()) {
    throw Error(ErrorCode::input, "", "sparse tensor: one list of indices per mode is needed");
  }
  for (Index m = 0; m < n_modes; ++m) {
    if (coordinates[m].size() != values.size()) {
      throw Error(ErrorCode::input, "",
                  fmt::format("sparse tensor: mode {} has {} indices for {} values", m,
                              coordinates[m].size(), values.size()));
    }
    if (shape[m] < 0 || shape[m] > kMaxSparseModeSize) {
      throw Error(ErrorCode::input, "",
                  fmt::format("sparse tensor: mode {} has size {}, at most {} can be held", m,
                              shape[m], kMaxSparseModeSize));
    }
    const std::span<const std::int32_t> index = std::as_const(coordinates[m]).span();
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (index[k] < 0 || index[k] >= shape[m]) {
        throw Error(ErrorCode::input, "",
                    fmt::format("entry {} has index {} in mode {}, expected 1 to {}", k + 1,
                                Index{index[k]} + 1, m, shape[m]));
      }
    }
  }
  if (rises(coordinates, values.size()))
    return SparseTensor(std::move(shape), std::move(coordinates), std::move(values));
  const auto same_place = [&](Index a, Index b) {
    return std::all_of(
        coordinates.begin(), coordinates.end(),
        [&](const Array<std::int32_t>& index) { return index.data()[a] == index.data()[b]; });
  };
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::vector<Index> scratch;
  for (Index m = n_modes - 1; m >= 0; --m) {
    stable_order(order, scratch, std::as_const(coordinates[m]).span(), shape[m]);
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (kept > 0 && same_place(order[kept - 1], order[k])) {
      if (duplicates == Duplicates::error) {
        std::string place;
        for (const auto& index : coordinates) {
          place += (place.empty() ? "(" : ", ") + std::to_string(index.data()[order[k]] + 1);
        }
        throw DuplicateEntry(order[kept - 1], order[k], place + ")");
      }
      values.data()[order[kept - 1]] += values.data()[order[k]];
    } else {
      order[kept++] = order[k];
    }
  }
  order.resize(kept);
  for (auto& index : coordinates) index = reordered(index, order);
  values = reordered(values, order);
  return SparseTensor(std::move(shape), std::move(coordinates), std::move(values));
}

const SparseTensor::Grouped& SparseTensor::grouped(Index mode) const {
  Lazy& lazy = store_->grouped[mode];
  std::call_once(lazy.once, [&] { lazy.grouped = make_grouped(mode); });
  return lazy.grouped;
}

SparseTensor::Grouped SparseTensor::make_grouped(Index mode) const {
  const std::span<const std::int32_t> key = coordinates(mode);
  Grouped made;
  made.pointers = Array<Index>(shape_[mode] + 1);
  Index* starts = made.pointers.data();
  for (const std::int32_t i : key) ++starts[i + 1];
  std::partial_sum(starts, starts + shape_[mode] + 1, starts);
  made.coordinates.resize(shape_.size());
  if (mode == 0) {  // as they are; the store outlives what is kept in it
    made.values = Array<double>::borrow(values().data(), entries(), nullptr);
    for (Index m = 1; m < modes(); ++m) {
      made.coordinates[m] = Array<std::int32_t>::borrow(coordinates(m).data(), entries(), nullptr);
    }
    return made;
  }
  std::vector<Index> place(starts, starts + shape_[mode]);
  made.values = Array<double>(entries());
  std::vector<std::pair<const std::int32_t*, std::int32_t*>> copies;
  for (Index m = 0; m < modes(); ++m) {
    if (m == mode) continue;
    made.coordinates[m] = Array<std::int32_t>(entries());
    copies.emplace_back(coordinates(m).data(), made.coordinates[m].data());
  }
  double* value = made.values.data();
  for (std::size_t k = 0; k < key.size(); ++k) {
    const Index to = place[key[k]]++;
    value[to] = values()[k];
    for (const auto& [source, target] : copies) target[to] = source[k];
  }
  return made;
}

}  // namespace gingham
