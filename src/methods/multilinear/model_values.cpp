#include "gingham/methods/multilinear/model_values.hpp"

#include "gingham/kernels/lanes.hpp"

namespace gingham::methods::multilinear {
namespace {

using lanes::wide;
using V = lanes::Wide<double>;
constexpr Index kW = lanes::kWide<double>;

struct Mode {
  const std::int32_t* index;
  const double* table;
};

// m (stride values) <- the model at cell e.
GINGHAM_INLINE void evaluate(const Mode* modes, Index n_modes, const double* weights, Index e,
                             Index n_components, Index stride, double* m) {
  for (Index from = 0; from < stride; from += kW) {
    V sum = {};
    for (Index k = 0; k < n_components; ++k) {
      V product = wide(weights + k * stride + from);
      for (Index n = 0; n < n_modes; ++n) {
        product *= wide(modes[n].table + (modes[n].index[e] * n_components + k) * stride + from);
      }
      sum += product;
    }
    wide(m + from) = sum;
  }
}

// sums (stride x stride) += m m^T over the cells [begin, end).
GINGHAM_MULTIARCH void add_cells(const Mode* modes, Index n_modes, const double* weights,
                                 Index begin, Index end, Index n_components, Index n_points,
                                 Index stride, double* m, double* sums) {
  for (Index e = begin; e < end; ++e) {
    evaluate(modes, n_modes, weights, e, n_components, stride, m);
    for (Index from = 0; from < stride; from += kW) {
      const V part = wide(m + from);
      for (Index a = 0; a < n_points; ++a) wide(sums + a * stride + from) += part * m[a];
    }
  }
}

}  // namespace

ModelValues::ModelValues(const SparseTensor& pattern, const Factors& now, const Factors& direction,
                         const std::vector<double>& places)
    : pattern_(pattern),
      n_components_(now.n_components()),
      n_points_(std::ssize(places)),
      stride_((n_points_ + kW - 1) / kW * kW) {
  for (Index n = 0; n < now.n_modes(); ++n) {
    tables_.push_back(table(now.modes[n].values(), direction.modes[n].values(), places));
  }
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
  std::vector<Mode> modes;
  for (std::size_t n = 0; n < tables_.size(); ++n) {
    modes.push_back({pattern_.coordinates(static_cast<Index>(n)).data(), tables_[n].data()});
  }
  const auto size = static_cast<std::size_t>(n_points_ * stride_);
  std::vector<double> padded(size, 0.0);
  const Partition blocks = Partition::even(pattern_.entries(), 2 * n_components_);
  sum_blocks(executor, blocks.count(), std::span<double>(padded), [&](Index block, Vec partial) {
    std::vector<double> m(static_cast<std::size_t>(stride_));
    add_cells(modes.data(), std::ssize(modes), weights_.data(), blocks.begin(block),
              blocks.end(block), n_components_, n_points_, stride_, m.data(), partial.data());
  });
  Matrix sums(n_points_, n_points_);
  for (Index a = 0; a < n_points_; ++a) {
    for (Index b = 0; b < n_points_; ++b) sums(a, b) = padded[a * stride_ + b];
  }
  return sums;
}

}  // namespace gingham::methods::multilinear
