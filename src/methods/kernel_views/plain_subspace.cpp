#include "gingham/methods/kernel_views/plain_subspace.hpp"

#include <cmath>

namespace gingham::methods::kernel_views {

using views::Real;

namespace {

Rows zeros(std::size_t rows, std::size_t cols) { return Rows(rows, std::vector<Real>(cols, 0)); }

std::size_t width(const Rows& x) { return x.empty() ? 0 : x[0].size(); }

}  // namespace

Rows plain_rows(const Matrix& x) {
  Rows rows;
  for (Index i = 0; i < x.rows(); ++i) rows.emplace_back(x.row(i).begin(), x.row(i).end());
  return rows;
}

Rows plain_transposed_product(const Rows& a, const Rows& b) {
  Rows product = zeros(width(a), width(b));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < width(a); ++k) {
      for (std::size_t l = 0; l < width(b); ++l) product[k][l] += a[i][k] * b[i][l];
    }
  }
  return product;
}

Rows plain_product(const Rows& a, const Rows& b) {
  Rows product = zeros(a.size(), width(b));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      for (std::size_t l = 0; l < width(b); ++l) product[i][l] += a[i][k] * b[k][l];
    }
  }
  return product;
}

Rows plain_product(const Triangle& a, const Rows& b) {
  Rows product = zeros(b.size(), width(b));
  for (Index i = 0; i < a.n(); ++i) {
    for (Index j = 0; j < a.n(); ++j) {
      for (std::size_t k = 0; k < width(b); ++k) product[i][k] += a.at(i, j) * b[j][k];
    }
  }
  return product;
}

Real plain_inner_product(const Rows& a, const Rows& b) {
  Real total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < width(a); ++k) total += a[i][k] * b[i][k];
  }
  return total;
}

Reals plain_product(const Triangle& a, const Reals& x) {
  Reals product(x.size(), 0);
  for (Index i = 0; i < a.n(); ++i) {
    for (Index j = 0; j < a.n(); ++j) product[i] += a.at(i, j) * x[j];
  }
  return product;
}

namespace {

Real dot(const Reals& a, const Reals& b) {
  Real total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

// x without its parts along q, twice against rounding; returns what is left of its length.
Real take_away(const std::vector<Reals>& q, Reals& x) {
  for (int pass = 0; pass < 2; ++pass) {
    for (const Reals& one : q) {
      const Real part = dot(one, x);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] -= part * one[i];
    }
  }
  return std::sqrt(dot(x, x));
}

Reals scaled(Reals x, Real factor) {
  for (Real& value : x) value *= factor;
  return x;
}

// The largest eigenvalue of the tridiagonal matrix with these diagonals, by counting how many lie
// above a number.
Real largest_of(const Reals& alpha, const Reals& beta) {
  Real low = alpha[0], high = alpha[0];
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    const Real reach = (i > 0 ? beta[i - 1] : 0) + (i + 1 < alpha.size() ? beta[i] : 0);
    low = std::max(low, alpha[i]);
    high = std::max(high, alpha[i] + reach);
  }
  for (int halving = 0; halving < 80; ++halving) {
    const Real middle = (low + high) / 2;
    bool is_above = false;  // an eigenvalue is above the middle
    Real pivot = 1;
    for (std::size_t i = 0; i < alpha.size() && !is_above; ++i) {
      pivot = middle - alpha[i] - (i > 0 ? beta[i - 1] * beta[i - 1] / pivot : 0);
      is_above = !(pivot > 0);
    }
    (is_above ? low : high) = middle;
  }
  return high;
}

}  // namespace

Real plain_largest_outside(Index n, const PlainOperator& m, const Rows& u) {
  constexpr std::size_t kSteps = 10;  // between two looks
  constexpr Real kSame = 1e-15L, kVanishes = 1e-9L;
  std::vector<Reals> q;
  for (std::size_t k = 0; k < width(u); ++k) {
    Reals column;
    for (const Reals& row : u) column.push_back(row[k]);
    const Real before = std::sqrt(dot(column, column)), left = take_away(q, column);
    if (left > kVanishes * before) q.push_back(scaled(std::move(column), 1 / left));
  }
  if (std::ssize(q) >= n) return -HUGE_VALL;
  Rng rng = Rng::named(0, "a direction outside");
  Reals x(static_cast<std::size_t>(n)), alpha, beta;
  for (Real& value : x) value = rng.normal();
  Real length = take_away(q, x), largest = -HUGE_VALL, size = 0;
  while (length > kSame * size && std::ssize(q) < n) {
    q.push_back(scaled(std::move(x), 1 / length));
    x = m(q.back());
    alpha.push_back(dot(q.back(), x));
    size = std::max(size, std::sqrt(dot(x, x)));
    if (alpha.size() % kSteps == 0) {
      const Real found = largest_of(alpha, beta);
      if (found - largest <= kSame * size) return found;
      largest = found;
    }
    length = take_away(q, x);
    beta.push_back(length);
  }
  return largest_of(alpha, beta);
}

Real plain_off_orthonormal(const Rows& u) {
  const Rows gram = plain_transposed_product(u, u);
  Real off = 0;
  for (std::size_t k = 0; k < gram.size(); ++k) {
    for (std::size_t l = 0; l < gram.size(); ++l) off += std::pow(gram[k][l] - (k == l ? 1 : 0), 2);
  }
  return std::sqrt(off);
}

Real plain_subspace_gap(const Rows& u, const Rows& mu, const PlainOperator& m, Real bound) {
  const Rows inside = plain_transposed_product(u, mu), back = plain_product(u, inside);
  Real squares = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    for (std::size_t k = 0; k < width(u); ++k) squares += std::pow(mu[i][k] - back[i][k], 2);
  }
  const PlainOperator minus = [&](const Reals& x) {
    Reals y(x.size(), 0);
    for (std::size_t k = 0; k < x.size(); ++k) {
      for (std::size_t l = 0; l < x.size(); ++l) y[k] -= (inside[k][l] + inside[l][k]) / 2 * x[l];
    }
    return y;
  };
  const Real least = -plain_largest_outside(static_cast<Index>(inside.size()), minus, {});
  const Real gain = plain_largest_outside(static_cast<Index>(u.size()), m, u) - least;
  return std::max({std::sqrt(squares) / bound, gain / bound, plain_off_orthonormal(u)});
}

}  // namespace gingham::methods::kernel_views
