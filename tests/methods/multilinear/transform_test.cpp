#include "gingham/methods/multilinear/transform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gingham/base/rng.hpp"
#include "support/arrays.hpp"
#include "support/dense.hpp"

namespace gingham::methods::multilinear {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Options tensor_options(bool is_signed, const std::string& model, const std::string& strategy) {
  Options options(
      {{.name = "signed", .type = OptionType::flag, .initial = "no"},
       {.name = "model", .type = OptionType::choice, .initial = "box", .words = {"box", "plain"}},
       {.name = "strategy",
        .type = OptionType::choice,
        .initial = "joint",
        .words = {"joint", "deflation"}},
       {.name = "prune", .type = OptionType::penalties, .initial = "0"},
       {.name = "sparsity", .type = OptionType::penalties, .initial = "0"},
       mode_penalties_option("Penalties of modes.")});
  options.set("signed", is_signed ? "yes" : "no");
  options.set("model", model);
  options.set("strategy", strategy);
  return options;
}

struct Problem {
  Shape shape;
  Index mode = 0;
  std::vector<Matrix> factors;  // as fitted; that of `mode` has rows of its own
  std::vector<double> weights;
  std::vector<double> lambda;
  double prune = 0.0;
  bool is_signed = false, is_plain = false, in_order = false;
  Tensor x;  // NaN where missing

  double low() const { return is_signed ? -high() : 0.0; }
  double high() const { return is_plain ? kInfinity : 1.0; }
  Index rank() const { return factors[0].cols(); }
};

std::vector<Index> place_of(const Shape& shape, Index cell) {
  std::vector<Index> place(shape.size());
  for (Index m = std::ssize(shape) - 1; m >= 0; --m) {
    place[m] = cell % shape[m];
    cell /= shape[m];
  }
  return place;
}

// 0: general, 1: two equal components, 2: a component of zeros.
Problem random_problem(Rng& rng, int degenerate) {
  Problem p;
  const Index modes = rng.below(3) + 2;
  for (Index m = 0; m < modes; ++m) p.shape.push_back(rng.below(modes == 2 ? 7 : 4) + 1);
  p.mode = rng.below(modes);
  p.is_signed = rng.below(2) == 0;
  p.is_plain = rng.below(3) == 0;
  const Index rank = rng.below(4) + 1;
  for (Index m = 0; m < modes; ++m) {
    Matrix factor(m == p.mode ? 3 : p.shape[m], rank);
    for (double& a : factor.values()) {
      a = rng.below(4) == 0 ? 0.0 : rng.uniform();
      if (p.is_signed && rng.below(2) == 0) a = -a;
    }
    for (Index i = 0; i < factor.rows(); ++i) {
      if (degenerate == 1 && rank > 1) factor(i, 1) = factor(i, 0);
      if (degenerate == 2) factor(i, 0) = 0.0;
    }
    p.factors.push_back(std::move(factor));
    p.lambda.push_back(rng.below(3) == 0 ? 0.0 : 2.0 * rng.uniform());
  }
  const double weight = p.is_plain ? 1.0 : 1.0 + 3.0 * rng.uniform();
  p.weights.assign(static_cast<std::size_t>(rank), weight);
  p.x = Tensor(p.shape);
  const Index holes = rng.below(3);
  for (double& value : p.x.values()) {
    value = rng.below(3) == 0 ? 0.0 : 3.0 * rng.uniform() - (p.is_signed ? 1.5 : 0.5);
    if (holes > 0 && rng.below(4) == 0) value = std::nan("");
  }
  return p;
}

enum class Storage { dense, zeros_left_out, missing_left_out };

Block block_of(const Problem& p, Storage storage) {
  const bool is_matrix = p.shape.size() == 2;
  if (storage == Storage::dense) {
    if (!is_matrix) return Block("x", p.x);
    Matrix x(p.shape[0], p.shape[1]);
    std::copy(p.x.values().begin(), p.x.values().end(), x.data());
    return Block("x", std::move(x));
  }
  std::vector<std::vector<std::int32_t>> at(p.shape.size());
  std::vector<double> values;
  for (Index cell = 0; cell < p.x.size(); ++cell) {
    const double value = p.x.values()[cell];
    if (storage == Storage::zeros_left_out ? value == 0.0 : std::isnan(value)) continue;
    const auto place = place_of(p.shape, cell);
    for (std::size_t m = 0; m < place.size(); ++m)
      at[m].push_back(static_cast<std::int32_t>(place[m]));
    values.push_back(value);
  }
  const Unlisted unlisted = storage == Storage::zeros_left_out ? Unlisted::zero : Unlisted::missing;
  if (is_matrix) {
    return Block("x",
                 SparseMatrix::from_triplets(p.shape[0], p.shape[1], test::to_array(at[0]),
                                             test::to_array(at[1]), test::to_array(values),
                                             Duplicates::error),
                 {}, unlisted);
  }
  std::vector<Array<std::int32_t>> coordinates;
  for (const auto& one : at) coordinates.push_back(test::to_array(one));
  return Block("x",
               SparseTensor::from_coordinates(p.shape, std::move(coordinates),
                                              test::to_array(values), Duplicates::error),
               {}, unlisted);
}

Model fitted_model(const Problem& p) {
  Model model;
  for (std::size_t m = 0; m < p.factors.size(); ++m) {
    model.arrays.push_back({"mode_" + std::to_string(m), p.factors[m]});
    model.memberships.push_back(
        membership_of("mode_" + std::to_string(m), std::nullopt, p.factors[m]));
  }
  model.arrays.push_back({"weights", p.weights});
  model.used = {{"sparsity", p.lambda}, {"prune", {p.prune}}};
  return model;
}

Transformed run(const Problem& p, Storage storage, int threads = 1) {
  ThreadPool pool(threads);
  Context ctx(pool, 0, 0);
  return transform(
      Dataset(block_of(p, storage)),
      tensor_options(p.is_signed, p.is_plain ? "plain" : "box", p.in_order ? "deflation" : "joint"),
      fitted_model(p), p.mode, ctx);
}

const Matrix& factor_of(const Transformed& found) {
  return std::get<Matrix>(found.arrays.at(0).values);
}

// The rows of one slice's least-squares problem: z and x of every observed cell.
struct Cells {
  Eigen::MatrixXd z;
  Eigen::VectorXd x;

  double objective(const Eigen::VectorXd& a, double lambda) const {
    return (x - z * a).squaredNorm() + lambda * a.lpNorm<1>();
  }
};

Cells cells_of(const Problem& p, Index slice) {
  std::vector<std::vector<double>> rows;
  std::vector<double> values;
  for (Index cell = 0; cell < p.x.size(); ++cell) {
    const auto place = place_of(p.shape, cell);
    const double value = p.x.values()[cell];
    if (place[p.mode] != slice || std::isnan(value)) continue;
    std::vector<double> z = p.weights;
    for (Index m = 0; m < std::ssize(p.shape); ++m) {
      for (Index k = 0; k < p.rank() && m != p.mode; ++k) z[k] *= p.factors[m](place[m], k);
    }
    rows.push_back(z);
    values.push_back(value);
  }
  Cells cells{Eigen::MatrixXd::Zero(std::ssize(rows), p.rank()),
              Eigen::VectorXd::Zero(std::ssize(rows))};
  for (Index i = 0; i < std::ssize(rows); ++i) {
    for (Index k = 0; k < p.rank(); ++k) cells.z(i, k) = rows[i][k];
    cells.x(i) = values[i];
  }
  return cells;
}

// The best a over every choice of which entries are 0, at a bound, or free with a given sign, among
// those that `may_differ` from 0.
Eigen::VectorXd best_row(const Problem& p, const Cells& cells,
                         const std::vector<char>& may_differ) {
  const Index rank = p.rank();
  const double lambda = p.lambda[p.mode];
  Eigen::VectorXd best = Eigen::VectorXd::Zero(rank);
  Index choices = 1;
  for (Index k = 0; k < rank; ++k) choices *= 5;
  for (Index choice = 0; choice < choices; ++choice) {
    Eigen::VectorXd a = Eigen::VectorXd::Zero(rank), sign = Eigen::VectorXd::Zero(rank);
    std::vector<Index> is_free;
    bool is_allowed = true;
    Index rest = choice;
    for (Index k = 0; k < rank; ++k, rest /= 5) {
      const Index state = rest % 5;  // 0, high, low, free above 0, free below 0
      is_allowed = is_allowed && (state == 0 || may_differ[k] != 0);
      if (state == 1) a(k) = p.high();
      if (state == 2) a(k) = p.low();
      if (state >= 3) {
        is_free.push_back(k);
        sign(k) = state == 3 ? 1.0 : -1.0;
      }
    }
    if (!is_allowed || !a.allFinite()) continue;
    if (!is_free.empty()) {
      Eigen::MatrixXd z(cells.z.rows(), std::ssize(is_free));
      Eigen::VectorXd pull(std::ssize(is_free));
      const Eigen::VectorXd residual = cells.x - cells.z * a;
      for (Index f = 0; f < std::ssize(is_free); ++f) {
        z.col(f) = cells.z.col(is_free[f]);
        pull(f) = z.col(f).dot(residual) - 0.5 * lambda * sign(is_free[f]);
      }
      const Eigen::VectorXd solved = testing::shortest_solution(z.transpose() * z, pull);
      for (Index f = 0; f < std::ssize(is_free); ++f) {
        a(is_free[f]) = solved(f);
        is_allowed = is_allowed && solved(f) * sign(is_free[f]) >= 0.0 && solved(f) >= p.low() &&
                     solved(f) <= p.high();
      }
    }
    if (is_allowed && cells.objective(a, lambda) < cells.objective(best, lambda)) best = a;
  }
  return best;
}

Eigen::VectorXd row_of(const Matrix& factor, Index i) {
  Eigen::VectorXd a(factor.cols());
  for (Index k = 0; k < factor.cols(); ++k) a(k) = factor(i, k);
  return a;
}

constexpr Storage kStorages[] = {Storage::dense, Storage::zeros_left_out,
                                 Storage::missing_left_out};

TEST(TensorTransform, FindsTheBestOfEveryActiveSet) {
  Rng rng = Rng::named(1, "transform");
  for (int trial = 0; trial < 240; ++trial) {
    const Problem p = random_problem(rng, trial % 3);
    for (const Storage storage : kStorages) {
      const Transformed found = run(p, storage);
      const Matrix& factor = factor_of(found);
      ASSERT_EQ(factor.rows(), p.shape[p.mode]);
      double loss = 0.0, penalty = 0.0;
      for (Index i = 0; i < factor.rows(); ++i) {
        const Cells cells = cells_of(p, i);
        const Eigen::VectorXd a = row_of(factor, i);
        const Eigen::VectorXd best =
            best_row(p, cells, std::vector<char>(static_cast<std::size_t>(p.rank()), 1));
        ASSERT_LE(cells.objective(a, p.lambda[p.mode]),
                  cells.objective(best, p.lambda[p.mode]) + 1e-8 * (1.0 + cells.x.squaredNorm()))
            << "trial " << trial << " slice " << i;
        ASSERT_GE(a.minCoeff(), p.low());
        ASSERT_LE(a.maxCoeff(), p.high());
        loss += (cells.x - cells.z * a).squaredNorm();
        penalty += p.lambda[p.mode] * a.lpNorm<1>();
      }
      EXPECT_NEAR(found.terms.loss, loss, 1e-9 * (1.0 + loss));
      EXPECT_NEAR(found.terms.penalties.at(0).value, penalty, 1e-9 * (1.0 + penalty));
      EXPECT_LE(found.terms.gap(), 1e-9);
    }
  }
}

TEST(TensorTransform, PrunesAgainstTheFittedColumnAndRefits) {
  Rng rng = Rng::named(2, "transform");
  int n_pruned = 0;
  for (int trial = 0; trial < 100; ++trial) {
    Problem p = random_problem(rng, 0);
    const Matrix before = factor_of(run(p, Storage::dense));
    p.prune = 0.4;
    const Matrix after = factor_of(run(p, Storage::dense));
    for (Index i = 0; i < before.rows(); ++i) {
      std::vector<char> stays;
      for (Index k = 0; k < p.rank(); ++k) {
        double largest = 0.0;
        for (Index j = 0; j < p.factors[p.mode].rows(); ++j)
          largest = std::max(largest, std::abs(p.factors[p.mode](j, k)));
        const double size = std::abs(before(i, k));
        stays.push_back(size > 0.0 && size >= p.prune * largest ? 1 : 0);
        n_pruned += size > 0.0 && stays.back() == 0 ? 1 : 0;
        ASSERT_TRUE(stays.back() != 0 || after(i, k) == 0.0);
      }
      const Cells cells = cells_of(p, i);
      const double lambda = p.lambda[p.mode];
      ASSERT_LE(cells.objective(row_of(after, i), lambda),
                cells.objective(best_row(p, cells, stays), lambda) +
                    1e-8 * (1.0 + cells.x.squaredNorm()));
    }
  }
  EXPECT_GT(n_pruned, 20);
}

// Each entry is the best one beside those before it, whatever comes after.
TEST(TensorTransform, ADeflationFitIsAppliedAsDeflation) {
  Rng rng = Rng::named(7, "transform");
  for (int trial = 0; trial < 120; ++trial) {
    Problem p = random_problem(rng, trial % 3);
    p.in_order = true;
    p.prune = trial % 2 == 0 ? 0.0 : 0.3;
    for (const Storage storage : kStorages) {
      const Transformed found = run(p, storage);
      const Matrix& factor = factor_of(found);
      for (Index i = 0; i < factor.rows(); ++i) {
        Cells cells = cells_of(p, i);
        for (Index k = 0; k < p.rank(); ++k) {
          double largest = 0.0;
          for (Index j = 0; j < p.factors[p.mode].rows(); ++j)
            largest = std::max(largest, std::abs(p.factors[p.mode](j, k)));
          const Eigen::VectorXd z = cells.z.col(k);
          const double curvature = z.squaredNorm(), pull = z.dot(cells.x),
                       shrunk = std::max(std::abs(pull) - 0.5 * p.lambda[p.mode], 0.0);
          double best = curvature > 0.0
                            ? std::clamp(std::copysign(shrunk / curvature, pull), p.low(), p.high())
                            : 0.0;
          const bool is_near = std::abs(std::abs(best) - p.prune * largest) < 1e-12;
          if (std::abs(best) < p.prune * largest) best = 0.0;
          ASSERT_TRUE(is_near || std::abs(factor(i, k) - best) <= 1e-9) << "trial " << trial;
          cells.x -= z * factor(i, k);
        }
      }
      EXPECT_EQ(found.terms.gap(), 0.0);
    }
  }
}

// The slice of a mode by itself.
Problem alone(const Problem& p, Index slice) {
  Problem one = p;
  one.shape[p.mode] = 1;
  one.x = Tensor(one.shape);
  Index to = 0;
  for (Index cell = 0; cell < p.x.size(); ++cell) {
    if (place_of(p.shape, cell)[p.mode] == slice) one.x.values()[to++] = p.x.values()[cell];
  }
  return one;
}

TEST(TensorTransform, ARowIsTheSameBitsWhateverComesWithIt) {
  Rng rng = Rng::named(3, "transform");
  for (int trial = 0; trial < 60; ++trial) {
    Problem p = random_problem(rng, 0);
    p.prune = 0.1;
    for (const Storage storage : kStorages) {
      const Matrix all = factor_of(run(p, storage));
      EXPECT_EQ(test::bits_of(all.values()), test::bits_of(factor_of(run(p, storage, 3)).values()));
      for (Index i = 0; i < all.rows(); ++i) {
        const Matrix one = factor_of(run(alone(p, i), storage));
        EXPECT_EQ(test::bits_of(one.row(0)), test::bits_of(all.row(i)));
      }
    }
  }
}

TEST(TensorTransform, ManySlicesAreTheSameBitsForAnyNumberOfThreads) {
  Rng rng = Rng::named(4, "transform");
  Problem p;
  p.shape = {30, 400, 20};
  p.mode = 1;
  for (Index m = 0; m < 3; ++m) {
    Matrix factor(p.shape[m], 5);
    for (double& a : factor.values()) a = rng.uniform();
    p.factors.push_back(std::move(factor));
  }
  p.weights.assign(5, 2.0);
  p.lambda = {1.0, 1.0, 1.0};
  p.x = Tensor(p.shape);
  for (double& value : p.x.values()) value = rng.below(5) == 0 ? 4.0 * rng.uniform() : 0.0;
  for (const Storage storage : kStorages) {
    const Transformed one = run(p, storage, 1), four = run(p, storage, 4);
    EXPECT_EQ(test::bits_of(factor_of(one).values()), test::bits_of(factor_of(four).values()));
    EXPECT_EQ(one.terms.loss, four.terms.loss);
    const Matrix last = factor_of(run(alone(p, 399), storage));
    EXPECT_EQ(test::bits_of(last.row(0)), test::bits_of(factor_of(one).row(399)));
  }
}

TEST(TensorTransform, ScalesWithTheData) {
  Rng rng = Rng::named(5, "transform");
  for (int trial = 0; trial < 30; ++trial) {
    Problem p = random_problem(rng, 0);
    if (p.is_plain) continue;
    const Matrix expected = factor_of(run(p, Storage::dense));
    for (const int exponent : {-480, 480}) {
      Problem scaled = p;
      const double factor = std::ldexp(1.0, exponent);
      for (double& value : scaled.x.values()) value *= factor;
      for (double& weight : scaled.weights) weight *= factor;
      for (double& lambda : scaled.lambda) lambda *= factor * factor;
      const Transformed found = run(scaled, Storage::dense);
      EXPECT_EQ(test::bits_of(expected.values()), test::bits_of(factor_of(found).values()));
    }
  }
}

TEST(TensorTransform, NothingObservedAndAllZeroBelongToNothing) {
  Problem p;
  p.shape = {3, 4};
  p.factors = {Matrix(2, 2), Matrix(4, 2)};
  for (Matrix& factor : p.factors) {
    for (double& a : factor.values()) a = 0.5;
  }
  p.weights = {2.0, 2.0};
  p.lambda = {0.0, 0.0};
  p.x = Tensor(p.shape);
  for (Index j = 0; j < 4; ++j) {
    p.x.values()[j] = std::nan("");
    p.x.values()[8 + j] = 1.0;
  }
  for (const Storage storage : kStorages) {
    const Transformed found = run(p, storage);
    const Matrix& factor = factor_of(found);
    for (Index k = 0; k < 2; ++k) {
      EXPECT_EQ(factor(0, k), 0.0);
      EXPECT_EQ(factor(1, k), 0.0);
    }
    EXPECT_NEAR(factor(2, 0) + factor(2, 1), 1.0, 1e-9);  // the two components are the same
    ASSERT_EQ(found.notes.size(), 2);
    EXPECT_NE(found.notes[0].find("1 new items have no observed"), std::string::npos);
    EXPECT_EQ(found.memberships.at(0).n_items, 3);
  }
}

TEST(TensorTransform, SaysWhichArrayDoesNotFit) {
  Rng rng = Rng::named(6, "transform");
  Problem p = random_problem(rng, 0);
  Problem missing = p;
  missing.factors.pop_back();
  test::expect_error(ErrorCode::input, {"mode_"}, [&] { run(missing, Storage::dense); });
  p.is_plain = false;
  p.weights.push_back(1.0);
  test::expect_error(ErrorCode::input, {"weights"}, [&] { run(p, Storage::dense); });
}

}  // namespace
}  // namespace gingham::methods::multilinear
