#include "gingham/kernels/polynomial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gingham/base/rng.hpp"

namespace gingham::polynomial {
namespace {

long double naive_value(const Coefficients& p, double s) {
  long double sum = 0, power = 1;
  for (const double c : p) {
    sum += c * power;
    power *= s;
  }
  return sum;
}

// The sum of the magnitudes: what rounding is relative to.
double size_at(const Coefficients& p, double s) {
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    sum += std::abs(p[i]) * std::pow(std::abs(s), static_cast<double>(i));
  }
  return sum;
}

Coefficients random_polynomial(Rng& rng, Index degree) {
  Coefficients p;
  for (Index i = 0; i <= degree; ++i) p.push_back(rng.normal());
  return p;
}

Coefficients from_roots(const std::vector<double>& roots, double factor) {
  Coefficients p{factor};
  for (const double root : roots) p = product(p, {-root, 1.0});
  return p;
}

TEST(Polynomial, ValuesProductsAndSumsAreThoseOfPlainLoops) {
  Rng rng = Rng::named(1, "polynomials");
  for (int trial = 0; trial < 300; ++trial) {
    const Coefficients p = random_polynomial(rng, rng.below(12)),
                       q = random_polynomial(rng, rng.below(12));
    const double s = 2.0 * rng.normal(), factor = rng.normal();
    const double scale = 1e-14 * (1.0 + size_at(p, s)) * (1.0 + size_at(q, s));
    EXPECT_NEAR(value(p, s), static_cast<double>(naive_value(p, s)), scale);
    EXPECT_NEAR(value(product(p, q), s), static_cast<double>(naive_value(p, s) * naive_value(q, s)),
                scale);
    EXPECT_EQ(product(p, q).size(), p.size() + q.size() - 1);
    Coefficients sum = q;
    add(factor, p, sum);
    EXPECT_NEAR(value(sum, s), static_cast<double>(factor * naive_value(p, s) + naive_value(q, s)),
                (1.0 + std::abs(factor)) * scale);
    const double step = 1e-4;
    const auto slope =
        static_cast<double>((naive_value(p, s + step) - naive_value(p, s - step)) / (2.0L * step));
    EXPECT_NEAR(value(derivative(p), s), slope, 1e-4 * (1.0 + size_at(p, std::abs(s) + 1.0)));
  }
}

TEST(Polynomial, WithoutCoefficientsIsZero) {
  const Coefficients nothing;
  EXPECT_EQ(value(nothing, 3.0), 0.0);
  EXPECT_TRUE(derivative(nothing).empty());
  EXPECT_TRUE(product(nothing, {1.0, 2.0}).empty());
  EXPECT_TRUE(product({1.0, 2.0}, nothing).empty());
  EXPECT_TRUE(roots(nothing, -1.0, 1.0).empty());
  EXPECT_EQ(least(nothing, -1.0, 1.0), -1.0);
  EXPECT_TRUE(through({}, {}).empty());
  Coefficients sum;
  add(2.0, {1.0, 3.0}, sum);
  EXPECT_EQ(sum, (Coefficients{2.0, 6.0}));
}

TEST(Polynomial, ThroughPointsTakesTheirValues) {
  Rng rng = Rng::named(2, "points");
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> places, values;
    for (Index i = 1 + rng.below(9); i > 0; --i) {
      places.push_back(static_cast<double>(i) - 3.0 + 0.5 * rng.uniform());
      values.push_back(rng.normal());
    }
    const Coefficients p = through(places, values);
    EXPECT_EQ(p.size(), places.size());
    const std::vector<Coefficients> basis = lagrange(places);
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_NEAR(value(p, places[i]), values[i], 1e-13 * (1.0 + size_at(p, places[i])));
      for (std::size_t j = 0; j < places.size(); ++j) {
        EXPECT_NEAR(value(basis[j], places[i]), i == j ? 1.0 : 0.0,
                    1e-13 * (1.0 + size_at(basis[j], places[i])));
      }
    }
  }
}

TEST(Polynomial, ThroughItsOwnValuesIsItself) {
  Rng rng = Rng::named(3, "own values");
  for (Index degree = 0; degree <= 10; ++degree) {
    const Coefficients p = random_polynomial(rng, degree);
    std::vector<double> places, values;
    for (Index i = 0; i <= degree; ++i) {
      places.push_back(static_cast<double>(i) - 1.0);
      values.push_back(value(p, places.back()));
    }
    const Coefficients found = through(places, values);
    const double reach = static_cast<double>(degree) + 1.0;
    for (double s = -1.0; s <= reach; s += 0.37) {
      EXPECT_NEAR(value(found, s), value(p, s), 1e-11 * size_at(p, reach));
    }
  }
}

TEST(Polynomial, FindsEveryRootThatWasPutIn) {
  Rng rng = Rng::named(4, "roots");
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> planted;  // at least 0.2 apart
    for (double at = rng.uniform(-3.0, -2.0); at < 3.0 && planted.size() < 8;
         at += 0.2 + rng.uniform(0.0, 1.5)) {
      planted.push_back(at);
    }
    const Coefficients p = from_roots(planted, rng.uniform() < 0.5 ? 2.0 : -1e-6);
    const double low = rng.uniform(-3.0, 0.0), high = rng.uniform(0.0, 3.0);
    std::vector<double> inside;
    for (const double root : planted) {
      if (root > low && root < high) inside.push_back(root);
    }
    const std::vector<double> found = roots(p, low, high);
    ASSERT_EQ(found.size(), inside.size()) << "trial " << trial;
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], inside[i], 1e-7);
  }
}

TEST(Polynomial, RootsOfUnusualPolynomials) {
  EXPECT_TRUE(roots({5.0}, -1.0, 1.0).empty());
  EXPECT_TRUE(roots({0.0, 0.0, 0.0}, -1.0, 1.0).empty());
  EXPECT_TRUE(roots({1.0, 0.0, 1.0}, -9.0, 9.0).empty());
  // Leading zeros do not count.
  EXPECT_EQ(roots({-1.0, 2.0, 0.0, 0.0}, -1.0, 1.0), (std::vector<double>{0.5}));
  // At either end, and each once though a turning point lies there as well.
  EXPECT_EQ(roots({0.0, 1.0}, 0.0, 1.0), (std::vector<double>{0.0}));
  EXPECT_EQ(roots({-1.0, 1.0}, 0.0, 1.0), (std::vector<double>{1.0}));
  EXPECT_EQ(roots({0.0, 0.0, 1.0}, -1.0, 1.0), (std::vector<double>{0.0}));
  EXPECT_EQ(roots({0.0, 0.0, 1.0}, 0.0, 1.0), (std::vector<double>{0.0}));
  EXPECT_EQ(roots({0.0, 0.0, 0.0, 1.0}, -1.0, 1.0), (std::vector<double>{0.0}));
  // An interval of one point.
  EXPECT_EQ(roots({-1.0, 1.0}, 1.0, 1.0), (std::vector<double>{1.0}));
  // A double root away from where arithmetic is exact may be missed, or found as a pair; nothing
  // else is found.
  for (const double root : roots(from_roots({0.3, 0.3, 1.7}, 1.0), -1.0, 3.0)) {
    EXPECT_LT(std::min(std::abs(root - 0.3), std::abs(root - 1.7)), 1e-6);
  }
}

TEST(Polynomial, LeastIsNoHigherThanAnyPointOfAFineGrid) {
  Rng rng = Rng::named(5, "least");
  for (int trial = 0; trial < 300; ++trial) {
    Coefficients p = random_polynomial(rng, rng.below(11));
    if (trial % 3 == 0) p = product(p, p);  // touches zero
    if (trial % 5 == 0) p.back() = 0.0;
    const double low = rng.uniform(-2.0, 1.0), high = low + rng.uniform(0.0, 2.0);
    const double found = least(p, low, high);
    ASSERT_GE(found, low);
    ASSERT_LE(found, high);
    for (int i = 0; i <= 400; ++i) {
      const double s = std::min(low + (high - low) * i / 400.0, high);
      EXPECT_LE(value(p, found), value(p, s) + 1e-12 * (1.0 + size_at(p, s)));
    }
  }
}

TEST(Polynomial, LeastOfConstantsAndTies) {
  EXPECT_EQ(least({7.0}, 2.0, 5.0), 2.0);
  EXPECT_EQ(least({7.0, 0.0, 0.0}, 2.0, 5.0), 2.0);
  EXPECT_EQ(least({0.0, 1.0}, 2.0, 5.0), 2.0);
  EXPECT_EQ(least({0.0, -1.0}, 2.0, 5.0), 5.0);
  EXPECT_EQ(least({0.0, 0.0, -1.0}, -1.0, 1.0), -1.0);  // both ends are equal: the lower place
  EXPECT_NEAR(least({0.0, 0.0, 1.0}, -1.0, 2.0), 0.0, 1e-15);
}

}  // namespace
}  // namespace gingham::polynomial
