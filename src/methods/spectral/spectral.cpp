#include "gingham/methods/spectral/spectral.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/kernels/kmeans_gaps.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/kernels/truncated_svd.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::spectral {
namespace {

// The residual of the singular vectors is one of the gaps: well below the tolerance, and no finer
// than double can.
constexpr double kOfTheTolerance = 0.1, kFinest = 1e-12;

void invert_roots(std::vector<double>& sums) {
  for (double& sum : sums) sum = sum > 0.0 ? 1.0 / std::sqrt(sum) : 0.0;
}

}  // namespace

void Spectral::attach(const Dataset& data, Context& ctx) {
  block_ = &data.block(0);
  row_scale_.assign(static_cast<std::size_t>(block_->shape()[0]), 0.0);
  column_scale_.assign(static_cast<std::size_t>(block_->shape()[1]), 0.0);
  const std::vector<double> ones_rows(row_scale_.size(), 1.0),
      ones_columns(column_scale_.size(), 1.0);
  multiply(*block_, ones_columns, row_scale_, ctx.executor());
  multiply_transposed(*block_, ones_rows, column_scale_, ctx.executor());
  invert_roots(row_scale_);
  invert_roots(column_scale_);
  items_.clear();
  for (std::size_t i = 0; i < row_scale_.size(); ++i) {
    if (row_scale_[i] > 0.0) items_.push_back(static_cast<Index>(i));
  }
  for (std::size_t j = 0; j < column_scale_.size(); ++j) {
    if (column_scale_[j] > 0.0) items_.push_back(static_cast<Index>(row_scale_.size() + j));
  }
}

void Spectral::start(const Dataset& data, Context& ctx) { attach(data, ctx); }

Index Spectral::n_vectors() const {
  Index wanted = 1;
  while ((Index{1} << (wanted - 1)) < n_clusters_) ++wanted;
  return std::min({wanted, block_->shape()[0], block_->shape()[1]});
}

void Spectral::apply(ConstVec x, Vec y, Context& ctx) const {
  std::vector<double> scaled(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) scaled[j] = column_scale_[j] * x[j];
  multiply(*block_, scaled, y, ctx.executor());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] *= row_scale_[i];
}

void Spectral::apply_transposed(ConstVec x, Vec y, Context& ctx) const {
  std::vector<double> scaled(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) scaled[i] = row_scale_[i] * x[i];
  multiply_transposed(*block_, scaled, y, ctx.executor());
  for (std::size_t j = 0; j < y.size(); ++j) y[j] *= column_scale_[j];
}

void Spectral::embed(Context& ctx) {
  const LinearOperator normalised{block_->shape()[0], block_->shape()[1],
                                  [&](ConstVec x, Vec y) {
                                    ctx.check_stop();
                                    apply(x, y, ctx);
                                  },
                                  [&](ConstVec x, Vec y) { apply_transposed(x, y, ctx); }};
  Svd svd = truncated_svd(normalised, n_vectors(), ctx.rng("svd"),
                          std::max(kOfTheTolerance * tolerance_, kFinest));
  left_ = std::move(svd.u);
  right_ = std::move(svd.v);
  singular_ = std::move(svd.s);
  const Index width = n_vectors() - 1;
  points_ = Matrix(static_cast<Index>(items_.size()), width);
  const auto n_rows = static_cast<Index>(row_scale_.size());
  for (std::size_t p = 0; p < items_.size(); ++p) {
    const Index item = items_[p];
    for (Index k = 0; k < width; ++k) {
      points_(static_cast<Index>(p), k) =
          item < n_rows ? row_scale_[item] * left_(item, k + 1)
                        : column_scale_[item - n_rows] * right_(item - n_rows, k + 1);
    }
  }
  has_embedding_ = true;
}

Done Spectral::step(Context& ctx) {
  if (!has_embedding_) {
    ctx.phase("svd");
    embed(ctx);
    return Done::nothing;
  }
  ctx.phase("lloyd");
  if (!is_running_) {
    Rng rng =
        Rng::named(ctx.rng("kmeans").bits(), "start", static_cast<std::uint64_t>(starts_done_));
    lloyd_ = KMeansState{};
    kmeans_start(points_, n_clusters_, rng, lloyd_, ctx.executor());
    is_running_ = true;
    return Done::nothing;
  }
  if (kmeans_iterate(points_, lloyd_, ctx.executor()) > 0) return Done::nothing;
  const double inertia = kmeans_inertia(points_, lloyd_, ctx.executor());
  if (starts_done_ == 0 || inertia < best_inertia_) {
    best_ = lloyd_;
    best_inertia_ = inertia;
  }
  is_running_ = false;
  return ++starts_done_ < n_starts_ ? Done::nothing : Done::iteration;
}

Terms Spectral::terms(Context& ctx, Accuracy) {
  Terms terms;
  terms.loss = kmeans_inertia(points_, best_, ctx.executor());
  // || A_n v - s u || and || A_n' u - s v ||, relative to the largest s, which is 1.
  double residual = 0.0;
  std::vector<double> av(row_scale_.size()), au(column_scale_.size());
  std::vector<double> u(row_scale_.size()), v(column_scale_.size());
  for (std::size_t k = 0; k < singular_.size(); ++k) {
    for (std::size_t i = 0; i < u.size(); ++i)
      u[i] = left_(static_cast<Index>(i), static_cast<Index>(k));
    for (std::size_t j = 0; j < v.size(); ++j)
      v[j] = right_(static_cast<Index>(j), static_cast<Index>(k));
    apply(v, av, ctx);
    apply_transposed(u, au, ctx);
    axpy(-singular_[k], u, av);
    axpy(-singular_[k], v, au);
    residual = std::max({residual, norm2(av), norm2(au)});
  }
  const KMeansGaps gaps = kmeans_gaps(points_, best_, ctx.executor());
  terms.gaps = {{"embedding", residual}, {"items", gaps.points}, {"centers", gaps.centers}};
  return terms;
}

Model Spectral::model(Context&) const {
  Model model;
  if (starts_done_ == 0) return model;
  const auto n_rows = static_cast<Index>(row_scale_.size());
  const auto n_columns = static_cast<Index>(column_scale_.size());
  std::vector<Index> row_labels(row_scale_.size(), -1), column_labels(column_scale_.size(), -1);
  for (std::size_t p = 0; p < items_.size(); ++p) {
    const Index item = items_[p];
    (item < n_rows ? row_labels[item] : column_labels[item - n_rows]) = best_.labels[p];
  }
  for (Index k = 0; k < n_clusters_; ++k) {
    const auto size =
        static_cast<double>(std::count(row_labels.begin(), row_labels.end(), k) +
                            std::count(column_labels.begin(), column_labels.end(), k));
    model.components.push_back(  // no model of cells
        {size / static_cast<double>(n_rows + n_columns), std::nan("")});
  }
  const auto aside_rows = std::count(row_scale_.begin(), row_scale_.end(), 0.0);
  const auto aside_columns = std::count(column_scale_.begin(), column_scale_.end(), 0.0);
  if (aside_rows + aside_columns > 0) {
    model.notes.push_back(
        fmt::format("{} rows and {} columns are all zero: set aside, without a label", aside_rows,
                    aside_columns));
  }
  model.memberships = {membership_of("rows", std::nullopt, row_labels),
                       membership_of("columns", std::nullopt, column_labels)};
  model.arrays.push_back({"left", left_});
  model.arrays.push_back({"right", right_});
  model.arrays.push_back({"singular", singular_});
  model.arrays.push_back({"centers", best_.centers});
  return model;
}

void Spectral::state(Archive& ar) {
  ar("has_embedding", has_embedding_)("left", left_)("right", right_)("singular", singular_);
  ar("points", points_)("lloyd", lloyd_)("best", best_)("inertia", best_inertia_);
  ar("starts", starts_done_)("running", is_running_);
}

}  // namespace gingham::methods::spectral
