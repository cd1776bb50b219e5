#include "gingham/operators/model_values.hpp"

#include "gingham/kernels/lanes.hpp"

namespace gingham {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kW = lanes::kWide<double>;

struct Mode {
  const std::int32_t* index;
  const double* table;
};

// m (stride values) <- the model at cell e; first: the weights times the item's row.
GINGHAM_INLINE void evaluate(const Mode* modes, Index n_modes, const double* first, Index e,
                             Index n_components, Index stride, double* m) {
  for (Index from = 0; from < stride; from += kW) {
    V sum = {};
    for (Index k = 0; k < n_components; ++k) {
      V product = wide(first + k * stride + from);
      for (Index n = 0; n < n_modes; ++n) {
        product *= wide(modes[n].table + (modes[n].index[e] * n_components + k) * stride + from);
      }
      sum += product;
    }
    wide(m + from) = sum;
  }
}

// sums (stride x stride) += m m^T over the cells [begin, end).
GINGHAM_MULTIARCH void add_cells(const Mode* modes, Index n_modes, const double* first, Index begin,
                                 Index end, Index n_components, Index n_points, Index stride,
                                 double* m, double* sums) {
  for (Index e = begin; e < end; ++e) {
    evaluate(modes, n_modes, first, e, n_components, stride, m);
    for (Index from = 0; from < stride; from += kW) {
      const V part = wide(m + from);
      for (Index a = 0; a < n_points; ++a) wide(sums + a * stride + from) += part * m[a];
    }
  }
}

}  // namespace

ModelValues::ModelValues(const CellList& cells, const FactorView& now, const FactorView& direction,
                         const std::vector<double>& places)
    : cells_(cells),
      n_components_(now.n_components()),
      n_points_(std::ssize(places)),
      stride_((n_points_ + kW - 1) / kW * kW) {
  for (Index n = 0; n < now.n_modes(); ++n)
    tables_.push_back(table(now.modes[n].values(), direction.modes[n].values(), places));
  weights_ = table(now.weights, direction.weights, places);
}

// x + s g at every place, side by side.
std::vector<double> ModelValues::table(ConstVec x, ConstVec g,
                                       const std::vector<double>& places) const {
  std::vector<double> values(x.size() * static_cast<std::size_t>(stride_), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    double* line = values.data() + static_cast<Index>(i) * stride_;
    for (std::size_t j = 0; j < places.size(); ++j) line[j] = x[i] + places[j] * g[i];
  }
  return values;
}

Matrix ModelValues::squares(Executor& executor) const {
  Matrix sums(n_points_, n_points_);
  if (cells_.empty()) return sums;
  std::vector<Mode> modes;
  for (std::size_t n = 0; n < cells_.others.size(); ++n)
    modes.push_back({cells_.others[n].data(), tables_[n + 1].data()});
  std::vector<double> padded(static_cast<std::size_t>(n_points_ * stride_), 0.0);
  const Partition blocks = Partition::weighted(cells_.pointers, n_points_, n_points_ * stride_);
  sum_blocks(executor, blocks.count(), std::span<double>(padded), [&](Index block, Vec partial) {
    std::vector<double> m(static_cast<std::size_t>(stride_)), first(weights_.size());
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      const double* row = tables_[0].data() + i * std::ssize(first);
      for (std::size_t e = 0; e < first.size(); ++e) first[e] = weights_[e] * row[e];
      add_cells(modes.data(), std::ssize(modes), first.data(), cells_.begin(i), cells_.end(i),
                n_components_, n_points_, stride_, m.data(), partial.data());
    }
  });
  for (Index a = 0; a < n_points_; ++a) {
    for (Index b = 0; b < n_points_; ++b) sums(a, b) = padded[a * stride_ + b];
  }
  return sums;
}

}  // namespace gingham
