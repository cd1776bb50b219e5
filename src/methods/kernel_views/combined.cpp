#include "gingham/methods/kernel_views/combined.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/products.hpp"
#include "gingham/kernels/symmetric_eigen.hpp"
#include "gingham/methods/kernel_views/affinity.hpp"
#include "gingham/methods/kernel_views/kernel.hpp"
#include "gingham/methods/kernel_views/plain_kernels.hpp"
#include "gingham/methods/kernel_views/plain_subspace.hpp"

namespace gingham::methods::kernel_views {
namespace {

// total += factor * one, or total *= one.
void combine(Combination combination, const Matrix& one, double factor, Matrix& total,
             Executor& executor) {
  const Partition blocks = Partition::even(total.rows(), total.cols());
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      double* to = total.row(i).data();
      const double* from = one.row(i).data();
      for (Index j = 0; j < total.cols(); ++j)
        to[j] = combination == Combination::sum ? to[j] + factor * from[j] : to[j] * from[j];
    }
  });
}

Recomputed recompute(const Dataset& data, const Options& options, const Model& model,
                     Combination combination) {
  Recomputed result;
  std::vector<double> widths;
  PlainKernel total = plain_kernel(data, options, 0);
  const bool is_linear = options.text("kernel") == "linear";
  const auto squares = [&](Index view) {
    const views::PlainView x(data.block(view), views::scale_of(options));
    Real largest = 0;
    for (Index i = 0; i < x.rows(); ++i) largest = std::max(largest, x.inner_product(i, i));
    return is_linear && largest > 0 ? largest : Real{1};
  };
  const Real unit = squares(0);
  widths.push_back(total.width);
  for (Index view = 1; view < data.size(); ++view) {
    const PlainKernel one = plain_kernel(data, options, view);
    const Real factor = squares(view) / unit;
    widths.push_back(one.width);
    for (Index i = 0; i < one.values.n(); ++i) {
      for (Index j = 0; j <= i; ++j) {
        double& cell = total.values.at(i, j);
        const double other = one.values.at(i, j);
        cell = combination == Combination::sum ? static_cast<double>(cell + factor * other)
                                               : cell * other;
      }
    }
  }
  plain_normalize(total.values);
  const Index n = total.values.n(), clusters = options.integer("clusters");
  const Matrix& vectors = find_matrix(model, "embedding", n, std::min(n, clusters));
  const std::vector<double>& values = find_vector(model, "values", vectors.cols());
  const Rows u = plain_rows(vectors);
  const PlainOperator affinity = [&](const Reals& x) { return plain_product(total.values, x); };
  const Real gap = std::max(plain_residual(total.values, vectors, values),
                            plain_subspace_gap(u, plain_product(total.values, u), affinity, 1));
  result.terms.gaps = {{"embedding", static_cast<double>(gap)}};
  Real inertia = 0;
  views::recompute_grouping(views::plain_unit_rows(vectors), model, clusters, result, inertia);
  result.terms.loss = static_cast<double>(inertia);
  result.squares = static_cast<double>(n);
  if (!is_linear) result.used = {{"width", widths}};
  return result;
}

}  // namespace

struct CombinedKernels::Prepared {
  Matrix affinity;
  std::vector<double> widths;
};

CombinedKernels::CombinedKernels(const Options& options) : options_(options), grouping_(options) {}

Derived CombinedKernels::derive(const Dataset& data, const Options& options,
                                Combination combination, Context& ctx) {
  ctx.phase("kernels");
  auto made = std::make_shared<Prepared>();
  const KernelKind kind = kernel_of(options);
  int exponent = 0;
  for (Index v = 0; v < data.size(); ++v) {
    const PreparedMatrix view(data.block(v), views::scale_of(options), ctx.executor());
    Kernel one = make_kernel(view, kind, width_of(options, v), [&] { ctx.check_stop(); });
    made->widths.push_back(one.width);
    if (v == 0) {
      made->affinity = std::move(one.values);
      exponent = one.exponent;
      continue;
    }
    // In the units of the larger, so that neither overflows.
    const int larger = std::max(exponent, one.exponent);
    if (combination == Combination::sum && exponent < larger) {
      const double down = std::ldexp(1.0, 2 * (exponent - larger));
      for (double& cell : made->affinity.values()) cell *= down;
    }
    combine(combination, one.values, std::ldexp(1.0, 2 * (one.exponent - larger)), made->affinity,
            ctx.executor());
    exponent = larger;
  }
  normalize(made->affinity, ctx.executor());
  return made;
}

// All that comes before k-means: it draws nothing.
void CombinedKernels::settled(Archive& ar) {
  ar("vectors", vectors_)("values", values_)("gap", embedding_gap_);
}

void CombinedKernels::attach(const Dataset&, Context& ctx) { prepared_ = ctx.derived<Prepared>(); }

void CombinedKernels::embed(Context& ctx) {
  ctx.phase("eigenvectors");
  const Matrix& l = prepared_->affinity;
  const SymmetricOperator affinity{.n = l.rows(), .apply = [&](const Matrix& x, Matrix& y) {
                                     ctx.check_stop();
                                     multiply(l, x, y, ctx.executor());
                                   }};
  Eigenpairs found = leading_eigenpairs(affinity, std::min(options_.integer("clusters"), l.rows()),
                                        eigen_start(), eigen_tolerance(options_.real("tolerance")));
  vectors_ = std::move(found.vectors);
  values_ = std::move(found.values);
  embedding_gap_ = find_embedding_gap(ctx.executor());
}

Done CombinedKernels::step(Context& ctx) {
  if (vectors_.rows() == 0) {
    embed(ctx);
    return Done::nothing;
  }
  if (!grouping_.has_begun()) {
    grouping_.begin(unit_rows(vectors_));
    return Done::nothing;
  }
  return grouping_.step(ctx) ? Done::iteration : Done::nothing;
}

double CombinedKernels::find_embedding_gap(Executor& executor) const {
  const Matrix& l = prepared_->affinity;
  const SymmetricOperator affinity{
      .n = l.rows(), .apply = [&](const Matrix& x, Matrix& y) { multiply(l, x, y, executor); }};
  Matrix products;
  affinity.apply(vectors_, products);
  double gap = subspace_gap(affinity, vectors_, products, 1.0, HUGE_VAL, executor);
  for (Index k = 0; k < vectors_.cols(); ++k) {
    double squares = 0.0;
    for (Index i = 0; i < vectors_.rows(); ++i) {
      const double off = products(i, k) - values_[k] * vectors_(i, k);
      squares += off * off;
    }
    gap = std::max(gap, std::sqrt(squares));
  }
  return gap;
}

Terms CombinedKernels::terms(Context& ctx, Accuracy) {
  Terms terms;
  terms.loss = grouping_.inertia(ctx.executor());
  terms.gaps = {{"embedding", embedding_gap_}};
  grouping_.add_gaps(terms, ctx.executor());
  terms.is_finished = grouping_.is_done();  // another iteration would find the same
  return terms;
}

Model CombinedKernels::model(Context&) const {
  Model model;
  if (!grouping_.has_result()) return model;
  model.arrays = {{"embedding", vectors_}, {"values", values_}};
  grouping_.add_to(model);
  if (kernel_of(options_) == KernelKind::gaussian) model.used = {{"width", prepared_->widths}};
  return model;
}

void CombinedKernels::state(Archive& ar) {
  settled(ar);
  grouping_.state(ar);
}

MethodInfo combined_info(Combination combination) {
  MethodInfo info;
  info.input = InputKind::views;
  info.traits = {.accepts_sparse = true};
  info.options = views::grouping_options();
  for (OptionRecord& record : kernel_options()) info.options.push_back(std::move(record));
  info.arrays = {{"embedding",
                  "rows x clusters: leading eigenvectors of the normalised kernel; k-means works "
                  "on its rows at length 1"},
                 {"values", "their eigenvalues, falling"},
                 views::grouping_array()};
  info.make = [](const Options& options) { return std::make_unique<CombinedKernels>(options); };
  info.derive = [combination](const Dataset& data, const Options& options, Context& ctx) {
    return CombinedKernels::derive(data, options, combination, ctx);
  };
  info.derived_from = {"scale", "kernel", "width"};
  info.check = check_widths;
  info.peak_bytes = [](const Dataset& data, const Options& options) {
    const Index rows = data.block(0).shape()[0];
    const auto n = static_cast<double>(rows);
    const Index vectors = std::min(options.integer("clusters"), rows);
    double view_bytes = 0.0;
    for (const Block& block : data.blocks()) view_bytes += kernel_bytes(block);
    // The combined kernel and one view's at a time.
    return 2.0 * 8.0 * n * n + view_bytes +
           8.0 * n * static_cast<double>(eigen_basis(rows, vectors)) +
           views::grouping_bytes(rows, static_cast<double>(vectors), options);
  };
  info.recompute = [combination](const Dataset& data, const Options& options, const Model& model) {
    return recompute(data, options, model, combination);
  };
  return info;
}

}  // namespace gingham::methods::kernel_views
