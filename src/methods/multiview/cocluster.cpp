#include "gingham/methods/multiview/cocluster.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gingham/penalties/members/top.hpp"

namespace gingham::methods::multiview {
namespace {

// (2 b z - b^2 norm) - (2 a z - a^2 norm) for the best b: what a falls short of.
double short_of(double a, double best, double z, double norm) {
  return norm > 0.0 ? norm * (a - best) * (a + best - 2.0 * (z / norm)) : 0.0;
}

}  // namespace

std::vector<double> weigh_rows(std::vector<View>& views) {
  std::vector<double> seen(static_cast<std::size_t>(views.front().rows()), 0.0);
  double all = 0.0;
  for (const View& view : views) {
    const std::vector<std::uint8_t> here = view.seen_rows();
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] += here[i] != 0 ? view.weight() : 0.0;
    all += view.weight();
  }
  bool is_complete = true;
  for (double& one : seen) {
    is_complete = is_complete && one == all;
    one = one > 0.0 ? std::sqrt(all / one) : 1.0;
  }
  for (View& view : views) {
    if (!is_complete) view.scale_rows(seen);
  }
  return seen;
}

double best_factor(double z, double norm, bool one_sign) {
  if (!(norm > 0.0)) return 0.0;
  return (one_sign ? std::max(z, 0.0) : z) / norm;
}

void keep_largest(Index count, std::vector<double>& x) {
  std::vector<double> magnitude(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) magnitude[j] = std::abs(x[j]);
  const std::vector<std::uint8_t> kept = largest_gains(magnitude, count);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = kept[j] != 0 ? x[j] : 0.0;
}

double exchange(double come, double go) {
  constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
  const double more = come - go;
  return more > kRounding * (come + go) ? more : 0.0;
}

double total(const Explained& explained) {
  return std::accumulate(explained.begin(), explained.end(), 0.0);
}

std::vector<double> CoCluster::left(std::size_t view) const {
  std::vector<double> left(omega.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = omega[i] * u[view][i];
  return left;
}

std::vector<Products> Fitter::row_products(const CoCluster& c) const {
  std::vector<Products> z;
  for (std::size_t k = 0; k < views_.size(); ++k) z.push_back(views_[k].row_products(c.v[k]));
  return z;
}

std::vector<double> Fitter::gains(const std::vector<Products>& z, const Limits& limits) const {
  std::vector<double> gains(limits.available.size(), 0.0);
  for (std::size_t k = 0; k < views_.size(); ++k) {
    for (std::size_t i = 0; i < gains.size(); ++i) {
      if (limits.available[i] == 0) continue;
      const double value = z[k].values[i];
      const double u = best_factor(value, z[k].norms[i], limits.one_sign);
      gains[i] += views_[k].weight() * u * value;
    }
  }
  return gains;
}

Explained Fitter::shortfall(const std::vector<Products>& z, const Limits& limits,
                            const CoCluster& c) const {
  Explained missed(views_.size(), 0.0);
  for (std::size_t k = 0; k < views_.size(); ++k) {
    for (std::size_t i = 0; i < c.omega.size(); ++i) {
      if (c.omega[i] == 0.0) continue;
      const double value = z[k].values[i], norm = z[k].norms[i];
      const double best = best_factor(value, norm, limits.one_sign);
      missed[k] += views_[k].weight() * short_of(c.omega[i] * c.u[k][i], best, value, norm);
    }
  }
  return missed;
}

Explained Fitter::take_rows(const std::vector<Products>& z, const std::vector<std::uint8_t>& chosen,
                            const Limits& limits, CoCluster& c) const {
  Explained explained(views_.size(), 0.0);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    c.omega[i] = chosen[i] != 0 ? 1.0 : 0.0;
    for (std::size_t k = 0; k < views_.size(); ++k) {
      const double value = z[k].values[i];
      c.u[k][i] = chosen[i] != 0 ? best_factor(value, z[k].norms[i], limits.one_sign) : 0.0;
      explained[k] += views_[k].weight() * c.u[k][i] * value;
    }
  }
  return explained;
}

Step Fitter::choose_rows(const std::vector<Products>& z, const Limits& limits, CoCluster& c,
                         double stay) const {
  const std::vector<double> gain = gains(z, limits);
  std::vector<double> rank = gain;
  for (std::size_t i = 0; i < rank.size(); ++i) rank[i] *= c.omega[i] != 0.0 ? stay : 1.0;
  const std::vector<std::uint8_t> chosen = largest_gains(rank, limits.rows);
  double come = 0.0, go = 0.0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const bool was_in = c.omega[i] != 0.0, is_in = chosen[i] != 0;
    if (was_in && !is_in) go += gain[i];
    if (is_in && !was_in) come += gain[i];
  }
  Explained gained = shortfall(z, limits, c);
  return {take_rows(z, chosen, limits, c), std::move(gained), exchange(come, go)};
}

void Fitter::fit_rows(const Limits& limits, CoCluster& c) const {
  std::vector<std::uint8_t> chosen(c.omega.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = c.omega[i] != 0.0 ? 1 : 0;
  take_rows(row_products(c), chosen, limits, c);
}

Step Fitter::choose_columns(const Limits& limits, CoCluster& c, double stay) const {
  Step step{Explained(views_.size(), 0.0), Explained(views_.size(), 0.0)};
  for (std::size_t k = 0; k < views_.size(); ++k) {
    const double weight = views_[k].weight();
    const Products y = views_[k].column_products(c.left(k));
    std::vector<double> decrease(y.values.size()), rank(y.values.size());
    for (std::size_t j = 0; j < decrease.size(); ++j) {
      decrease[j] = best_factor(y.values[j], y.norms[j], false) * y.values[j];
      rank[j] = (c.v[k][j] != 0.0 ? stay : 1.0) * decrease[j];
    }
    const std::vector<std::uint8_t> chosen = largest_gains(rank, limits.columns[k]);
    double come = 0.0, go = 0.0;
    for (std::size_t j = 0; j < decrease.size(); ++j) {
      const double value = y.values[j], norm = y.norms[j], best = best_factor(value, norm, false);
      const bool was_in = c.v[k][j] != 0.0, is_in = chosen[j] != 0;
      if (was_in) step.gained[k] += weight * short_of(c.v[k][j], best, value, norm);
      if (was_in && !is_in) go += weight * decrease[j];
      if (is_in && !was_in) come += weight * decrease[j];
      c.v[k][j] = is_in ? best : 0.0;
      if (is_in) step.explained[k] += weight * decrease[j];
    }
    step.gained[k] += exchange(come, go);
  }
  return step;
}

Explained Fitter::explained(const CoCluster& c) const {
  const std::vector<Products> z = row_products(c);
  Explained explained(views_.size(), 0.0);
  for (std::size_t k = 0; k < views_.size(); ++k) {
    for (std::size_t i = 0; i < c.omega.size(); ++i) {
      const double a = c.omega[i] * c.u[k][i];
      if (a != 0.0) explained[k] += a * (2.0 * z[k].values[i] - a * z[k].norms[i]);
    }
    explained[k] *= views_[k].weight();
  }
  return explained;
}

}  // namespace gingham::methods::multiview
