#include "gingham/kernels/lasso.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/support.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using Wide = std::vector<long double>;

Atoms<double> packed(const Matrix& d) {
  Atoms<double> atoms(d.rows(), d.cols());
  for (Index j = 0; j < d.rows(); ++j) std::copy(d.row(j).begin(), d.row(j).end(), atoms.row(j));
  ThreadPool pool(1);
  atoms.refresh(pool);
  return atoms;
}

std::vector<LassoCode> solved(const Matrix& d, const Matrix& x, const LassoSettings& settings) {
  const Atoms<double> atoms = packed(d);
  LassoTile tile(atoms, settings);
  std::vector<LassoCode> codes(static_cast<std::size_t>(x.rows()));
  tile.solve(x.data(), x.cols(), x.rows(), codes.data());
  return codes;
}

Wide dense_code(const LassoCode& code, Index m) {
  Wide z(static_cast<std::size_t>(m));
  for (std::size_t i = 0; i < code.atoms.size(); ++i) z[code.atoms[i]] = code.values[i];
  return z;
}

long double dot_of(ConstVec d, const Wide& r) {
  long double sum = 0;
  for (std::size_t i = 0; i < r.size(); ++i) sum += r[i] * d[i];
  return sum;
}

Wide residual_of(const Matrix& d, ConstVec x, const Wide& z) {
  Wide r(x.begin(), x.end());
  for (Index j = 0; j < d.rows(); ++j) {
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= z[j] * d(j, static_cast<Index>(i));
  }
  return r;
}

struct Measures {
  long double objective = 0, gap = 0, largest = 0;
};

// By the definitions, in long double.
Measures measure(const Matrix& d, ConstVec x, const Wide& z, double lambda) {
  const Wide r = residual_of(d, x, z);
  long double rr = 0, l1 = 0;
  for (const long double value : r) rr += value * value;
  for (const long double value : z) l1 += std::fabs(value);
  Measures found;
  for (Index j = 0; j < d.rows(); ++j)
    found.largest = std::max(found.largest, std::fabs(dot_of(d.row(j), r)));
  found.objective = rr / 2 + lambda * l1;
  const long double xr = dot_of(x, r);
  const long double limit = found.largest > 0 ? lambda / found.largest : HUGE_VALL;
  const long double s = rr > 0 ? std::clamp(xr / rr, -limit, limit) : 0;
  found.gap = found.objective - s * xr + s * s * rr / 2;
  return found;
}

// Coordinate descent until nothing moves.
Wide naive(const Matrix& d, ConstVec x, double lambda, int passes = 100000) {
  Wide z(static_cast<std::size_t>(d.rows())), r(x.begin(), x.end()), squares(z.size());
  long double size = 0;
  for (const double value : x) size = std::max<long double>(size, std::fabs(value));
  for (Index j = 0; j < d.rows(); ++j) {
    for (const double value : d.row(j)) squares[j] += static_cast<long double>(value) * value;
  }
  for (int pass = 0; pass < passes; ++pass) {
    long double moved = 0;
    for (Index j = 0; j < d.rows(); ++j) {
      if (squares[j] == 0) continue;
      const long double pull = dot_of(d.row(j), r) + squares[j] * z[j];
      const long double fresh =
          std::copysign(std::max(std::fabs(pull) - lambda, 0.0L), pull) / squares[j];
      if (fresh == z[j]) continue;
      moved = std::max(moved, std::fabs(fresh - z[j]) * std::sqrt(squares[j]));
      for (std::size_t i = 0; i < r.size(); ++i)
        r[i] -= (fresh - z[j]) * d(j, static_cast<Index>(i));
      z[j] = fresh;
    }
    if (moved <= 1e-16L * size) break;
  }
  return z;
}

// Atoms in the unit ball. Kinds: plain, duplicate atoms, zero atoms, nearly the same atoms, very
// different lengths, atoms along the axes.
constexpr int kKinds = 6;
Matrix random_atoms(Index m, Index p, int kind, Rng& rng) {
  Matrix d = test::random_matrix(m, p, rng);
  for (Index j = 0; j < m; ++j) {
    const bool is_chosen = rng.below(3) == 0;
    const Index from = rng.below(m);
    for (Index i = 0; i < p; ++i) {
      if (kind == 1 && is_chosen) d(j, i) = d(from, i) * (j % 2 == 0 ? 1.0 : -1.0);
      if (kind == 3 && is_chosen) d(j, i) = d(from, i) + 1e-7 * rng.normal();
      if (kind == 5) d(j, i) = i == j % p ? 1.0 : 0.0;
    }
    long double square = 0;
    for (const double value : d.row(j)) square += static_cast<long double>(value) * value;
    double factor = square > 0 ? static_cast<double>(1 / std::sqrt(square)) : 0.0;
    if (kind == 2 && is_chosen) factor = 0.0;
    if (kind == 4) factor *= std::pow(10.0, rng.uniform(-8.0, 0.0));
    for (double& value : d.row(j)) value *= factor;
  }
  return d;
}

Matrix random_samples(Index n, const Matrix& d, Rng& rng) {
  Matrix x = test::random_matrix(n, d.cols(), rng);
  for (Index i = 0; i < n; ++i) {
    const double noise = i % 3 == 0 ? 0.0 : 0.1;
    for (double& value : x.row(i)) value *= noise;
    for (int k = 0; k < 3; ++k) {
      const Index j = rng.below(d.rows());
      const double factor = rng.normal();
      for (Index c = 0; c < d.cols(); ++c) x(i, c) += factor * d(j, c);
    }
    if (rng.below(15) == 0) std::fill(x.row(i).begin(), x.row(i).end(), 0.0);
  }
  return x;
}

double half_square(ConstVec x) {
  long double sum = 0;
  for (const double value : x) sum += static_cast<long double>(value) * value;
  return static_cast<double>(sum / 2);
}

// What the code says of itself is so.
void expect_honest(const Matrix& d, ConstVec x, const LassoCode& code,
                   const LassoSettings& settings) {
  const double scale = half_square(x);
  const Wide z = dense_code(code, d.rows());
  const Measures found = measure(d, x, z, settings.lambda);
  const double rounding = 1e-13 * scale;
  EXPECT_NEAR(code.scale, scale, rounding);
  EXPECT_NEAR(code.loss + settings.lambda * code.l1, static_cast<double>(found.objective),
              rounding);
  // With a working set the gap is a bound on that of the definition.
  EXPECT_GE(code.gap, static_cast<double>(found.gap) - rounding);
  EXPECT_GE(code.start_gap, code.gap * (1 - 1e-9) - rounding);
  EXPECT_EQ(code.converged, code.gap <= settings.tolerance * code.scale);
  EXPECT_TRUE(std::is_sorted(code.atoms.begin(), code.atoms.end()));
  EXPECT_EQ(std::adjacent_find(code.atoms.begin(), code.atoms.end()), code.atoms.end());
  EXPECT_EQ(std::count(code.values.begin(), code.values.end(), 0.0), 0);
  for (const std::int32_t atom : code.atoms) EXPECT_GT(half_square(d.row(atom)), 0.0);
}

TEST(Lasso, AgreesWithCoordinateDescentInLongDouble) {
  Rng rng = Rng::named(1, "lasso");
  const std::vector<std::pair<Index, Index>> shapes{{1, 1},  {1, 7},  {5, 1},  {12, 8},
                                                    {8, 12}, {40, 9}, {30, 30}};
  for (int trial = 0; trial < 6 * kKinds; ++trial) {
    for (const auto& [m, p] : shapes) {
      const Matrix d = random_atoms(m, p, trial % kKinds, rng);
      const Matrix x = random_samples(6, d, rng);
      const LassoSettings settings{.lambda = std::pow(10.0, rng.uniform(-2.5, 0.5))};
      SCOPED_TRACE(testing::Message() << m << " x " << p << ", kind " << trial % kKinds
                                      << ", lambda " << settings.lambda);
      const std::vector<LassoCode> codes = solved(d, x, settings);
      for (Index i = 0; i < x.rows(); ++i) {
        const double scale = half_square(x.row(i));
        expect_honest(d, x.row(i), codes[i], settings);
        EXPECT_TRUE(codes[i].converged) << codes[i].gap / scale;
        const Wide best = naive(d, x.row(i), settings.lambda, 20000);
        const Wide found = dense_code(codes[i], m);
        const Measures ours = measure(d, x.row(i), found, settings.lambda);
        const Measures theirs = measure(d, x.row(i), best, settings.lambda);
        EXPECT_LE(ours.objective, theirs.objective + 1e-6 * scale);
        EXPECT_GE(ours.objective, theirs.objective - theirs.gap - 1e-13 * scale);
        // |Dz - Dz*|^2 / 2 <= objective - best: the loss is strongly convex in Dz.
        const Wide a = residual_of(d, x.row(i), found), b = residual_of(d, x.row(i), best);
        long double distance = 0;
        for (std::size_t k = 0; k < a.size(); ++k) distance += (a[k] - b[k]) * (a[k] - b[k]);
        EXPECT_LE(distance / 2, 4 * (1e-6 * scale + theirs.gap));
      }
    }
  }
}

TEST(Lasso, MeetsTheOptimalityConditionsToRounding) {
  Rng rng = Rng::named(2, "lasso");
  for (int trial = 0; trial < 40; ++trial) {
    const Index p = 5 + rng.below(40), m = 1 + rng.below(150);
    const Matrix d = random_atoms(m, p, 0, rng);
    const Matrix x = random_samples(8, d, rng);
    const LassoSettings settings{.lambda = rng.uniform(0.02, 0.5), .tolerance = 1e-12};
    const std::vector<LassoCode> codes = solved(d, x, settings);
    for (Index i = 0; i < x.rows(); ++i) {
      EXPECT_TRUE(codes[i].converged) << codes[i].gap / codes[i].scale;
      const Wide z = dense_code(codes[i], m), r = residual_of(d, x.row(i), z);
      const double slack = 1e-5 * settings.lambda;
      for (Index j = 0; j < m; ++j) {
        const auto g = static_cast<double>(dot_of(d.row(j), r));
        EXPECT_LE(std::fabs(g), settings.lambda + slack);
        if (std::fabs(z[j]) <= 1e-6L) continue;
        EXPECT_NEAR(g, z[j] > 0 ? settings.lambda : -settings.lambda, slack);
      }
    }
  }
}

bool same_bits(const LassoCode& a, const LassoCode& b) {
  return a.atoms == b.atoms && a.values == b.values && a.gap == b.gap && a.loss == b.loss &&
         a.converged == b.converged;
}

TEST(Lasso, NeighboursPositionsAndWhatCameBeforeChangeNoBit) {
  Rng rng = Rng::named(3, "lasso");
  const Matrix d = random_atoms(400, 150, 0, rng);
  const Matrix x = random_samples(45, d, rng);
  const Atoms<double> atoms = packed(d);
  for (const double lambda : {0.005, 0.1}) {
    const LassoSettings settings{.lambda = lambda};
    const std::vector<LassoCode> together = solved(d, x, settings);
    LassoTile used(atoms, settings);
    for (Index i = x.rows() - 1; i >= 0; --i) {
      LassoCode alone, again;
      LassoTile(atoms, settings).solve(x.row(i).data(), x.cols(), 1, &alone);
      used.solve(x.row(i).data(), x.cols(), 1, &again);
      ASSERT_TRUE(same_bits(alone, together[i])) << i;
      ASSERT_TRUE(same_bits(again, together[i])) << i;
    }
    const Index n = x.rows() - 5;
    std::vector<LassoCode> shifted(static_cast<std::size_t>(n));
    used.solve(x.row(5).data(), x.cols(), n, shifted.data());
    for (Index i = 0; i < n; ++i) ASSERT_TRUE(same_bits(shifted[i], together[i + 5])) << i;
  }
}

TEST(Lasso, ScalesByPowersOfTwoExactlyAndByAnyFactorNearly) {
  Rng rng = Rng::named(4, "lasso");
  const Matrix d = random_atoms(30, 20, 0, rng);
  const Matrix x = random_samples(10, d, rng);
  const std::vector<LassoCode> plain = solved(d, x, {.lambda = 0.1});
  for (const double factor : {0x1p-400, 0x1p-20, 0x1p+300, 1e-8, 1e8, 1e-100}) {
    Matrix scaled = x;
    for (double& value : scaled.values()) value *= factor;
    const std::vector<LassoCode> codes = solved(d, scaled, {.lambda = 0.1 * factor});
    for (std::size_t i = 0; i < codes.size(); ++i) {
      ASSERT_EQ(codes[i].atoms, plain[i].atoms) << factor;
      EXPECT_EQ(codes[i].converged, plain[i].converged);
      for (std::size_t k = 0; k < codes[i].atoms.size(); ++k)
        EXPECT_NEAR(codes[i].values[k] / factor, plain[i].values[k], 1e-10);
    }
  }
}

TEST(Lasso, ZeroSamplesZeroAtomsAndALargeLambdaGiveEmptyCodes) {
  Rng rng = Rng::named(5, "lasso");
  const Matrix d = random_atoms(20, 6, 0, rng);
  const auto expect_empty = [](const std::vector<LassoCode>& codes) {
    for (const LassoCode& code : codes) {
      EXPECT_TRUE(code.converged && code.atoms.empty() && code.values.empty());
      EXPECT_EQ(code.loss, code.scale);
      EXPECT_LE(code.gap, 1e-15 * code.scale);
    }
  };
  expect_empty(solved(d, Matrix(3, 6), {.lambda = 0.1}));
  expect_empty(solved(d, random_samples(3, d, rng), {.lambda = 1e6}));
  expect_empty(solved(Matrix(4, 6), random_samples(3, d, rng), {.lambda = 0.1}));
  EXPECT_TRUE(solved(d, Matrix(0, 6), {.lambda = 0.1}).empty());
}

TEST(Lasso, WithLambdaZeroConvergesWhereAtomsRepresentTheSample) {
  Rng rng = Rng::named(6, "lasso");
  const Matrix many = random_atoms(20, 8, 0, rng), few = random_atoms(4, 8, 0, rng);
  const Matrix x = test::random_matrix(5, 8, rng);
  for (const LassoCode& code : solved(many, x, {})) EXPECT_TRUE(code.converged);
  const std::vector<LassoCode> codes = solved(few, x, {.max_rounds = 5});
  for (Index i = 0; i < x.rows(); ++i) {
    EXPECT_FALSE(codes[i].converged);
    EXPECT_NEAR(codes[i].gap, codes[i].loss, 1e-12);
    const Wide r = residual_of(few, x.row(i), dense_code(codes[i], 4));
    for (Index j = 0; j < 4; ++j)
      EXPECT_NEAR(static_cast<double>(dot_of(few.row(j), r)), 0.0, 1e-10);
  }
}

TEST(Lasso, StopsWhenItMustAndSaysHowFarItCame) {
  Rng rng = Rng::named(7, "lasso");
  const Matrix d = random_atoms(60, 20, 0, rng);
  const Matrix x = random_samples(20, d, rng);
  for (const Index rounds : {0, 1, 2}) {
    const LassoSettings settings{.lambda = 0.01, .tolerance = 1e-30, .max_rounds = rounds};
    const std::vector<LassoCode> codes = solved(d, x, settings);
    for (Index i = 0; i < x.rows(); ++i) {
      if (half_square(x.row(i)) == 0.0) continue;
      expect_honest(d, x.row(i), codes[i], settings);
      EXPECT_EQ(codes[i].atoms.empty(), rounds == 0);
      EXPECT_FALSE(codes[i].converged);
    }
  }
}

TEST(Lasso, StartsFromAnyCode) {
  Rng rng = Rng::named(8, "lasso");
  const Matrix d = random_atoms(50, 12, 2, rng);
  const Matrix x = random_samples(40, d, rng);
  const LassoSettings settings{.lambda = 0.1, .tolerance = 1e-9};
  const std::vector<LassoCode> cold = solved(d, x, settings);
  const Atoms<double> atoms = packed(d);
  LassoTile tile(atoms, settings);
  std::vector<LassoCode> warm = cold, wild(cold.size());
  for (LassoCode& code : wild) {
    for (std::int32_t j = 0; j < 50; j += 1 + static_cast<std::int32_t>(rng.below(4))) {
      code.atoms.push_back(j);
      code.values.push_back(10.0 * rng.normal());
    }
  }
  tile.solve(x.data(), x.cols(), x.rows(), warm.data());
  tile.solve(x.data(), x.cols(), x.rows(), wild.data());
  for (Index i = 0; i < x.rows(); ++i) {
    const double scale = half_square(x.row(i));
    EXPECT_EQ(warm[i].atoms, cold[i].atoms);
    for (const LassoCode& code : {warm[i], wild[i]}) {
      EXPECT_TRUE(code.converged);
      expect_honest(d, x.row(i), code, settings);
      EXPECT_NEAR(code.loss + 0.1 * code.l1, cold[i].loss + 0.1 * cold[i].l1, 1e-9 * scale);
    }
  }
}

TEST(Lasso, RefusesWhatIsNoNumberAndCodesThatDoNotFit) {
  Rng rng = Rng::named(9, "lasso");
  const Matrix d = test::random_matrix(4, 3, rng);
  Matrix x(1, 3);
  x(0, 1) = std::nan("");
  test::expect_error(ErrorCode::internal, {"not finite"}, [&] { solved(d, x, {.lambda = 1}); });
  x(0, 1) = 1.0;
  const Atoms<double> atoms = packed(d);
  LassoTile tile(atoms, {.lambda = 0.1});
  LassoCode code;
  code.atoms = {4};
  code.values = {1.0};
  test::expect_error(ErrorCode::internal, {"not there"},
                     [&] { tile.solve(x.data(), 3, 1, &code); });
  code.atoms = {2, 1};
  code.values = {1.0, 1.0};
  test::expect_error(ErrorCode::internal, {"ascend"}, [&] { tile.solve(x.data(), 3, 1, &code); });
  code.atoms = {1, 2, 3};
  test::expect_error(ErrorCode::internal, {"value"}, [&] { tile.solve(x.data(), 3, 1, &code); });
}

}  // namespace
}  // namespace gingham
