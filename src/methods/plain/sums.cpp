#include "gingham/methods/plain/sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/base/error.hpp"

namespace gingham::methods::plain {
namespace {

constexpr double kMostCells = 1e6;  // that are written out

double n_cells(const Shape& shape) {
  double total = 1.0;
  for (const Index size : shape) total *= static_cast<double>(size);
  return total;
}

}  // namespace

Cells::Cells(Shape shape)
    : shape_(std::move(shape)), classes_(shape_.size()), n_classes_(shape_.size(), 1) {}

Cells::Cells(const Block& block) : Cells(block.shape()) {
  block_ = &block;
  const bool has_zeros = block.is_sparse() && block.unlisted() == Unlisted::zero;
  writes_out_ = has_zeros && n_cells(shape_) <= kMostCells;
  has_unseen_ = has_zeros && !writes_out_;
}

Cells::Cells(const Block& block, const std::vector<Index>& row_classes,
             const std::vector<Index>& column_classes, const std::vector<std::uint8_t>& is_missing)
    : Cells(block) {
  classes_ = {row_classes, column_classes};
  is_missing_ = is_missing;
  for (int mode = 0; mode < 2; ++mode) {
    for (const Index one : classes_[mode]) n_classes_[mode] = std::max(n_classes_[mode], one + 1);
  }
}

void Cells::for_each(Visit visit) const {
  const auto unless_lost = [&](std::span<const Index> at, double x) {
    if (!is_lost_at(at)) visit(at, x, 1);
  };
  if (!writes_out_) return for_each_entry(*block_, unless_lost);
  std::vector<double> cells(static_cast<std::size_t>(n_cells(shape_)), 0.0);
  for_each_entry(*block_, [&](std::span<const Index> at, double x) {
    Index place = 0;
    for (std::size_t n = 0; n < at.size(); ++n) place = place * shape_[n] + at[n];
    cells[place] = x;
  });
  std::vector<Index> at(shape_.size(), 0);
  for (const double x : cells) {
    unless_lost(at, x);
    for (std::size_t n = at.size(); n-- > 0;) {
      if (++at[n] < shape_[n]) break;
      at[n] = 0;
    }
  }
}

std::vector<double> observed_items(const Cells& cells, Index mode) {
  const Shape& shape = cells.shape();
  std::vector<double> n_seen(static_cast<std::size_t>(shape[mode]), 0.0);
  if (cells.has_unseen()) {  // all cells less those that are missing
    std::vector<double> of_class(static_cast<std::size_t>(cells.n_classes(mode)),
                                 n_cells(shape) / static_cast<double>(shape[mode]));
    for (Index j = 0; shape.size() == 2 && j < shape[1 - mode]; ++j) {
      for (Index c = 0; c < std::ssize(of_class); ++c) {
        const Index other = cells.class_of(1 - mode, j);
        of_class[c] -= cells.is_lost(mode == 0 ? c : other, mode == 0 ? other : c) ? 1.0 : 0.0;
      }
    }
    for (Index i = 0; i < shape[mode]; ++i) n_seen[i] = of_class[cells.class_of(mode, i)];
  }
  cells.for_each([&](std::span<const Index> at, Real x, Real) {
    if (std::isnan(x)) n_seen[at[mode]] -= cells.has_unseen() ? 1.0 : 0.0;
    if (!std::isnan(x)) n_seen[at[mode]] += cells.has_unseen() ? 0.0 : 1.0;
  });
  for (double& one : n_seen) one = one > 0.0 ? 1.0 : 0.0;
  return n_seen;
}

Reals reals(const Matrix& factor) { return {factor.values().begin(), factor.values().end()}; }

Sums::Sums(const Cells& cells, const Product& model, Others others)
    : lost(zeros(model.n_components())), left(lost), weight_pull(lost), weight_curvature(lost) {
  const Index n_modes = std::ssize(cells.shape()), n_k = model.n_components();
  for (const Index size : cells.shape()) pull.push_back(zeros(size * n_k));
  curvature = pull;
  if (cells.has_unseen()) add_unseen(cells, model, others);
  Reals z(lost), taken(lost);
  cells.for_each([&](std::span<const Index> at, Real x, Real weight) {
    Real m = 0;
    for (Index k = 0; k < n_k; ++k) {
      z[k] = 1;
      for (Index n = 0; n < n_modes; ++n) z[k] *= model.at(n, at[n], k);
      taken[k] = others == Others::earlier ? m : Real{0};
      m += model.weights[k] * z[k];
    }
    for (Index k = 0; k < n_k && others == Others::all; ++k) taken[k] = m - model.weights[k] * z[k];
    const bool is_observed = !std::isnan(x);
    // A cell that add_unseen has counted as a zero: that is taken back where it is missing.
    const bool was_zero = cells.has_unseen();
    if (!is_observed && !was_zero) return;
    const Real target = is_observed ? x : 0;
    const Real count = weight * (was_zero ? (is_observed ? 0 : -1) : 1);  // of curvature
    squares += weight * target * target;
    if (is_observed) loss += weight * (x - m) * (x - m);
    if (was_zero) loss -= m * m;
    for (Index k = 0; k < n_k; ++k) {
      const Real own = model.weights[k] * z[k];
      if (is_observed) lost[k] += weight * own * (2 * (x - m) + own);
      if (is_observed) left[k] += weight * (x - taken[k]) * (x - taken[k]);
      if (was_zero) lost[k] -= own * (own - 2 * m);
      if (was_zero) left[k] -= taken[k] * taken[k];
      const Real slope = weight * target - count * taken[k];
      weight_pull[k] += slope * z[k];
      weight_curvature[k] += count * z[k] * z[k];
      for (Index n = 0; n < n_modes; ++n) {
        Real p = 1;
        for (Index o = 0; o < n_modes; ++o) p *= o == n ? Real{1} : model.at(o, at[o], k);
        pull[n][at[n] * n_k + k] += slope * p;
        curvature[n][at[n] * n_k + k] += count * p * p;
      }
    }
  });
  loss = std::max<Real>(loss, 0);
}

// All cells as zeros, by inner products of columns: those of the items of each class.
void Sums::add_unseen(const Cells& cells, const Product& model, Others others) {
  const Index n_modes = std::ssize(cells.shape()), n_k = model.n_components();
  std::vector<std::vector<Reals>> grams;  // by mode and class
  for (Index n = 0; n < n_modes; ++n) {
    grams.emplace_back(static_cast<std::size_t>(cells.n_classes(n)), zeros(n_k * n_k));
    for (Index i = 0; i < cells.shape()[n]; ++i) {
      Reals& own = grams[n][cells.class_of(n, i)];
      for (Index k = 0; k < n_k; ++k) {
        for (Index l = 0; l < n_k; ++l) own[k * n_k + l] += model.at(n, i, k) * model.at(n, i, l);
      }
    }
  }
  // What items of a class of a mode see of the other modes.
  const auto seen_by = [&](Index mode, Index of_class) {
    Reals seen = zeros(n_k * n_k);
    if (cells.n_classes(0) == 1 && cells.n_classes(1) == 1) {
      seen.assign(seen.size(), cells.is_lost(0, 0) ? 0 : 1);
      for (Index n = 0; n < n_modes; ++n) {
        for (std::size_t e = 0; e < seen.size() && n != mode; ++e) seen[e] *= grams[n][0][e];
      }
      return seen;
    }
    for (Index d = 0; d < cells.n_classes(1 - mode); ++d) {
      if (mode == 0 ? cells.is_lost(of_class, d) : cells.is_lost(d, of_class)) continue;
      for (std::size_t e = 0; e < seen.size(); ++e) seen[e] += grams[1 - mode][d][e];
    }
    return seen;
  };
  const Reals& w = model.weights;
  const auto is_taken = [&](Index l, Index k) {
    return others == Others::all ? l != k : others == Others::earlier && l < k;
  };
  for (Index n = 0; n < n_modes; ++n) {
    for (Index c = 0; c < cells.n_classes(n); ++c) {
      const Reals seen = seen_by(n, c);
      for (Index i = 0; i < cells.shape()[n]; ++i) {
        if (cells.class_of(n, i) != c) continue;
        for (Index k = 0; k < n_k; ++k) {
          for (Index l = 0; l < n_k; ++l) {
            if (is_taken(l, k))
              pull[n][i * n_k + k] -= w[l] * model.at(n, i, l) * seen[l * n_k + k];
          }
          curvature[n][i * n_k + k] += seen[k * n_k + k];
        }
      }
      for (Index k = 0; k < n_k && n == 0; ++k) {
        for (Index l = 0; l < n_k; ++l) {
          const Real both = grams[0][c][k * n_k + l] * seen[k * n_k + l];
          loss += w[k] * w[l] * both;
          lost[k] -= 2 * w[k] * w[l] * both;
          if (is_taken(l, k)) weight_pull[k] -= w[l] * both;
          if (l == k) weight_curvature[k] += both;
          if (l == k) lost[k] += w[k] * w[k] * both;
          for (Index j = 0; j < n_k; ++j) {
            if (is_taken(k, j) && is_taken(l, j)) left[j] += w[k] * w[l] * both;
          }
        }
      }
    }
  }
}

double Sums::explained() const {
  return squares > 0 ? static_cast<double>(1 - loss / squares)
                     : std::numeric_limits<double>::quiet_NaN();
}

double Sums::share_lost(Index k) const {
  return squares > 0 ? static_cast<double>(lost[k] / squares) : 0.0;
}

const std::vector<double>& used_values(const Model& model, const std::string& option) {
  for (const UsedValues& used : model.used) {
    if (used.option == option && !used.values.empty()) return used.values;
  }
  throw Error(ErrorCode::input, option, "the numbers used are missing from the result");
}

std::vector<double> used_values(const Model& model, const std::string& option, std::size_t count) {
  const std::vector<double>& used = used_values(model, option);
  if (used.size() == count) return used;
  if (std::count(used.begin(), used.end(), used[0]) != std::ssize(used))
    throw Error(ErrorCode::input, option, "the numbers used do not fit the data");
  return std::vector<double>(count, used[0]);
}

}  // namespace gingham::methods::plain
