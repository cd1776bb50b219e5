#include "gingham/methods/multiview/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/methods/multiview/settings.hpp"
#include "gingham/methods/multiview/transform_view.hpp"
#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::multiview {
namespace {

constexpr double kSlack = 1e-9;  // relative: sums of a row in another order than the fit's

struct Fitted {
  std::vector<FittedView> views;
  std::vector<double> least;  // gain of a member, per co-cluster; 0 where it has none
  double all_weights = 0.0;
  bool one_sign = true;
  bool is_refined = false;
  bool deflates = false;

  Index rank() const { return std::ssize(least); }
  double positive(double z) const { return one_sign ? std::max(z, 0.0) : z; }
};

Fitted fitted_part(const Dataset& fresh, const Options& options, const Model& model) {
  const Index rank = std::ssize(model.components);
  const views::Scale scale = views::scale_of(options);
  Fitted fit;
  fit.least = find_vector(model, "least_gain", rank);
  fit.one_sign = has_one_sign(options);
  fit.deflates = options.text("next") == "deflate";
  for (const NamedValue& one : model.measures) {
    if (one.name == "refined") fit.is_refined = one.value == 1.0;
  }
  for (Index k = 0; k < fresh.size(); ++k) {
    const Index columns = fresh.block(k).shape()[1];
    const auto values = [&](const char* name) {
      return find_vector(model, fmt::format("{}_{}", name, k), columns);
    };
    fit.views.emplace_back(
        fresh.block(k), find_matrix(model, fmt::format("v_{}", k), columns, rank), values("center"),
        values("scale"), weight_of(options, static_cast<std::size_t>(k)),
        scale == views::Scale::rows);
    fit.all_weights += fit.views.back().weight();
  }
  return fit;
}

// One new row and its sums in every view.
class NewRow {
 public:
  NewRow(const Fitted& fit, Index row, std::vector<RowSums>& sums)
      : fit_(fit), row_(row), sums_(sums) {
    double seen = 0.0;
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      fit_.views[k].sums_of(row_, sums_[k]);
      if (sums_[k].has_some) seen += fit_.views[k].weight();
    }
    rho_ = seen > 0.0 ? fit_.all_weights / seen : 0.0;
  }

  double rho() const { return rho_; }  // 0 where nothing was observed

  double gain(Index c) const {
    double total = 0.0;
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      if (!(sums_[k].norm[c] > 0.0)) continue;
      const double z = fit_.positive(sums_[k].z[c]);
      total += fit_.views[k].weight() * z * z / sums_[k].norm[c];
    }
    return rho_ * total;
  }
  bool reaches(Index c) const {
    const double own = gain(c);
    return own > 0.0 && fit_.least[c] > 0.0 && own >= fit_.least[c] * (1.0 - kSlack);
  }
  double level(std::size_t view, Index c) const {
    const RowSums& sums = sums_[view];
    return sums.norm[c] > 0.0 ? fit_.positive(sums.z[c]) / sums.norm[c] : 0.0;
  }
  // From here on what is left of the row without u_c v_c.
  void subtract(Index c) {
    for (std::size_t k = 0; k < sums_.size(); ++k) {
      if (const double u = level(k, c); u != 0.0) fit_.views[k].subtract(row_, c, u, sums_[k]);
    }
  }
  double loss() const {
    double total = 0.0;
    for (std::size_t k = 0; k < sums_.size(); ++k)
      total += fit_.views[k].weight() * sums_[k].squares;
    return rho_ * total;
  }

 private:
  const Fitted& fit_;
  Index row_;
  std::vector<RowSums>& sums_;
  double rho_ = 0.0;
};

// The one co-cluster of a row, -1 for none.
Index only_cluster(const Fitted& fit, const NewRow& row) {
  Index best = -1;
  double most = 0.0;
  for (Index c = 0; c < fit.rank(); ++c) {
    if (!fit.is_refined) {
      if (row.reaches(c)) return c;
      continue;
    }
    const double gain = row.gain(c);
    if (!(gain > most)) continue;
    most = gain;
    best = c;
  }
  return best;
}

struct Found {
  Matrix omega;
  Matrix strength;  // sqrt(rho sum_k w_k |v_c|^2 u_c^2), as the fit's
  std::vector<Matrix> u;
};

void join(const Fitted& fit, Index i, Index c, NewRow& row, Found& found) {
  double squares = 0.0;
  for (std::size_t k = 0; k < fit.views.size(); ++k) {
    const double u = row.level(k, c);
    found.u[k](i, c) = u;
    squares += fit.views[k].weight() * fit.views[k].square(c) * u * u;
  }
  found.omega(i, c) = 1.0;
  found.strength(i, c) = std::sqrt(row.rho() * squares);
  row.subtract(c);
}

std::vector<std::string> notes_on(const Matrix& omega, Index n_unseen) {
  std::vector<std::string> notes;
  if (n_unseen > 0)
    notes.push_back(
        fmt::format("{} new rows have no observed value; they belong to nothing", n_unseen));
  Index n_outside = 0;
  for (Index i = 0; i < omega.rows(); ++i) {
    const ConstVec row = omega.row(i);
    n_outside += std::all_of(row.begin(), row.end(), [](double a) { return a == 0.0; }) ? 1 : 0;
  }
  if (n_outside > n_unseen)
    notes.push_back(fmt::format("{} of {} new rows are in no co-cluster", n_outside, omega.rows()));
  return notes;
}

}  // namespace

Transformed transform(const Dataset& fresh, const Options& options, const Model& fitted, Index mode,
                      Context& ctx) {
  if (mode != 0)
    throw Error(ErrorCode::usage, "multiview",
                "groups rows; there is nothing to say about new columns");
  const Fitted fit = fitted_part(fresh, options, fitted);
  const Index n = fresh.block(0).shape()[0], rank = fit.rank();
  Found found{.omega = Matrix(n, rank), .strength = Matrix(n, rank), .u = {}};
  Index row_work = 0;
  for (const FittedView& view : fit.views) {
    found.u.emplace_back(n, rank);
    row_work += view.row_work();
  }
  const Partition blocks = Partition::even(n, row_work);
  double totals[2] = {};  // the loss, and rows without an observed cell
  sum_blocks(ctx.executor(), blocks.count(), std::span<double>(totals), [&](Index block, Vec part) {
    std::vector<RowSums> sums(fit.views.size());
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      NewRow row(fit, i, sums);
      if (!fit.deflates) {
        if (const Index c = only_cluster(fit, row); c >= 0) join(fit, i, c, row, found);
      }
      for (Index c = 0; fit.deflates && c < rank; ++c) {
        if (row.reaches(c)) join(fit, i, c, row, found);
      }
      part[0] += row.loss();
      part[1] += row.rho() > 0.0 ? 0.0 : 1.0;
    }
  });
  Transformed result;
  result.terms.loss = totals[0];
  result.terms.gaps = {{"rows", 0.0}};  // each row's own choice is exact
  result.memberships = {membership_of("rows", std::nullopt, found.strength)};
  result.notes = notes_on(found.omega, static_cast<Index>(totals[1]));
  result.arrays.push_back({"omega", std::move(found.omega)});
  for (std::size_t k = 0; k < found.u.size(); ++k)
    result.arrays.push_back({fmt::format("u_{}", k), std::move(found.u[k])});
  return result;
}

}  // namespace gingham::methods::multiview
