#include "gingham/methods/spectral/spectral.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/kernels/products.hpp"
#include "gingham/kernels/symmetric_eigen.hpp"
#include "gingham/kernels/truncated_svd.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/side_by_side.hpp"

namespace gingham::methods::spectral {
namespace {

// The residual of the singular vectors is one of the gaps: well below the tolerance, and no finer
// than double can.
constexpr double kOfTheTolerance = 0.1, kFinest = 1e-12;
constexpr Index kGuards = 4;  // vectors beyond the wanted ones
constexpr Index kMost = 500;  // products, before squares are given up

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

Svd Spectral::find_vectors(Context& ctx) const {
  const double tolerance = std::max(kOfTheTolerance * tolerance_, kFinest);
  Preparation normalised;
  normalised.is_none = false;
  normalised.row_scale = row_scale_;
  normalised.means.assign(column_scale_.size(), 0.0);
  normalised.column_scale = column_scale_;
  normalised.squares = 1.0;  // about: the first singular value is 1
  const PreparedMatrix matrix(*block_, std::move(normalised), ctx.executor());
  const SideBySide all(matrix);
  const LanczosRules rules{.tolerance = tolerance, .width = n_vectors() + kGuards, .most = kMost};
  Svd svd = leading_triplets(all.products([&] { ctx.check_stop(); }), n_vectors(), ctx.rng("svd"),
                             rules, ctx.executor());
  if (svd.converged && svd.s.back() > 0.0) return svd;
  const LinearOperator products{matrix.rows(), matrix.cols(),
                                [&](ConstVec x, Vec y) {
                                  ctx.check_stop();
                                  matrix.multiply(x, y);
                                },
                                [&](ConstVec x, Vec y) { matrix.multiply_transposed(x, y); }};
  return truncated_svd(products, n_vectors(), ctx.rng("svd"), tolerance);
}

void Spectral::embed(Context& ctx) {
  Svd svd = find_vectors(ctx);
  left_ = std::move(svd.u);
  right_ = std::move(svd.v);
  singular_ = std::move(svd.s);
  embedding_gap_ = find_embedding_gap(svd.converged, ctx.executor());
  const Index width = std::max<Index>(n_vectors() - 1, 1);
  Matrix points(static_cast<Index>(items_.size()), width);
  const auto n_rows = static_cast<Index>(row_scale_.size());
  for (std::size_t p = 0; p < items_.size(); ++p) {
    const Index item = items_[p];
    for (Index k = 0; k + 1 < n_vectors(); ++k) {
      points(static_cast<Index>(p), k) =
          item < n_rows ? row_scale_[item] * left_(item, k + 1)
                        : column_scale_[item - n_rows] * right_(item - n_rows, k + 1);
    }
  }
  grouping_.begin(std::move(points));
}

Done Spectral::step(Context& ctx) {
  if (grouping_.has_begun()) return grouping_.step(ctx) ? Done::iteration : Done::nothing;
  ctx.phase("svd");
  embed(ctx);
  return Done::nothing;
}

Terms Spectral::terms(Context& ctx, Accuracy) {
  Terms terms;
  terms.loss = grouping_.inertia(ctx.executor());
  terms.gaps = {{"embedding", embedding_gap_}};
  grouping_.add_gaps(terms, ctx.executor(), "items");
  terms.is_finished = grouping_.is_done();
  return terms;
}

double Spectral::find_embedding_gap(bool is_leading, Executor& executor) const {
  const auto scaled = [](const std::vector<double>& factors, Matrix x) {
    for (Index i = 0; i < x.rows(); ++i) scale(factors[i], x.row(i));
    return x;
  };
  const auto times = [&](const Matrix& x) {  // A_n x
    Matrix y;
    multiply(*block_, scaled(column_scale_, x), y, executor);
    return scaled(row_scale_, std::move(y));
  };
  const auto transposed_times = [&](const Matrix& x) {
    Matrix y;
    multiply_transposed(*block_, scaled(row_scale_, x), y, executor);
    return scaled(column_scale_, std::move(y));
  };
  // max_k ||p_k - s_k w_k||
  const auto residual = [&](const Matrix& products, const Matrix& vectors) {
    double largest = 0.0;
    for (Index k = 0; k < vectors.cols(); ++k) {
      double squares = 0.0;
      for (Index i = 0; i < vectors.rows(); ++i) {
        const double off = products(i, k) - singular_[k] * vectors(i, k);
        squares += off * off;
      }
      largest = std::max(largest, std::sqrt(squares));
    }
    return largest;
  };
  const Matrix au = transposed_times(left_);
  const double off = std::max(residual(times(right_), left_), residual(au, right_));
  if (is_leading) return off;
  const SymmetricOperator squares{.n = left_.rows(), .apply = [&](const Matrix& x, Matrix& y) {
                                    y = times(transposed_times(x));
                                  }};
  return std::max(off, exchange_gain(squares, left_, times(au), Rng::named(0, "outside")));
}

Model Spectral::model(Context&) const {
  Model model;
  if (!grouping_.has_result()) return model;
  const auto n_rows = static_cast<Index>(row_scale_.size());
  const auto n_columns = static_cast<Index>(column_scale_.size());
  std::vector<Index> row_labels(row_scale_.size(), -1), column_labels(column_scale_.size(), -1);
  for (std::size_t p = 0; p < items_.size(); ++p) {
    const Index item = items_[p];
    (item < n_rows ? row_labels[item] : column_labels[item - n_rows]) = grouping_.labels()[p];
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
  model.arrays.push_back({"centers", grouping_.centers()});
  return model;
}

void Spectral::state(Archive& ar) {
  ar("left", left_)("right", right_)("singular", singular_)("gap", embedding_gap_);
  grouping_.state(ar);
}

}  // namespace gingham::methods::spectral
