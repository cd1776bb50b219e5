#include "gingham/operators/observed.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/contraction.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/operators/residual.hpp"

namespace gingham {
namespace {

// The stored cells of a block, by item of mode 0: all of them where it is dense.
class Stored {
 public:
  explicit Stored(const Block& block) : shape_(block.shape()), listed_(&block.values()) {
    if (const Matrix* matrix = block.dense_matrix()) dense_ = matrix->data();
    if (const Tensor* tensor = block.dense_tensor()) dense_ = tensor->data();
    if (dense_ == nullptr) {
      cells_ = listed_cells(*listed_, 0);
      return;
    }
    for (std::size_t m = 1; m < shape_.size(); ++m) per_item_ *= shape_[m];
  }

  Partition parts() const {
    return dense_ != nullptr || cells_.empty() ? Partition::even(shape_[0], per_item_)
                                               : Partition::weighted(cells_.pointers);
  }
  // visit(cell, x)
  template <class Visit>
  void for_item(Index i, const Visit& visit) const {
    if (dense_ != nullptr) {
      for (Index c = 0; c < per_item_; ++c) visit(c, dense_[i * per_item_ + c]);
    } else {
      for (Index e = cells_.begin(i); e < cells_.end(i); ++e) visit(e, cells_.values[e]);
    }
  }
  // Where a cell is in a mode other than the first.
  Index at(Index mode, Index cell) const {
    if (dense_ == nullptr) return cells_.others[static_cast<std::size_t>(mode - 1)][cell];
    for (Index m = std::ssize(shape_) - 1; m > mode; --m) cell /= shape_[m];
    return cell % shape_[mode];
  }

 private:
  const Shape& shape_;
  const Block::Values* listed_;
  const double* dense_ = nullptr;
  Index per_item_ = 1;
  CellList cells_;
};

// A sparse matrix or array from the number of cells of each item of mode 0 and fill(item, add),
// which calls add(at, value) for them in order; at(mode): where the cell is in another mode.
template <class Count, class Fill>
Block::Values sparse_items(const Shape& shape, bool is_matrix, const Partition& parts,
                           Executor& executor, const Count& count, const Fill& fill) {
  for (const Index size : shape) {
    if (size > kMaxSparseModeSize)
      throw Error(ErrorCode::memory, "",
                  "missing values in a mode of more than 2147483647 items cannot be held");
  }
  Array<Index> pointers(shape[0] + 1);
  Index* const first = pointers.data();
  for (Index i = 0; i < shape[0]; ++i) first[i + 1] = first[i] + count(i);
  const Index n_cells = first[shape[0]];
  std::vector<Array<std::int32_t>> coordinates;
  std::vector<std::int32_t*> to;
  for (std::size_t m = is_matrix ? 1 : 0; m < shape.size(); ++m) {
    coordinates.emplace_back(n_cells);
    to.push_back(coordinates.back().data());
  }
  Array<double> values(n_cells);
  double* const value = values.data();
  executor.map(parts.count(), [&](Index part) {
    for (Index i = parts.begin(part); i < parts.end(part); ++i) {
      Index e = first[i];
      fill(i, [&](const auto& at, double x) {
        for (std::size_t m = 1; m < shape.size(); ++m)
          to[m - (is_matrix ? 1 : 0)][e] = static_cast<std::int32_t>(at(static_cast<Index>(m)));
        if (!is_matrix) to[0][e] = static_cast<std::int32_t>(i);
        value[e++] = x;
      });
    }
  });
  if (is_matrix)
    return SparseMatrix(shape[0], shape[1], std::move(pointers), std::move(coordinates[0]),
                        std::move(values));
  return SparseTensor::from_coordinates(shape, std::move(coordinates), std::move(values),
                                        Duplicates::error);
}

double count_cells_of(const Shape& shape) {
  double n = 1.0;
  for (const Index size : shape) n *= static_cast<double>(size);
  return n;
}

}  // namespace

Block listed_block(const Observed& data, ConstVec listed, Executor& executor) {
  const CellList entries = data.entries(0);
  const Partition parts =
      entries.empty() ? Partition::even(data.size(0), 1) : Partition::weighted(entries.pointers);
  Block::Values values = sparse_items(
      data.shape(), data.is_matrix(), parts, executor, [&](Index i) { return entries.count(i); },
      [&](Index i, const auto& add) {
        for (Index e = entries.begin(i); e < entries.end(i); ++e)
          add([&](Index mode) { return entries.others[static_cast<std::size_t>(mode - 1)][e]; },
              listed[e]);
      });
  return Block(data.block().name(), std::move(values), std::vector<Labels>{}, Unlisted::missing);
}

CellList listed_cells(const Block::Values& values, Index mode) {
  CellList cells;
  if (const auto* matrix = std::get_if<SparseMatrix>(&values)) {
    const SparseMatrix& rows = mode == 0 ? *matrix : matrix->transposed();
    cells = {rows.pointers(), {rows.columns()}, rows.values(), {rows.cols()}};
  } else if (const auto* tensor = std::get_if<SparseTensor>(&values)) {
    const SparseTensor::Grouped& grouped = tensor->grouped(mode);
    cells.pointers = grouped.pointers.span();
    cells.values = grouped.values.span();
    for (Index m = 0; m < tensor->modes(); ++m) {
      if (m == mode) continue;
      cells.others.push_back(grouped.coordinates[m].span());
      cells.sizes.push_back(tensor->shape()[m]);
    }
  }
  return cells;
}

ItemClasses ItemClasses::single(Index n_items) {
  return from(std::vector<Index>(static_cast<std::size_t>(n_items), 0));
}

ItemClasses ItemClasses::from(std::vector<Index> of_item) {
  ItemClasses classes;
  Index count = of_item.empty() ? 1 : 0;
  for (const Index c : of_item) count = std::max(count, c + 1);
  classes.bounds.assign(static_cast<std::size_t>(count + 1), 0);
  for (const Index c : of_item) ++classes.bounds[c + 1];
  for (Index c = 0; c < count; ++c) classes.bounds[c + 1] += classes.bounds[c];
  std::vector<Index> at(classes.bounds.begin(), classes.bounds.end() - 1);
  classes.items.resize(of_item.size());
  for (Index i = 0; i < std::ssize(of_item); ++i) classes.items[at[of_item[i]]++] = i;
  classes.of_item = std::move(of_item);
  return classes;
}

struct Observed::ItemCounts {
  Index kept = 0, missing = 0, dropped = 0, nonzeros = 0;
  double squares = 0.0, most = 0.0, least = 0.0;
};

Observed::Observed(const Block& block, const MissingBlocks& missing, Executor& executor)
    : block_(&block), cells_(block.shape().size()) {
  take_classes(missing);
  const Stored stored(block);
  const Partition parts = stored.parts();
  const bool has_blocks = !is_whole();
  const auto is_in_block = [&](Index i, Index cell) {
    return !has_blocks || is_observed(i, stored.at(1, cell));
  };
  std::vector<ItemCounts> counts(static_cast<std::size_t>(size(0)));
  executor.map(parts.count(), [&](Index part) {
    for (Index i = parts.begin(part); i < parts.end(part); ++i) {
      ItemCounts own;
      stored.for_item(i, [&](Index cell, double x) {
        if (!is_in_block(i, cell)) {
          own.dropped += x != 0.0 && !std::isnan(x) ? 1 : 0;
        } else if (std::isnan(x)) {
          ++own.missing;
        } else {
          ++own.kept;
          own.nonzeros += x != 0.0 ? 1 : 0;
          own.squares += x * x;
          own.most = std::max(own.most, x);
          own.least = std::min(own.least, x);
        }
      });
      counts[static_cast<std::size_t>(i)] = own;
    }
  });
  count_cells(counts);
  const auto chosen = [&](Index ItemCounts::*count, bool is_missing) {
    return sparse_items(
        shape(), is_matrix(), parts, executor, [&](Index i) { return counts[i].*count; },
        [&](Index i, const auto& add) {
          stored.for_item(i, [&](Index cell, double x) {
            if (std::isnan(x) != is_missing || !is_in_block(i, cell)) return;
            add([&](Index mode) { return stored.at(mode, cell); }, is_missing ? 0.0 : x);
          });
        });
  };
  const bool is_clean = std::all_of(counts.begin(), counts.end(),
                                    [](const ItemCounts& one) { return one.missing == 0; });
  const bool has_gaps = has_blocks || !is_clean;
  if (kind_ == Kind::listed) {
    if (!block.is_sparse() || has_gaps)
      own_values_ = std::make_shared<Block>(block.name(), chosen(&ItemCounts::kept, false),
                                            std::vector<Labels>{}, Unlisted::missing);
    take_classes({});
    set_cells({std::shared_ptr<const void>(), &values().values()}, executor);
  } else if (has_gaps && block.is_sparse()) {
    own_values_ = std::make_shared<Block>(block.name(), chosen(&ItemCounts::kept, false));
  } else if (has_gaps) {
    const auto filled = [&](auto copy) {
      double* const x = copy.data();
      const Index per_item = copy.size() / size(0);
      executor.map(parts.count(), [&](Index part) {
        for (Index i = parts.begin(part); i < parts.end(part); ++i) {
          for (Index c = 0; c < per_item; ++c) {
            if (std::isnan(x[i * per_item + c]) || !is_in_block(i, c)) x[i * per_item + c] = 0.0;
          }
        }
      });
      return std::make_shared<Block>(block.name(), std::move(copy));
    };
    own_values_ = block.is_matrix() ? filled(*block.dense_matrix()) : filled(*block.dense_tensor());
  }
  if (kind_ == Kind::holes)
    set_cells(std::make_shared<Block::Values>(chosen(&ItemCounts::missing, true)), executor);
  if (!is_matrix()) executor.map(n_modes(), [&](Index mode) { entries(mode); });
}

void Observed::count_cells(const std::vector<ItemCounts>& counts) {
  double n_missing = 0.0, n_kept = 0.0;
  for (const ItemCounts& own : counts) {
    n_missing += static_cast<double>(own.missing);
    n_kept += static_cast<double>(own.kept);
    n_dropped_ += own.dropped;
    n_nonzeros_ += static_cast<double>(own.nonzeros);
    squares_ += own.squares;
    largest_ = std::max(largest_, own.most);
    least_ = std::min(least_, own.least);
  }
  const double n_cells = count_cells_of(shape());
  if (block_->is_sparse() ? block_->unlisted() == Unlisted::missing && n_kept < n_cells
                          : n_missing > 0.5 * n_cells) {
    kind_ = Kind::listed;
    n_observed_ = n_kept;
    return;
  }
  if (n_missing > 0.0) kind_ = Kind::holes;
  n_observed_ = n_cells - n_missing;
  if (is_whole()) return;
  for (Index r = 0; r < classes_[0].count(); ++r) {
    for (Index c = 0; c < classes_[1].count(); ++c) {
      if (!sees(r, c))
        n_observed_ -= static_cast<double>(std::ssize(classes_[0].members(r))) *
                       static_cast<double>(std::ssize(classes_[1].members(c)));
    }
  }
}

bool Observed::is_whole() const {
  return std::all_of(seen_.begin(), seen_.end(), [](auto one) { return one != 0; });
}

// Every mode's order, several at a time, before somebody waits for one of them.
void Observed::set_cells(std::shared_ptr<const Block::Values> cells, Executor& executor) {
  own_cells_ = std::move(cells);
  executor.map(n_modes(), [&](Index mode) { cells_[mode] = listed_cells(*own_cells_, mode); });
}

void Observed::take_classes(const MissingBlocks& missing) {
  classes_.clear();
  for (Index mode = 0; mode < n_modes(); ++mode) {
    const bool is_given = mode < 2 && !missing.classes[static_cast<std::size_t>(mode)].empty();
    classes_.push_back(is_given ? ItemClasses::from(missing.classes[static_cast<std::size_t>(mode)])
                                : ItemClasses::single(size(mode)));
  }
  const auto n = static_cast<std::size_t>(classes_[0].count() * classes_[1].count());
  seen_.assign(n, 1);
  for (std::size_t b = 0; b < missing.is_missing.size() && b < n; ++b)
    seen_[b] = missing.is_missing[b] != 0 ? 0 : 1;
}

bool Observed::is_seen(Index mode, Index item) const {
  const auto n_listed = static_cast<double>(cells_[mode].count(item));
  if (kind_ == Kind::listed) return n_listed > 0.0;
  double n = count_cells_of(shape()) / static_cast<double>(size(mode)) - n_listed;
  if (is_matrix()) {
    const ItemClasses& others = classes_[1 - mode];
    for (Index c = 0; c < others.count(); ++c) {
      if (!sees(mode, classes_[mode].of_item[item], c))
        n -= static_cast<double>(std::ssize(others.members(c)));
    }
  }
  return n > 0.5;
}

std::vector<double> Observed::observed_items(Index mode) const {
  std::vector<double> marks(static_cast<std::size_t>(size(mode)), 1.0);
  for (std::size_t i = 0; i < marks.size(); ++i)
    marks[i] = is_seen(mode, static_cast<Index>(i)) ? 1.0 : 0.0;
  return marks;
}

std::vector<double> Observed::item_sums(Index mode, FunctionRef<double(double)> term) const {
  std::vector<double> sums(static_cast<std::size_t>(size(mode)), 0.0);
  for_each_entry(values(), [&](std::span<const Index> at, double x) {
    sums[at[static_cast<std::size_t>(mode)]] += term(x);
  });
  return sums;
}

// Held-out cells that X0 still has are taken away.
template <class T>
void Observed::without_held_out(Index mode, std::span<const DenseMatrix<T>> factors,
                                DenseMatrix<T>& y, Executor& executor) const {
  if (held_out_.empty() || kind_ != Kind::holes) return;
  const CellList& holes = cells_[mode];
  const DenseMatrix<T>& other = factors[static_cast<std::size_t>(1 - mode)];
  const Partition parts = Partition::weighted(holes.pointers);
  executor.map(parts.count(), [&](Index part) {
    for (Index i = parts.begin(part); i < parts.end(part); ++i) {
      for (Index e = holes.begin(i); e < holes.end(i); ++e) {
        const auto value = static_cast<T>(holes.values[e]);
        for (Index k = 0; k < y.cols() && value != 0; ++k)
          y(i, k) -= value * other(holes.others[0][e], k);
      }
    }
  });
}

void Observed::products(Index mode, std::span<const Matrix> factors, Matrix& y,
                        Executor& executor) const {
  if (factors[mode == 0 ? 1 : 0].cols() != 1) {
    mttkrp(values(), mode, factors, y, executor);
    return without_held_out(mode, factors, y, executor);
  }
  if (y.rows() != size(mode) || y.cols() != 1) y = Matrix(size(mode), 1);
  std::vector<ConstVec> vectors;
  for (const Matrix& factor : factors) vectors.push_back(factor.values());
  contract(values(), mode, vectors, y.values(), executor);
  without_held_out(mode, factors, y, executor);
}

void Observed::products(Index mode, std::span<const MatrixF> factors, MatrixF& y,
                        Executor& executor) const {
  if (!is_matrix())
    throw Error(ErrorCode::internal, block_->name(), "arrays are multiplied in double precision");
  const MatrixF& x = factors[static_cast<std::size_t>(1 - mode)];
  const auto multiply_by = [&](const auto& a) {
    mode == 0 ? multiply(a, x, y, executor) : multiply_transposed(a, x, y, executor);
  };
  if (const SparseMatrix* sparse = values().sparse_matrix()) {
    multiply_by(*sparse);
    return without_held_out(mode, factors, y, executor);
  }
  std::call_once(made_single_, [&] {
    const Matrix& dense = *values().dense_matrix();
    single_ = MatrixF(dense.rows(), dense.cols());
    const Partition rows = Partition::even(dense.rows(), dense.cols());
    float* to = single_.data();
    executor.map(rows.count(), [&](Index block) {
      const Index begin = rows.begin(block) * dense.cols(), end = rows.end(block) * dense.cols();
      std::transform(dense.data() + begin, dense.data() + end, to + begin,
                     [](double value) { return static_cast<float>(value); });
    });
  });
  multiply_by(std::as_const(single_));
  without_held_out(mode, factors, y, executor);
}

}  // namespace gingham
