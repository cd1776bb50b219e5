#include "gingham/methods/mvfl/mvfl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/kernels/products.hpp"
#include "gingham/kernels/truncated_svd.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/column_gram.hpp"

namespace gingham::methods::mvfl {
namespace {

constexpr double kSmooth = 1e-3;    // e, in units of 1 / max ||X_v||
constexpr int kSteps = 20;          // conjugate gradients at a time
constexpr double kEnough = 1e-2;    // of the residual is left: the bounds are stale by then
constexpr double kNothing = 1e-24;  // a loss below this is rounding alone
constexpr double kMargin = 1e-9;    // a move that changes the objective by less is rounding

std::vector<double> column(const Matrix& x, Index k) {
  std::vector<double> values(static_cast<std::size_t>(x.rows()));
  for (Index i = 0; i < x.rows(); ++i) values[i] = x(i, k);
  return values;
}

}  // namespace

struct Mvfl::Prepared {
  std::vector<PreparedMatrix> views;
  std::vector<Index> offsets;  // of the views' columns in X; the last is d
  double unit = 1.0;           // a power of two near the largest ||X_v||; X / unit is used
  double largest = 1.0;        // max ||X_v||, in these units
  double smooth = kSmooth;     // e for W in these units
  double gamma_view = 0.0, gamma_feature = 0.0;  // in these units
  std::vector<double> column_squares;            // of X / unit
  Matrix gram;                                   // X^T X / unit^2, or empty
};

Index Mvfl::n_rows() const { return prepared_->views[0].rows(); }

Derived Mvfl::derive(const Dataset& data, const Options& options, Context& ctx) {
  auto made = std::make_shared<Prepared>();
  double largest = 0.0;
  made->offsets = {0};
  for (const Block& block : data.blocks()) {
    made->views.emplace_back(block, views::scale_of(options), ctx.executor());
    made->offsets.push_back(made->offsets.back() + block.shape()[1]);
    largest = std::max(largest, std::sqrt(made->views.back().squares()));
  }
  if (!std::isfinite(largest)) {
    throw Error(ErrorCode::input, data.block(0).name(),
                "squares of the values overflow; use --scale standardize, unit or rows");
  }
  if (largest == 0.0) largest = 1.0;
  made->unit = std::ldexp(1.0, std::ilogb(largest));
  made->largest = largest / made->unit;
  made->smooth = kSmooth / made->largest;
  const double maximum = 2.0 * largest;
  made->gamma_view = options.penalty("view-sparsity").resolve(maximum) / made->unit;
  made->gamma_feature = options.penalty("feature-sparsity").resolve(maximum) / made->unit;
  made->column_squares.assign(static_cast<std::size_t>(made->offsets.back()), 0.0);
  for (std::size_t v = 0; v < made->views.size(); ++v) {
    add_column_squares(made->views[v], made->unit, made->column_squares.data() + made->offsets[v]);
  }
  if (has_column_gram(data))
    made->gram = column_gram(made->views, made->offsets.back(), made->unit);
  return made;
}

void Mvfl::attach(const Dataset&, Context& ctx) {
  prepared_ = ctx.derived<Prepared>();
  width_ = std::min(options_.integer("clusters"), n_rows());
  first_ = views::Grouping(width_, options_.integer("starts"));
}

void Mvfl::apply(ConstVec w, Vec y) const {
  std::fill(y.begin(), y.end(), 0.0);
  std::vector<double> one(y.size());
  for (std::size_t v = 0; v < prepared_->views.size(); ++v) {
    const Index begin = prepared_->offsets[v], end = prepared_->offsets[v + 1];
    prepared_->views[v].multiply(
        w.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)), one);
    axpy(1.0 / prepared_->unit, one, y);
  }
}

void Mvfl::apply_transposed(ConstVec x, Vec y) const {
  for (std::size_t v = 0; v < prepared_->views.size(); ++v) {
    const Index begin = prepared_->offsets[v], end = prepared_->offsets[v + 1];
    prepared_->views[v].multiply_transposed(
        x, y.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
  }
  scale(1.0 / prepared_->unit, y);
}

void Mvfl::apply_gram(ConstVec w, Vec scratch, Vec y, Executor& executor) const {
  if (prepared_->gram.rows() > 0) return multiply(prepared_->gram, w, y, executor);
  apply(w, scratch);
  apply_transposed(scratch, y);
}

void Mvfl::find_components(Context& ctx) {
  ctx.phase("components");
  const Index d = prepared_->offsets.back();
  const LinearOperator x{n_rows(), d,
                         [&](ConstVec from, Vec to) {
                           ctx.check_stop();
                           apply(from, to);
                         },
                         [&](ConstVec from, Vec to) { apply_transposed(from, to); }};
  // A start: it need not be fine, and does not depend on the seed.
  const Svd svd =
      truncated_svd(x, std::min({width_, n_rows(), d}), Rng::named(0, "components"), 1e-6);
  Matrix points = svd.u;
  for (Index i = 0; i < points.rows(); ++i) {
    for (Index k = 0; k < points.cols(); ++k) points(i, k) *= svd.s[k];
  }
  first_.begin(std::move(points));
}

void Mvfl::begin_learning() {
  labels_ = first_.labels();
  counts_.assign(static_cast<std::size_t>(width_), 0);
  for (const Index label : labels_) ++counts_[label];
  weights_ = Matrix(prepared_->offsets.back(), width_);
  intercept_.assign(static_cast<std::size_t>(width_), 0.0);
  for (Index k = 0; k < width_; ++k) {
    intercept_[k] = std::sqrt(static_cast<double>(counts_[k])) / static_cast<double>(n_rows());
  }
}

Matrix Mvfl::fitted(Executor& executor) const {
  Matrix result(n_rows(), width_);
  executor.map(width_, [&](Index k) {
    std::vector<double> y(static_cast<std::size_t>(n_rows()));
    apply(column(weights_, k), y);
    for (Index i = 0; i < n_rows(); ++i) result.data()[i * width_ + k] = y[i];
  });
  return result;
}

Matrix Mvfl::bounds() const {
  const Index d = weights_.rows();
  const double e2 = prepared_->smooth * prepared_->smooth;
  Matrix bound(d, width_);
  for (std::size_t v = 0; v < prepared_->views.size(); ++v) {
    std::vector<double> squares(static_cast<std::size_t>(width_), 0.0);
    for (Index j = prepared_->offsets[v]; j < prepared_->offsets[v + 1]; ++j) {
      for (Index k = 0; k < width_; ++k) squares[k] += weights_(j, k) * weights_(j, k);
    }
    for (Index j = prepared_->offsets[v]; j < prepared_->offsets[v + 1]; ++j) {
      const double row = std::sqrt(sum_squares(weights_.row(j)) + e2);
      for (Index k = 0; k < width_; ++k) {
        bound(j, k) = 0.5 * (prepared_->gamma_view / std::sqrt(squares[k] + e2) +
                             prepared_->gamma_feature / row);
      }
    }
  }
  return bound;
}

// Per column a few preconditioned conjugate gradients on (X'X + Q) w = X'(f - b), from the present
// w.
Matrix Mvfl::descend(const Matrix& fit, Context& ctx) const {
  const Matrix bound = bounds();
  Matrix next = weights_;
  double* out = next.data();
  ctx.executor().map(width_, [&](Index k) {
    const auto d = static_cast<std::size_t>(weights_.rows()),
               n = static_cast<std::size_t>(n_rows());
    std::vector<double> w = column(weights_, k), r(d), z(d), p(d), ap(d), xp(n);
    const std::vector<double> q = column(bound, k);
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = static_cast<Index>(i);
      xp[i] = indicator(row, k) - intercept_[k] - fit(row, k);
    }
    apply_transposed(xp, r);
    for (std::size_t j = 0; j < d; ++j) r[j] -= q[j] * w[j];
    const auto precondition = [&] {
      for (std::size_t j = 0; j < d; ++j) {
        const double diagonal = prepared_->column_squares[j] + q[j];
        z[j] = diagonal > 0.0 ? r[j] / diagonal : 0.0;
      }
    };
    precondition();
    p = z;
    double rz = dot(r, z);
    const double enough = kEnough * kEnough * rz;
    for (int step = 0; step < kSteps && rz > enough && rz > 0.0; ++step) {
      apply_gram(p, xp, ap, ctx.executor());
      for (std::size_t j = 0; j < d; ++j) ap[j] += q[j] * p[j];
      const double curvature = dot(p, ap);
      if (!(curvature > 0.0)) break;
      axpy(rz / curvature, p, w);
      axpy(-rz / curvature, ap, r);
      precondition();
      const double before = rz;
      rz = dot(r, z);
      for (std::size_t j = 0; j < d; ++j) p[j] = z[j] + rz / before * p[j];
    }
    for (std::size_t j = 0; j < d; ++j) out[static_cast<Index>(j) * width_ + k] = w[j];
  });
  return next;
}

std::vector<double> Mvfl::sums_of(const Matrix& z) const {
  std::vector<double> sums(static_cast<std::size_t>(width_), 0.0);
  for (Index i = 0; i < n_rows(); ++i) sums[labels_[i]] += z(i, labels_[i]);
  return sums;
}

// || Z - F ||^2 = || Z ||^2 + sum over clusters that are not empty of 1 - 2 sum_k / sqrt(n_k).
Mvfl::Move Mvfl::best_move(Index i, ConstVec z, const std::vector<double>& sums) const {
  const auto value = [](double sum, Index count) {
    return count > 0 ? 1.0 - 2.0 * sum / std::sqrt(static_cast<double>(count)) : 0.0;
  };
  const Index from = labels_[i];
  Move best{.to = from, .change = 0.0};
  if (counts_[from] == 1) return best;
  const double leave =
      value(sums[from] - z[from], counts_[from] - 1) - value(sums[from], counts_[from]);
  for (Index k = 0; k < width_; ++k) {
    if (k == from) continue;
    const double change =
        leave + value(sums[k] + z[k], counts_[k] + 1) - value(sums[k], counts_[k]);
    if (change < best.change) best = {.to = k, .change = change};
  }
  return best;
}

void Mvfl::learn(Context& ctx) {
  ctx.phase("learn");
  weights_ = descend(fitted(ctx.executor()), ctx);
  Matrix z = fitted(ctx.executor());
  for (Index k = 0; k < width_; ++k) {
    double off = 0.0;
    for (Index i = 0; i < n_rows(); ++i) off += indicator(i, k) - z(i, k);
    intercept_[k] = off / static_cast<double>(n_rows());
    for (Index i = 0; i < n_rows(); ++i) z(i, k) += intercept_[k];
  }
  std::vector<double> sums = sums_of(z);
  for (Index i = 0; i < n_rows(); ++i) {
    const Move move = best_move(i, z.row(i), sums);
    if (move.change >= -kMargin) continue;
    sums[labels_[i]] -= z(i, labels_[i]);
    --counts_[labels_[i]];
    labels_[i] = move.to;
    sums[move.to] += z(i, move.to);
    ++counts_[move.to];
  }
  has_learned_ = true;
}

Done Mvfl::step(Context& ctx) {
  if (stage_ == Stage::learning) {
    learn(ctx);
    return Done::iteration;
  }
  if (stage_ == Stage::components) {
    find_components(ctx);
    stage_ = Stage::first_groups;
  } else if (first_.step(ctx)) {
    begin_learning();
    stage_ = Stage::learning;
  }
  return Done::nothing;
}

// sqrt(s + e^2) - e without cancelling.
double Mvfl::sum_norms(bool by_view) const {
  const double e = prepared_->smooth;
  const auto smooth_norm = [&](double squares) {
    return squares / (std::sqrt(squares + e * e) + e);
  };
  double total = 0.0;
  for (std::size_t v = 0; v < prepared_->views.size(); ++v) {
    std::vector<double> squares(static_cast<std::size_t>(width_), 0.0);
    for (Index j = prepared_->offsets[v]; j < prepared_->offsets[v + 1]; ++j) {
      if (!by_view) total += smooth_norm(sum_squares(weights_.row(j)));
      for (Index k = 0; k < width_; ++k) squares[k] += weights_(j, k) * weights_(j, k);
    }
    for (const double one : squares) total += by_view ? smooth_norm(one) : 0.0;
  }
  return total;
}

Terms Mvfl::terms(Context& ctx, Accuracy) {
  const Index n = n_rows();
  Matrix z = fitted(ctx.executor()), off(n, width_), f(n, width_);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < width_; ++k) {
      z(i, k) += intercept_[k];
      f(i, k) = indicator(i, k);
      off(i, k) = z(i, k) - f(i, k);
    }
  }
  Terms terms;
  terms.loss = sum_squares(off.values());
  if (terms.loss < kNothing) terms.loss = 0.0;
  terms.penalties = {{"views", prepared_->gamma_view * sum_norms(true)},
                     {"features", prepared_->gamma_feature * sum_norms(false)}};
  // The gradient in W (X' off + Q W, over the largest ||X_v||) and in b (1' off / sqrt n),
  // relative to the same of F.
  const Matrix bound = bounds();
  double gradient = 0.0, reference = 0.0;
  std::vector<double> parts(static_cast<std::size_t>(2 * width_));  // of each column
  ctx.executor().map(width_, [&](Index k) {
    std::vector<double> slope(static_cast<std::size_t>(weights_.rows())), pull(slope.size());
    apply_transposed(column(off, k), slope);
    apply_transposed(column(f, k), pull);
    for (Index j = 0; j < weights_.rows(); ++j) slope[j] += bound(j, k) * weights_(j, k);
    scale(1.0 / prepared_->largest, slope);
    scale(1.0 / prepared_->largest, pull);
    const double slope_b = sum(column(off, k)), pull_b = sum(column(f, k));
    parts[2 * k] = sum_squares(slope) + slope_b * slope_b / static_cast<double>(n);
    parts[2 * k + 1] = sum_squares(pull) + pull_b * pull_b / static_cast<double>(n);
  });
  for (Index k = 0; k < width_; ++k) {
    gradient += parts[2 * k];
    reference += parts[2 * k + 1];
  }
  const std::vector<double> sums = sums_of(z);
  Index misplaced = 0;
  for (Index i = 0; i < n; ++i) misplaced += best_move(i, z.row(i), sums).change < -kMargin ? 1 : 0;
  terms.gaps = {{"weights", std::sqrt(gradient / reference)},
                {"rows", static_cast<double>(misplaced) / static_cast<double>(n)}};
  return terms;
}

Model Mvfl::model(Context&) const {
  Model model;
  if (!has_learned_) return model;
  for (std::size_t v = 0; v < prepared_->views.size(); ++v) {
    Matrix part(prepared_->views[v].cols(), width_);
    for (Index j = 0; j < part.rows(); ++j) {
      for (Index k = 0; k < width_; ++k)
        part(j, k) = weights_(prepared_->offsets[v] + j, k) / prepared_->unit;
    }
    model.arrays.push_back({"weights_" + std::to_string(v), std::move(part)});
  }
  model.arrays.push_back({"intercept", intercept_});
  for (Index k = 0; k < options_.integer("clusters"); ++k) {
    const Index count = k < width_ ? counts_[k] : 0;
    model.components.push_back(  // no model of cells
        {static_cast<double>(count) / static_cast<double>(n_rows()), std::nan("")});
    if (count > 0) continue;
    model.notes.push_back(
        fmt::format("cluster {} is empty: there are fewer different rows than clusters", k));
  }
  model.memberships = {membership_of("rows", std::nullopt, labels_)};
  model.used = {{"view-sparsity", {prepared_->gamma_view * prepared_->unit}},
                {"feature-sparsity", {prepared_->gamma_feature * prepared_->unit}}};
  return model;
}

void Mvfl::state(Archive& ar) {
  ar("stage", stage_);
  first_.state(ar);
  ar("weights", weights_)("intercept", intercept_)("labels", labels_)("counts", counts_);
  ar("has_learned", has_learned_);
}

}  // namespace gingham::methods::mvfl
