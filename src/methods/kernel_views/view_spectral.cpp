#include "gingham/methods/kernel_views/view_spectral.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/products.hpp"
#include "gingham/kernels/symmetric_eigen.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/kernel_views/affinity.hpp"
#include "gingham/methods/kernel_views/kernel.hpp"
#include "gingham/methods/kernel_views/plain_kernels.hpp"

namespace gingham::methods::kernel_views {

ViewSpectral::ViewSpectral(const Options& options) : options_(options), grouping_(options) {}

const std::vector<Matrix>& ViewSpectral::kernels() const { return prepared_->kernels; }

double ViewSpectral::tolerance() const { return eigen_tolerance(options_.real("tolerance")); }

void ViewSpectral::attach(const Dataset&, Context& ctx) {
  prepared_ = ctx.derived<Prepared>();
  vectors_.resize(kernels().size());
}

void ViewSpectral::first_vectors(Index view, Context& ctx) {
  ctx.phase("eigenvectors");
  const Matrix& k = kernels()[view];
  std::vector<double> scale(static_cast<std::size_t>(n_rows()), 1.0);
  if (!prepared_->are_normalized) scale = degree_scale(k, ctx.executor());
  const SymmetricOperator affinity{.n = n_rows(), .apply = [&](const Matrix& x, Matrix& y) {
                                     ctx.check_stop();
                                     multiply_normalized(k, scale, x, y, ctx.executor());
                                   }};
  vectors_[view] = leading_eigenpairs(affinity, width(), eigen_start(), tolerance()).vectors;
}

Done ViewSpectral::step(Context& ctx) {
  if (is_grouping_) {
    if (!grouping_.has_begun()) {
      grouping_.begin(unit_rows(joint_embedding()));
      return Done::nothing;
    }
    return grouping_.step(ctx) ? Done::iteration : Done::nothing;
  }
  if (!has_start_) {
    first_vectors(next_, ctx);
    has_start_ = ++next_ == n_views();
    if (has_start_) next_ = 0;
    return Done::nothing;
  }
  ctx.phase("embeddings");
  update(next_, ctx);
  if (++next_ < n_blocks()) return Done::nothing;
  next_ = 0;
  return Done::iteration;
}

Terms ViewSpectral::terms(Context& ctx, Accuracy accuracy) {
  const bool is_exact = accuracy == Accuracy::exact;
  Terms terms = objective(is_exact ? HUGE_VAL : (is_grouping_ ? 0.0 : options_.real("tolerance")),
                          ctx.executor());
  if (!is_grouping_) return terms;
  if (!is_exact) terms.gaps.clear();  // of this component alone
  grouping_.add_gaps(terms, ctx.executor());
  terms.is_finished = grouping_.is_done();
  return terms;
}

bool ViewSpectral::conclude(Status, Context&) {
  if (is_grouping_) return false;
  is_grouping_ = true;
  return true;
}

Matrix ViewSpectral::joint_embedding() const { return side_by_side(vectors_); }

Model ViewSpectral::model(Context& ctx) const {
  Model model;
  if (!grouping_.has_result()) return model;
  for (Index v = 0; v < n_views(); ++v)
    model.arrays.push_back({"embedding_" + std::to_string(v), vectors_[v]});
  add_arrays(model);
  grouping_.add_to(model);
  model.measures = {{"inertia", grouping_.inertia(ctx.executor())}};
  if (kernel_of(options_) == KernelKind::gaussian) model.used = {{"width", prepared_->widths}};
  return model;
}

void ViewSpectral::state(Archive& ar) {
  ar("vectors", vectors_)("next", next_)("has_start", has_start_)("is_grouping", is_grouping_);
  more_state(ar);
  grouping_.state(ar);
}

MethodInfo spectral_info(SpectralRecord record) {
  MethodInfo info;
  info.input = InputKind::views;
  info.traits = {.accepts_sparse = true};
  info.options = views::grouping_options();
  for (OptionRecord& one : kernel_options()) info.options.push_back(std::move(one));
  for (OptionRecord& one : record.options) info.options.push_back(std::move(one));
  info.arrays = {{"embedding_<i>", "rows x clusters: embedding by view i, orthonormal columns"},
                 views::grouping_array()};
  info.derive = [normalizes = record.normalizes_kernels](
                    const Dataset& data, const Options& options, Context& ctx) -> Derived {
    ctx.phase("kernels");
    auto made = std::make_shared<Prepared>();
    made->are_normalized = normalizes;
    for (Index v = 0; v < data.size(); ++v) {
      const PreparedMatrix view(data.block(v), views::scale_of(options), ctx.executor());
      Kernel one =
          make_kernel(view, kernel_of(options), width_of(options, v), [&] { ctx.check_stop(); });
      if (normalizes) normalize(one.values, ctx.executor());
      made->kernels.push_back(std::move(one.values));
      made->widths.push_back(one.width);
    }
    return made;
  };
  info.derived_from = {"scale", "kernel", "width"};
  info.check = check_widths;
  info.peak_bytes = [](const Dataset& data, const Options& options) {
    const Index rows = data.block(0).shape()[0];
    const auto n = static_cast<double>(rows), m = static_cast<double>(data.size());
    const Index vectors = std::min(options.integer("clusters"), rows);
    const auto k = static_cast<double>(vectors);
    double view_bytes = 0.0;
    for (const Block& block : data.blocks()) view_bytes += kernel_bytes(block);
    return 8.0 * n * n * m + view_bytes +
           8.0 * n * static_cast<double>(eigen_basis(rows, vectors)) +
           8.0 * n * k * (4.0 * m + 4.0) + views::grouping_bytes(rows, k * m, options);
  };
  info.recompute = [objective = record.recompute_objective, joint = record.joint_embedding](
                       const Dataset& data, const Options& options, const Model& model) {
    Recomputed result;
    result.terms = objective(data, options, model);
    std::vector<Matrix> vectors;
    std::vector<double> widths;
    const Index n = data.block(0).shape()[0], clusters = options.integer("clusters");
    for (Index v = 0; v < data.size(); ++v) {
      vectors.push_back(
          find_matrix(model, "embedding_" + std::to_string(v), n, std::min(n, clusters)));
      if (options.text("kernel") == "gaussian")
        widths.push_back(plain_kernel(data, options, v).width);
    }
    const Matrix points = joint ? joint(data, options, model) : side_by_side(vectors);
    Real inertia = 0;
    views::recompute_grouping(views::plain_unit_rows(points), model, clusters, result, inertia);
    result.measures = {{"inertia", static_cast<double>(inertia)}};
    result.squares = static_cast<double>(n * data.size());
    if (!widths.empty()) result.used = {{"width", widths}};
    return result;
  };
  return info;
}

Matrix side_by_side(const std::vector<Matrix>& matrices) {
  Index total = 0;
  for (const Matrix& one : matrices) total += one.cols();
  Matrix all(matrices[0].rows(), total);
  for (Index i = 0; i < all.rows(); ++i) {
    double* to = all.row(i).data();
    for (const Matrix& one : matrices) to = std::copy(one.row(i).begin(), one.row(i).end(), to);
  }
  return all;
}

void add_projection(double factor, const Matrix& u, const Matrix& x, Matrix& y,
                    Executor& executor) {
  Matrix inside, projected;
  multiply_transposed(u, x, inside, executor);
  multiply(u, inside, projected, executor);
  axpy(factor, projected.values(), y.values());
}

double inner_product(const Matrix& a, const Matrix& b) { return dot(a.values(), b.values()); }

}  // namespace gingham::methods::kernel_views
