#include "gingham/methods/multiview/transform.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"
#include "support/arrays.hpp"
#include "support/storages.hpp"

namespace gingham::methods::multiview {
namespace {

struct Problem {
  std::vector<Matrix> x;  // NaN where missing
  std::vector<Matrix> v;
  std::vector<std::vector<double>> center, scale;
  std::vector<double> weights;
  std::vector<double> least;
  std::string sign = "auto", next = "exclude", scaling = "standardize";
  bool is_refined = false;

  Index rank() const { return std::ssize(least); }
  Index rows() const { return x[0].rows(); }
  bool one_sign() const { return sign == "one" || (sign == "auto" && scaling != "none"); }
};

Problem random_problem(Rng& rng) {
  Problem p;
  p.sign = std::vector<std::string>{"auto", "one", "any"}[rng.below(3)];
  p.next = rng.below(2) == 0 ? "exclude" : "deflate";
  p.scaling = std::vector<std::string>{"none", "standardize", "rows"}[rng.below(3)];
  p.is_refined = p.next == "exclude" && rng.below(2) == 0;
  const Index n = rng.below(12) + 1, n_views = rng.below(3) + 1, rank = rng.below(4) + 1;
  const Index holes = rng.below(3);
  for (Index k = 0; k < n_views; ++k) {
    const Index d = rng.below(9) + 1;
    Matrix x(n, d), v(d, rank);
    for (double& value : x.values()) {
      value = rng.below(3) == 0 ? 0.0 : 4.0 * rng.uniform() - 1.0;
      if (holes > 0 && rng.below(4) == 0) value = std::nan("");
    }
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; holes == 2 && i % 3 == k && j < d; ++j) x(i, j) = std::nan("");
    }
    for (double& value : v.values()) value = rng.below(3) == 0 ? 0.0 : rng.normal();
    for (Index j = 0; rng.below(5) == 0 && j < d; ++j) v(j, 0) = 0.0;
    std::vector<double> center(static_cast<std::size_t>(d), 0.0), scale(center.size(), 1.0);
    for (std::size_t j = 0; j < center.size() && p.scaling != "none"; ++j) {
      center[j] = rng.normal();
      if (p.scaling == "standardize") scale[j] = rng.below(5) == 0 ? 0.0 : rng.uniform() + 0.5;
    }
    p.x.push_back(std::move(x));
    p.v.push_back(std::move(v));
    p.center.push_back(std::move(center));
    p.scale.push_back(std::move(scale));
    p.weights.push_back(rng.uniform() + 0.5);
  }
  for (Index c = 0; c < rank; ++c) p.least.push_back(rng.below(4) == 0 ? 0.0 : rng.uniform());
  return p;
}

Options options_of(const Problem& p) {
  Options options = find_method("multiview").make_options();
  options.set("sign", p.sign);
  options.set("next", p.next);
  options.set("scale", p.scaling);
  std::string weights;
  for (const double weight : p.weights)
    weights += fmt::format("{}{}", weights.empty() ? "" : ",", weight);
  options.set("weights", weights);
  return options;
}

Model model_of(const Problem& p) {
  Model model;
  for (std::size_t k = 0; k < p.x.size(); ++k) {
    model.arrays.push_back({fmt::format("v_{}", k), p.v[k]});
    model.arrays.push_back({fmt::format("center_{}", k), p.center[k]});
    model.arrays.push_back({fmt::format("scale_{}", k), p.scale[k]});
  }
  model.arrays.push_back({"least_gain", p.least});
  model.components.resize(p.least.size());
  model.measures = {{"refined", p.is_refined ? 1.0 : 0.0}};
  return model;
}

Transformed run(const Problem& p, test::Storage storage = test::Storage::dense, int threads = 1) {
  ThreadPool pool(threads);
  Context ctx(pool, 0, 0);
  std::vector<Block> blocks;
  for (const Matrix& x : p.x) blocks.push_back(test::block_of(x, storage));
  return transform(Dataset(std::move(blocks)), options_of(p), model_of(p), 0, ctx);
}

const Matrix& array(const Transformed& found, const std::string& name) {
  for (const NamedArray& one : found.arrays) {
    if (one.name == name) return std::get<Matrix>(one.values);
  }
  throw Error(ErrorCode::internal, name, "no such array");
}

// What one row should get, by plain loops over what is left of it.
struct Expected {
  std::vector<bool> is_member;
  std::vector<std::vector<double>> u;  // per view and co-cluster
  double loss = 0.0;
  bool is_close = false;  // a decision that rounding may turn
};

class Oracle {
 public:
  Oracle(const Problem& p, Index i) : p_(p), left_(p.x.size()) {
    double all = 0.0, seen = 0.0;
    for (std::size_t k = 0; k < p.x.size(); ++k) {
      bool has_some = false;
      long double squares = 0.0;
      for (Index j = 0; j < p.x[k].cols(); ++j) {
        const long double cell =
            (static_cast<long double>(p.x[k](i, j)) - p.center[k][j]) * p.scale[k][j];
        left_[k].push_back(cell);
        if (std::isnan(cell)) continue;
        has_some = true;
        squares += cell * cell;
      }
      for (long double& cell : left_[k]) {
        if (p.scaling == "rows" && squares > 0.0L) cell /= std::sqrt(squares);
      }
      all += p.weights[k];
      if (has_some) seen += p.weights[k];
    }
    rho_ = seen > 0.0 ? all / seen : 0.0;
  }

  double level(std::size_t k, Index c) const {
    long double z = 0.0, norm = 0.0;
    for (std::size_t j = 0; j < left_[k].size(); ++j) {
      const double v = p_.v[k](static_cast<Index>(j), c);
      if (std::isnan(left_[k][j])) continue;
      z += left_[k][j] * v;
      norm += v * v;
    }
    if (p_.one_sign()) z = std::max(z, 0.0L);
    return norm > 0.0L ? static_cast<double>(z / norm) : 0.0;
  }
  double gain(Index c) const {
    long double total = 0.0;
    for (std::size_t k = 0; k < left_.size(); ++k) {
      long double norm = 0.0;
      for (std::size_t j = 0; j < left_[k].size(); ++j) {
        const double v = p_.v[k](static_cast<Index>(j), c);
        if (!std::isnan(left_[k][j])) norm += v * v;
      }
      total += p_.weights[k] * level(k, c) * level(k, c) * norm;
    }
    return rho_ * static_cast<double>(total);
  }
  void join(Index c, Expected& expected) {
    expected.is_member[c] = true;
    for (std::size_t k = 0; k < left_.size(); ++k) {
      const double u = level(k, c);
      expected.u[k][c] = u;
      for (std::size_t j = 0; j < left_[k].size(); ++j)
        left_[k][j] -= u * p_.v[k](static_cast<Index>(j), c);
    }
  }
  double loss() const {
    long double total = 0.0;
    for (std::size_t k = 0; k < left_.size(); ++k) {
      for (const long double cell : left_[k]) {
        if (!std::isnan(cell)) total += p_.weights[k] * cell * cell;
      }
    }
    return rho_ * static_cast<double>(total);
  }

 private:
  const Problem& p_;
  std::vector<std::vector<long double>> left_;  // NaN where missing
  double rho_ = 0.0;
};

Expected expected_of(const Problem& p, Index i) {
  constexpr double kClose = 1e-8;
  Oracle row(p, i);
  Expected expected;
  expected.is_member.resize(p.least.size());
  expected.u.assign(p.x.size(), std::vector<double>(p.least.size(), 0.0));
  const auto reaches = [&](Index c) {
    const double gain = row.gain(c);
    if (std::abs(gain - p.least[c]) <= kClose || (gain > 0.0 && gain < kClose * kClose))
      expected.is_close = expected.is_close || gain != 0.0;
    return gain > 0.0 && p.least[c] > 0.0 && gain >= p.least[c];  // 0: no fitted rows
  };
  if (p.is_refined) {
    Index best = -1;
    for (Index c = 0; c < p.rank(); ++c) {
      for (Index b = 0; b < c; ++b) {
        const double difference = std::abs(row.gain(c) - row.gain(b));
        expected.is_close = expected.is_close || (difference > 0.0 && difference < kClose);
      }
      if (row.gain(c) > (best < 0 ? 0.0 : row.gain(best))) best = c;
    }
    if (best >= 0) row.join(best, expected);
  } else {
    for (Index c = 0; c < p.rank(); ++c) {
      if (!reaches(c)) continue;
      row.join(c, expected);
      if (p.next == "exclude") break;
    }
  }
  expected.loss = row.loss();
  return expected;
}

TEST(MultiviewTransform, IsThatOfPlainLoops) {
  Rng rng = Rng::named(1, "multiview transform");
  int members = 0, outside = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Problem p = random_problem(rng);
    std::vector<Expected> rows;
    double loss = 0.0;
    bool is_close = false;
    for (Index i = 0; i < p.rows(); ++i) {
      rows.push_back(expected_of(p, i));
      loss += rows.back().loss;
      is_close = is_close || rows.back().is_close;
    }
    if (is_close) continue;
    for (const test::Storage storage : test::kStorages) {
      const Transformed found = run(p, storage);
      const Matrix& omega = array(found, "omega");
      ASSERT_EQ(omega.rows(), p.rows());
      ASSERT_EQ(omega.cols(), p.rank());
      for (Index i = 0; i < p.rows(); ++i) {
        for (Index c = 0; c < p.rank(); ++c) {
          EXPECT_EQ(omega(i, c), rows[i].is_member[c] ? 1.0 : 0.0) << trial;
          (rows[i].is_member[c] ? members : outside) += 1;
          for (std::size_t k = 0; k < p.x.size(); ++k)
            EXPECT_NEAR(array(found, fmt::format("u_{}", k))(i, c), rows[i].u[k][c], 1e-9);
        }
      }
      EXPECT_NEAR(found.terms.loss, loss, 1e-9 * (1.0 + loss));
      EXPECT_EQ(found.terms.gap(), 0.0);
    }
  }
  EXPECT_GT(members, 1000);
  EXPECT_GT(outside, 1000);
}

Problem one_row(const Problem& p, Index i) {
  Problem one = p;
  for (std::size_t k = 0; k < p.x.size(); ++k) {
    one.x[k] = Matrix(1, p.x[k].cols());
    std::copy(p.x[k].row(i).begin(), p.x[k].row(i).end(), one.x[k].data());
  }
  return one;
}

TEST(MultiviewTransform, ARowDoesNotDependOnTheOthersNorOnThreads) {
  Rng rng = Rng::named(2, "multiview transform");
  for (int trial = 0; trial < 60; ++trial) {
    const Problem p = random_problem(rng);
    for (const test::Storage storage : test::kStorages) {
      const Transformed all = run(p, storage), threaded = run(p, storage, 3);
      EXPECT_EQ(all.terms.loss, threaded.terms.loss);
      for (const NamedArray& one : all.arrays) {
        EXPECT_EQ(test::bits_of(array(all, one.name).values()),
                  test::bits_of(array(threaded, one.name).values()));
      }
      for (Index i = 0; i < p.rows(); ++i) {
        const Transformed own = run(one_row(p, i), storage);
        for (const NamedArray& one : all.arrays) {
          EXPECT_EQ(test::bits_of(array(all, one.name).row(i)),
                    test::bits_of(array(own, one.name).values()));
        }
      }
    }
  }
}

// Rows of length 1 keep their co-clusters whatever their size.
TEST(MultiviewTransform, ScalesOfRowsDoNotMatterWhereTheyHaveLengthOne) {
  Rng rng = Rng::named(3, "multiview transform");
  for (int trial = 0; trial < 40; ++trial) {
    Problem p = random_problem(rng);
    p.scaling = "rows";
    for (std::size_t k = 0; k < p.x.size(); ++k) {
      std::fill(p.center[k].begin(), p.center[k].end(), 0.0);
      std::fill(p.scale[k].begin(), p.scale[k].end(), 1.0);
    }
    for (const test::Storage storage : test::kStorages) {
      const Transformed expected = run(p, storage);
      for (const int exponent : {-900, -600, 600, 900}) {
        Problem scaled = p;
        for (Matrix& x : scaled.x) {
          for (double& value : x.values()) value = std::ldexp(value, exponent);
        }
        const Transformed found = run(scaled, storage);
        for (const NamedArray& one : expected.arrays) {
          const Matrix& a = array(expected, one.name);
          const Matrix& b = array(found, one.name);
          for (Index at = 0; at < a.size(); ++at)
            EXPECT_NEAR(a.values()[at], b.values()[at], 1e-12) << one.name << " " << exponent;
        }
      }
    }
  }
}

TEST(MultiviewTransform, ARowThatWasNotSeenBelongsToNothing) {
  Problem p;
  p.x = {Matrix(3, 2), Matrix(3, 1)};
  p.v = {Matrix(2, 2), Matrix(1, 2)};
  for (Matrix& v : p.v) {
    for (double& value : v.values()) value = 1.0;
  }
  p.center = {{0.0, 0.0}, {0.0}};
  p.scale = {{1.0, 1.0}, {1.0}};
  p.weights = {1.0, 1.0};
  p.least = {0.0, 0.0};
  p.is_refined = true;
  for (Matrix& x : p.x) {
    for (double& value : x.row(0)) value = std::nan("");
    for (double& value : x.row(2)) value = 1.0;
  }
  for (const test::Storage storage : test::kStorages) {
    const Transformed found = run(p, storage);
    const std::vector<Index> labels = strongest(found.memberships.at(0));
    EXPECT_EQ(labels, (std::vector<Index>{-1, -1, 0}));  // nothing seen, all zero, a tie
    ASSERT_EQ(found.notes.size(), 2);
    EXPECT_NE(found.notes[0].find("1 new rows have no observed"), std::string::npos);
    EXPECT_NE(found.notes[1].find("2 of 3 new rows"), std::string::npos);
  }
}

TEST(MultiviewTransform, SaysWhichArrayDoesNotFit) {
  Rng rng = Rng::named(4, "multiview transform");
  const Problem p = random_problem(rng);
  ThreadPool pool(1);
  Context ctx(pool, 0, 0);
  std::vector<Block> blocks;
  for (const Matrix& x : p.x) blocks.push_back(test::block_of(x, test::Storage::dense));
  const Dataset fresh(std::move(blocks));
  const Model model = model_of(p);
  for (std::size_t at = 0; at < model.arrays.size(); ++at) {
    Model less = model, other = model;
    less.arrays.erase(less.arrays.begin() + static_cast<Index>(at));
    other.arrays[at].values = Matrix(99, 1);
    for (const Model& bad : {less, other}) {
      test::expect_error(ErrorCode::input, {model.arrays[at].name, "fit once more"},
                         [&] { transform(fresh, options_of(p), bad, 0, ctx); });
    }
  }
  test::expect_error(ErrorCode::usage, {"groups rows"},
                     [&] { transform(fresh, options_of(p), model, 1, ctx); });
}

}  // namespace
}  // namespace gingham::methods::multiview
