#include "gingham/kernels/nnls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gingham/kernels/nnls_active_set.hpp"
#include "kernels/support.hpp"

namespace gingham {
namespace {

using Values = std::vector<double>;

struct Problem {
  Matrix gram;
  Matrix rhs;
};

// A thin matrix, its Gram matrix, and right-hand sides that belong to it. Kinds: plain, positive
// (as in a factorisation), duplicate columns, zero columns, fewer rows than columns, solutions with
// exact zeros on both sides, nearly dependent columns, columns in very different units.
constexpr int kKinds = 8;
Problem random_problem(Rng& rng, Index items, Index k, int kind) {
  const Index rows = kind == 4 ? std::max<Index>(1, k / 2) : k + 3;
  Matrix a = test::random_matrix(rows, k, rng);
  if (kind == 1) {
    for (double& value : a.values()) value = std::abs(value);
  }
  for (Index j = 0; j < k; ++j) {
    const Index from = rng.below(k);
    const double unit = std::pow(10.0, rng.uniform(-40.0, 40.0));
    const bool is_chosen = rng.below(3) == 0;
    for (Index r = 0; r < rows; ++r) {
      if (kind == 2 && is_chosen) a(r, j) = a(r, from);
      if (kind == 3 && is_chosen) a(r, j) = 0.0;
      if (kind == 6 && is_chosen) a(r, j) = a(r, from) + 1e-7 * rng.normal();
      if (kind == 7) a(r, j) *= unit;
    }
  }
  Problem made{Matrix(k, k), Matrix(items, k)};
  for (Index i = 0; i < k; ++i) {
    for (Index j = 0; j < k; ++j) {
      for (Index r = 0; r < rows; ++r) made.gram(i, j) += a(r, i) * a(r, j);
    }
  }
  for (Index i = 0; i < items; ++i) {
    if (rng.below(20) == 0) continue;  // a zero row
    Values b = test::random_vector(rows, rng);
    Values planted(static_cast<std::size_t>(k));
    for (double& x : planted) x = rng.below(2) == 0 ? 0.0 : std::abs(rng.normal());
    const double scale = std::pow(10.0, rng.uniform(-50.0, 50.0));
    for (Index j = 0; j < k; ++j) {
      double sum = 0.0;
      for (Index r = 0; r < rows; ++r) sum += a(r, j) * b[r];
      if (kind == 5) {
        sum = 0.0;
        for (Index l = 0; l < k; ++l) sum += made.gram(j, l) * planted[l];
      }
      made.rhs(i, j) = scale * sum;
    }
  }
  return made;
}

long double objective(const Matrix& gram, ConstVec rhs, ConstVec x) {
  long double sum = 0;
  for (Index i = 0; i < gram.rows(); ++i) {
    long double product = 0;
    for (Index j = 0; j < gram.rows(); ++j) {
      product += static_cast<long double>(gram(i, j)) * x[j];
    }
    sum += x[i] * (product / 2 - rhs[i]);
  }
  return sum;
}
// What the objective is the small difference of.
long double objective_size(const Matrix& gram, ConstVec rhs, ConstVec x) {
  long double length = 0, sum = 0;
  for (Index i = 0; i < gram.rows(); ++i) {
    length += std::sqrt(static_cast<long double>(gram(i, i))) * std::fabs(x[i]);
    sum += std::fabs(static_cast<long double>(x[i]) * rhs[i]);
  }
  return sum + length * length;
}

// The largest violation of the optimality conditions in units of what the header promises.
double violation(const Matrix& gram, ConstVec rhs, ConstVec x) {
  const Index k = gram.rows();
  long double size = 0;
  for (Index l = 0; l < k; ++l) size += std::sqrt(static_cast<long double>(gram(l, l))) * x[l];
  long double worst = 0;
  for (Index j = 0; j < k; ++j) {
    EXPECT_GE(x[j], 0.0);
    if (gram(j, j) == 0.0) {
      EXPECT_EQ(x[j], 0.0);
      continue;
    }
    long double gradient = -static_cast<long double>(rhs[j]);
    for (Index l = 0; l < k; ++l) gradient += static_cast<long double>(gram(j, l)) * x[l];
    const long double unit = 2 * static_cast<long double>(k + 10) *
                             std::numeric_limits<double>::epsilon() *
                             (std::fabs(static_cast<long double>(rhs[j])) +
                              std::sqrt(static_cast<long double>(gram(j, j))) * size);
    const long double wrong = x[j] > 0.0 ? std::fabs(gradient) : std::max(-gradient, 0.0L);
    if (wrong > 0) worst = std::max(worst, wrong / unit);
  }
  return static_cast<double>(worst);
}

// The best over all sets of positive entries, each by elimination; singular sets are not needed.
struct Best {
  long double objective = 0;
  long double size = 0;  // of the sum that it is
};
Best best_of_all(const Matrix& gram, ConstVec rhs) {
  const Index k = gram.rows();
  Best best;
  for (int set = 1; set < 1 << k; ++set) {
    std::vector<Index> in;
    for (Index j = 0; j < k; ++j) {
      if ((set >> j & 1) != 0) in.push_back(j);
    }
    const Index n = std::ssize(in);
    std::vector<std::vector<long double>> rows(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) rows[i].push_back(gram(in[i], in[j]));
      rows[i].push_back(rhs[in[i]]);
    }
    bool is_good = true;
    for (Index p = 0; p < n && is_good; ++p) {  // positive definite: no exchange of rows is needed
      is_good = rows[p][p] > 1e-13L * gram(in[p], in[p]);
      for (Index i = 0; i < n && is_good; ++i) {
        if (i == p) continue;
        const long double factor = rows[i][p] / rows[p][p];
        for (Index j = p; j <= n; ++j) rows[i][j] -= factor * rows[p][j];
      }
    }
    Values x(static_cast<std::size_t>(k));
    for (Index i = 0; i < n && is_good; ++i) {
      x[in[i]] = static_cast<double>(rows[i][n] / rows[i][i]);
      is_good = x[in[i]] >= 0.0;
    }
    if (is_good && objective(gram, rhs, x) < best.objective) {
      best = {objective(gram, rhs, x), objective_size(gram, rhs, x)};
    }
  }
  return best;
}

Matrix random_start(Rng& rng, Index items, Index k) {
  Matrix x(items, k);
  const int kind = static_cast<int>(rng.below(3));
  for (double& value : x.values()) value = kind == 0 ? 0.0 : kind == 1 ? 1.0 : rng.normal();
  return x;
}

TEST(Nnls, IsTheBestOfAllSetsOfPositiveEntries) {
  Rng rng = Rng::named(1, "nnls");
  ThreadPool pool(1);
  for (int trial = 0; trial < 800; ++trial) {
    const Index k = 1 + rng.below(6), items = rng.below(12);
    const int kind = trial % kKinds;
    const Problem p = random_problem(rng, items, k, kind);
    Matrix x = random_start(rng, items, k);
    nnls(p.gram, p.rhs, x, pool);
    for (Index i = 0; i < items; ++i) {
      ASSERT_LE(violation(p.gram, p.rhs.row(i), x.row(i)), 1.0) << trial;
      const Best best = best_of_all(p.gram, p.rhs.row(i));
      const long double size = best.size + objective_size(p.gram, p.rhs.row(i), x.row(i));
      ASSERT_LE(objective(p.gram, p.rhs.row(i), x.row(i)), best.objective + 1e-13L * size) << trial;
    }
  }
}

TEST(Nnls, MeetsTheOptimalityConditionsWhateverTheStart) {
  Rng rng = Rng::named(2, "nnls");
  ThreadPool pool(2);
  for (const Index k : {1, 2, 3, 9, 64, 65, 70, 130}) {
    for (int kind = 0; kind < kKinds; ++kind) {
      const Index items = k > 20 ? 60 : 300;
      const Problem p = random_problem(rng, items, k, kind);
      Matrix cold(items, k), warm = random_start(rng, items, k);
      nnls(p.gram, p.rhs, cold, pool);
      nnls(p.gram, p.rhs, warm, pool);
      Matrix again = warm;
      nnls(p.gram, p.rhs, again, pool);
      for (Index i = 0; i < items; ++i) {
        const ConstVec rhs = p.rhs.row(i);
        ASSERT_LE(violation(p.gram, rhs, cold.row(i)), 1.0) << k << " " << kind;
        ASSERT_LE(violation(p.gram, rhs, warm.row(i)), 1.0) << k << " " << kind;
        ASSERT_LE(violation(p.gram, rhs, again.row(i)), 1.0) << k << " " << kind;
        const double size = static_cast<double>(objective_size(p.gram, rhs, cold.row(i)) +
                                                objective_size(p.gram, rhs, warm.row(i)));
        ASSERT_NEAR(static_cast<double>(objective(p.gram, rhs, cold.row(i))),
                    static_cast<double>(objective(p.gram, rhs, warm.row(i))), 1e-12 * size)
            << k << " " << kind;
      }
    }
  }
}

TEST(Nnls, OneItemAtATimeIsTheSame) {
  Rng rng = Rng::named(3, "nnls");
  for (int trial = 0; trial < 400; ++trial) {
    const Index k = 1 + rng.below(20);
    const Problem p = random_problem(rng, 1, k, trial % kKinds);
    Matrix x = random_start(rng, 1, k);
    NnlsRow(k).solve(p.gram.data(), p.rhs.row(0), x.row(0));
    ASSERT_LE(violation(p.gram, p.rhs.row(0), x.row(0)), 1.0) << trial;
  }
}

TEST(Nnls, TheLastResortStandsAlone) {
  Rng rng = Rng::named(4, "nnls");
  for (int trial = 0; trial < 800; ++trial) {
    const Index k = 1 + rng.below(trial % 10 == 0 ? 70 : 12);
    const Problem p = random_problem(rng, 1, k, trial % kKinds);
    Values x(static_cast<std::size_t>(k), 7.0);
    NnlsActiveSet(k).solve(p.gram.data(), p.rhs.data(), x.data());
    ASSERT_LE(violation(p.gram, p.rhs.row(0), x), 1.0) << trial << " " << trial % kKinds;
  }
}

TEST(Nnls, ThreadsDoNotChangeABit) {
  Rng rng = Rng::named(5, "nnls");
  const Problem p = random_problem(rng, 3000, 12, 1);
  const Matrix start = random_start(rng, 3000, 12);
  test::same_on_all_threads<double>([&](Executor& executor) {
    Matrix x = start;
    nnls(p.gram, p.rhs, x, executor);
    return test::flat(x);
  });
}

TEST(Nnls, ChangesOfUnitsChangeNothing) {
  Rng rng = Rng::named(6, "nnls");
  ThreadPool pool(1);
  const Problem p = random_problem(rng, 50, 8, 1);
  Matrix plain(50, 8);
  nnls(p.gram, p.rhs, plain, pool);
  for (const double unit : {0x1p-400, 0x1p+400}) {
    Problem q = p;
    for (double& value : q.gram.values()) value *= unit;
    Matrix x(50, 8);
    nnls(q.gram, q.rhs, x, pool);
    for (Index i = 0; i < x.size(); ++i) {
      ASSERT_EQ(x.data()[i] * unit, plain.data()[i]);
    }
  }
}

TEST(Nnls, EndsWhereNothingIsRight) {
  ThreadPool pool(1);
  Matrix gram(2, 2), rhs(3, 2), x(3, 2);
  gram(0, 0) = 1.0;
  rhs(0, 0) = -1.0;
  rhs(0, 1) = 5.0;  // unbounded: the entry stays 0
  rhs(1, 0) = std::nan("");
  rhs(2, 0) = 2.0;
  nnls(gram, rhs, x, pool);
  EXPECT_EQ(x(0, 0), 0.0);
  EXPECT_EQ(x(0, 1), 0.0);
  EXPECT_EQ(x(2, 0), 2.0);
  Matrix none(0, 2);
  nnls(gram, none, none, pool);
  Matrix wrong(3, 1);
  EXPECT_THROW(nnls(gram, rhs, wrong, pool), Error);
  EXPECT_THROW(NnlsRow(2).solve(gram.data(), Values{1.0}, x.row(0)), Error);
}

}  // namespace
}  // namespace gingham
