#include "gingham/operators/residual_lines.hpp"

#include <algorithm>
#include <functional>

#include "gingham/kernels/copies.hpp"
#include "gingham/kernels/dense_kernels.hpp"
#include "gingham/kernels/lanes.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

const double* dense_cells(const Block& block) {
  const Matrix* matrix = block.dense_matrix();
  return matrix != nullptr ? matrix->data() : block.dense_tensor()->data();
}

void times(ConstVec row, Vec z) {
  for (std::size_t k = 0; k < z.size(); ++k) z[k] *= row[k];
}

// out <- sum_k row_k prod_m (row of the item of mode m)_k at the cells [begin, end)
GINGHAM_MULTIARCH void models_at(const ItemModel::Other* others, Index n_others, const double* row,
                                 Index rank, Index begin, Index end, double* out) {
  using lanes::half;
  using lanes::wide;
  constexpr Index kW = lanes::kWide<double>, kH = lanes::kHalf<double>;
  for (Index e = begin; e < end; ++e) {
    lanes::Wide<double> sums{};
    Index k = 0;
    for (; k + kW <= rank; k += kW) {
      lanes::Wide<double> z = wide(row + k);
      for (Index m = 0; m < n_others; ++m)
        z *= wide(others[m].rows + others[m].items[e] * rank + k);
      sums += z;
    }
    double total = rank >= kW ? lanes::total<double>(sums) : 0.0;
    if (k + kH <= rank) {
      lanes::Half<double> z = half(row + k);
      for (Index m = 0; m < n_others; ++m)
        z *= half(others[m].rows + others[m].items[e] * rank + k);
      total += (z[0] + z[1]) + (z[2] + z[3]);
      k += kH;
    }
    for (; k < rank; ++k) {
      double z = row[k];
      for (Index m = 0; m < n_others; ++m) z *= others[m].rows[others[m].items[e] * rank + k];
      total += z;
    }
    out[e - begin] = total;
  }
}

}  // namespace

ResidualLines::ResidualLines(const Observed& data, const FactorView& model, double value_scale)
    : data_(data),
      model_(model),
      cells_(dense_cells(data.values())),
      value_scale_(value_scale),
      length_(data.shape().back()),
      lines_per_item_(1),
      across_(transposed(model.modes.back())) {
  for (Index n = 1; n + 1 < data.n_modes(); ++n) lines_per_item_ *= data.size(n);
  blocks_ = Partition::even(data.size(0) * lines_per_item_, length_ * (model.n_components() + 1));
}

void ResidualLines::for_each(Index block, FunctionRef<void(ConstVec, Index)> visit) const {
  double residual[kPanel];
  std::vector<double> minus(static_cast<std::size_t>(model_.n_components()));
  for (Index from = 0; from < length_; from += kPanel) {
    const Index to = std::min(from + kPanel, length_), n = to - from;
    for (Index line = blocks_.begin(block); line < blocks_.end(block); ++line) {
      for (std::size_t k = 0; k < minus.size(); ++k)
        minus[k] = -model_.weight(static_cast<Index>(k));
      Index rest = line;
      for (Index m = data_.n_modes() - 1; m-- > 0; rest /= data_.size(m))
        times(model_.modes[m].row(rest % data_.size(m)), minus);
      const Index first = line * length_ + from;
      for (Index r = 0; r < n; ++r) residual[r] = cells_[first + r] * value_scale_;
      dense::add_rows(across_.data() + from, length_, across_.rows(), n, minus.data(), residual);
      clear_missing(line, from, to, residual);
      visit(ConstVec(residual, static_cast<std::size_t>(n)), first);
    }
  }
}

void ResidualLines::clear_missing(Index line, Index from, Index to, double* residual) const {
  const CellList& holes = data_.cells(0);
  const Index item = line / lines_per_item_, place = line % lines_per_item_ * length_;
  if (!holes.empty()) {
    for (Index e = holes.first_from(item, place + from); e < holes.end(item); ++e) {
      const Index at = holes.place(e) - place;
      if (at >= to) break;
      residual[at - from] = 0.0;
    }
  }
  if (data_.classes(0).count() == 1 && data_.classes(1).count() == 1) return;
  for (Index j = from; j < to; ++j) {
    if (!data_.sees(data_.classes(0).of_item[item], data_.classes(1).of_item[j]))
      residual[j - from] = 0.0;
  }
}

double ResidualLines::at(std::span<const Index> place) const {
  Index line = 0;
  double m = 0.0;
  for (std::size_t n = 0; n + 1 < place.size(); ++n) line = line * data_.shape()[n] + place[n];
  for (Index k = 0; k < model_.n_components(); ++k) {
    double z = model_.weight(k);
    for (std::size_t n = 0; n < place.size(); ++n) z *= model_.modes[n](place[n], k);
    m += z;
  }
  double left = cells_[line * length_ + place.back()] * value_scale_ - m;
  clear_missing(line, place.back(), place.back() + 1, &left);
  return left;
}

ItemModel::ItemModel(const CellList& cells, const FactorView& model)
    : model_(model), row_(static_cast<std::size_t>(model.n_components())) {
  for (std::size_t m = 0; m < cells.others.size(); ++m)
    others_.push_back({cells.others[m].data(), model.modes[m + 1].data()});
}

void ItemModel::take(Index item) {
  for (std::size_t k = 0; k < row_.size(); ++k)
    row_[k] = model_.weight(static_cast<Index>(k)) * model_.modes[0](item, static_cast<Index>(k));
}

void ItemModel::values(Index begin, Index end, double* out) const {
  models_at(others_.data(), std::ssize(others_), row_.data(), std::ssize(row_), begin, end, out);
}

}  // namespace gingham
