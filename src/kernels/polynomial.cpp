#include "gingham/kernels/polynomial.hpp"

#include <algorithm>
#include <cmath>

namespace gingham::polynomial {

double value(const Coefficients& p, double s) {
  double sum = 0.0;
  for (std::size_t i = p.size(); i-- > 0;) sum = sum * s + p[i];
  return sum;
}

Coefficients derivative(const Coefficients& p) {
  Coefficients d;
  for (std::size_t i = 1; i < p.size(); ++i) d.push_back(static_cast<double>(i) * p[i]);
  return d;
}

Coefficients product(const Coefficients& p, const Coefficients& q) {
  if (p.empty() || q.empty()) return {};
  Coefficients result(p.size() + q.size() - 1, 0.0);
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < q.size(); ++j) result[i + j] += p[i] * q[j];
  }
  return result;
}

void add(double factor, const Coefficients& p, Coefficients& sum) {
  if (sum.size() < p.size()) sum.resize(p.size(), 0.0);
  for (std::size_t i = 0; i < p.size(); ++i) sum[i] += factor * p[i];
}

std::vector<Coefficients> lagrange(ConstVec places) {
  std::vector<Coefficients> basis;
  for (std::size_t j = 0; j < places.size(); ++j) {
    Coefficients one{1.0};
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (i == j) continue;
      const double distance = places[j] - places[i];
      one = product(one, {-places[i] / distance, 1.0 / distance});
    }
    basis.push_back(std::move(one));
  }
  return basis;
}

Coefficients through(ConstVec places, ConstVec values) {
  Coefficients p;
  const std::vector<Coefficients> basis = lagrange(places);
  for (std::size_t j = 0; j < basis.size(); ++j) add(values[j], basis[j], p);
  return p;
}

namespace {

// The root between two places where p has different signs.
double bisect(const Coefficients& p, double low, double high) {
  const bool rises = value(p, low) < value(p, high);
  for (int step = 0; step < 200; ++step) {
    const double middle = low + 0.5 * (high - low);
    if (middle <= low || middle >= high) break;
    const double here = value(p, middle);
    if (here == 0.0) return middle;
    (here < 0.0) == rises ? low = middle : high = middle;
  }
  return low + 0.5 * (high - low);
}

}  // namespace

std::vector<double> roots(const Coefficients& p, double low, double high) {
  Coefficients trimmed = p;
  while (!trimmed.empty() && trimmed.back() == 0.0) trimmed.pop_back();
  if (trimmed.size() < 2) return {};
  std::vector<double> cuts{low};
  for (const double turn : roots(derivative(trimmed), low, high)) cuts.push_back(turn);
  cuts.push_back(high);
  std::vector<double> found;
  const auto keep = [&](double root) {
    if (found.empty() || root > found.back()) found.push_back(root);
  };
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const double left = value(trimmed, cuts[i]), right = value(trimmed, cuts[i + 1]);
    if (left == 0.0) keep(cuts[i]);
    if ((left < 0.0 && right > 0.0) || (left > 0.0 && right < 0.0)) {
      keep(bisect(trimmed, cuts[i], cuts[i + 1]));
    }
    if (right == 0.0) keep(cuts[i + 1]);
  }
  return found;
}

double least(const Coefficients& p, double low, double high) {
  std::vector<double> places = roots(derivative(p), low, high);
  places.push_back(high);
  double best = low, best_value = value(p, low);
  for (const double place : places) {
    const double here = value(p, place);
    if (here < best_value) {
      best = place;
      best_value = here;
    }
  }
  return best;
}

}  // namespace gingham::polynomial
