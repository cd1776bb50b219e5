// What must hold of multi-view co-clusters.
#include <gtest/gtest.h>

#include <numeric>

#include "gingham/engine/run.hpp"
#include "gingham/kernels/small_svd.hpp"
#include "gingham/metrics/nmi.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/multiview/random_views.hpp"

namespace gingham {
namespace {

using testing::random_view;
using testing::view_block;

Matrix normal_matrix(Index rows, Index columns, Rng& rng) {
  Matrix x(rows, columns);
  for (double& value : x.values()) value = rng.normal();
  return x;
}

// Groups of `rows` / groups rows with columns of their own in each view, of that height.
struct Planted {
  std::vector<Matrix> views;
  std::vector<Index> labels;
};

Planted planted(Index rows, Index groups, Index rest, double height, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "planted co-clusters");
  Planted made;
  for (Index i = 0; i < rows; ++i) {
    const Index label = i * (groups + rest) / rows;
    made.labels.push_back(label < groups ? label : -1);
  }
  for (const Index own : {4, 3}) {
    Matrix x = normal_matrix(rows, own * groups + 6, rng);
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; made.labels[i] >= 0 && j < own; ++j) {
        x(i, made.labels[i] * own + j) += height;
      }
    }
    made.views.push_back(std::move(x));
  }
  return made;
}

Dataset dataset(const std::vector<Matrix>& views, bool sparse = false) {
  std::vector<Block> blocks;
  for (std::size_t k = 0; k < views.size(); ++k) {
    blocks.push_back(view_block(views[k], "view" + std::to_string(k), sparse));
  }
  return Dataset(std::move(blocks));
}

Result fit(const Dataset& data, const std::vector<Setting>& settings) {
  const Result result = run("multiview", data, settings);
  const Verification verification = verify_result(data, result);
  EXPECT_TRUE(verification.passed()) << (verification.passed() ? "" : verification.differences[0]);
  return result;
}

Index nonzeros(const Matrix& x, Index column) {
  Index count = 0;
  for (Index i = 0; i < x.rows(); ++i) count += x(i, column) != 0.0 ? 1 : 0;
  return count;
}

// Largest slope of the loss in u on the rows and v on the columns of co-cluster 0, relative to the
// size of the products, for --scale none.
double slope_on_supports(const std::vector<Matrix>& views, const Result& result) {
  double worst = 0.0;
  const Matrix& omega = result.matrix("omega");
  for (std::size_t k = 0; k < views.size(); ++k) {
    const Matrix& u = result.matrix("u_" + std::to_string(k));
    const Matrix& v = result.matrix("v_" + std::to_string(k));
    double most = 0.0;
    std::vector<double> slopes;
    for (Index i = 0; i < u.rows(); ++i) {
      double z = 0.0, norm = 0.0;
      for (Index j = 0; j < v.rows(); ++j) {
        z += views[k](i, j) * v(j, 0);
        norm += v(j, 0) * v(j, 0);
      }
      most = std::max(most, std::abs(z));
      if (omega(i, 0) != 0.0) slopes.push_back(std::abs(omega(i, 0) * u(i, 0) * norm - z));
    }
    for (const double slope : slopes) worst = std::max(worst, slope / most);
    most = 0.0;
    slopes.clear();
    for (Index j = 0; j < v.rows(); ++j) {
      double y = 0.0, norm = 0.0;
      for (Index i = 0; i < u.rows(); ++i) {
        const double a = omega(i, 0) * u(i, 0);
        y += views[k](i, j) * a;
        norm += a * a;
      }
      most = std::max(most, std::abs(y));
      if (v(j, 0) != 0.0) slopes.push_back(std::abs(v(j, 0) * norm - y));
    }
    for (const double slope : slopes) worst = std::max(worst, slope / most);
  }
  return worst;
}

TEST(Multiview, SharesOfTheViewsAddUpToTheWhole) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Planted made = planted(40, 3, 1, 2.0, seed);
    const double weight[] = {0.5, 2.0};
    double squares[2] = {0.0, 0.0};
    for (std::size_t k = 0; k < 2; ++k) {
      for (const double x : made.views[k].values()) squares[k] += x * x;
    }
    const double all = weight[0] * squares[0] + weight[1] * squares[1];
    const Result result =
        fit(dataset(made.views),
            {{"clusters", 3}, {"rows", 10}, {"weights", "0.5,2"}, {"scale", "none"}});
    for (const Component& component : result.model.components) {
      const std::vector<double>& shares = component.block_explained;
      ASSERT_EQ(shares.size(), 2u);
      const double sum = weight[0] * squares[0] * shares[0] + weight[1] * squares[1] * shares[1];
      EXPECT_NEAR(sum / all, component.explained, 1e-12);
    }
    const Result alone = fit(dataset({made.views[0]}), {{"clusters", 1}, {"rows", 10}});
    EXPECT_TRUE(alone.model.components[0].block_explained.empty());
    Result changed = result;
    changed.model.components[0].block_explained[1] += 1e-6;
    EXPECT_FALSE(verify_result(dataset(made.views), changed).passed());
  }
}

TEST(Multiview, BothSolversEndAtCriticalPointsAndExactIsNoSlower) {
  Index n_same = 0, n_exact = 0, n_palm = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Planted made = planted(60, 3, 1, 2.0, seed);
    std::vector<Setting> settings{{"clusters", 1},     {"rows", 15},
                                  {"columns", "4,3"},  {"scale", "none"},
                                  {"tolerance", 1e-9}, {"max-iterations", 200000}};
    const Result exact = fit(dataset(made.views), settings);
    settings.push_back({"solver", "palm"});
    const Result palm = fit(dataset(made.views), settings);
    for (const Result* result : {&exact, &palm}) {
      EXPECT_EQ(result->status, Status::converged);
      EXPECT_EQ(nonzeros(result->matrix("omega"), 0), 15);
      EXPECT_EQ(nonzeros(result->matrix("v_0"), 0), 4);
      EXPECT_EQ(nonzeros(result->matrix("v_1"), 0), 3);
      EXPECT_LT(slope_on_supports(made.views, *result), 1e-6);
    }
    // palm leaves fewer points: where it ends elsewhere it may end sooner.
    const double difference = exact.terms.objective() - palm.terms.objective();
    if (std::abs(difference) > 1e-9 * exact.terms.objective()) continue;
    n_exact += exact.iterations;
    n_palm += palm.iterations;
    ++n_same;
  }
  EXPECT_GE(n_same, 10);
  EXPECT_LE(n_exact, n_palm + n_same);  // exact sees its gap one iteration later
}

TEST(Multiview, OneViewWithAllRowsAndColumnsIsTheLeadingSingularPair) {
  Rng rng = Rng::named(3, "pair");
  for (int trial = 0; trial < 5; ++trial) {
    const Matrix x = normal_matrix(6 + trial, 6 + trial, rng);
    const Result result = fit(dataset({x}), {{"clusters", 1},
                                             {"rows", "100%"},
                                             {"columns", "100%"},
                                             {"scale", "none"},
                                             {"sign", "any"},
                                             {"tolerance", 1e-10},
                                             {"max-iterations", 100000}});
    Matrix transposed(x.cols(), x.rows());
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0; j < x.cols(); ++j) transposed(j, i) = x(i, j);
    }
    const SmallSvd svd = small_svd(transposed);
    EXPECT_NEAR(result.model.components[0].weight, svd.s[0], 1e-9 * svd.s[0]);
    const Matrix &u = result.matrix("u_0"), &v = result.matrix("v_0");
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0; j < x.cols(); ++j) {
        EXPECT_NEAR(u(i, 0) * v(j, 0), svd.s[0] * svd.p(0, i) * svd.q(0, j), 1e-7);
      }
    }
  }
}

TEST(Multiview, TwoIdenticalViewsGiveTheRowsOfOne) {
  const Planted made = planted(60, 2, 1, 2.0, 5);
  const std::vector<Setting> settings{{"clusters", 2}, {"rows", 20}, {"columns", 4}};
  const Result one = fit(dataset({made.views[0]}), settings);
  const Result two = fit(dataset({made.views[0], made.views[0]}), settings);
  EXPECT_EQ(one.labels("rows"), two.labels("rows"));
  EXPECT_EQ(one.labels("columns_0"), two.labels("columns_1"));
}

TEST(Multiview, AViewScaledByCWithWeightOneOverCSquaredChangesNothing) {
  for (const char* const scale : {"none", "center"}) {
    for (const char* const solver : {"exact", "palm"}) {
      const Planted made = planted(50, 2, 1, 2.0, 6);
      std::vector<Matrix> scaled = made.views;
      for (double& value : scaled[1].values()) value *= 8.0;
      std::vector<Setting> settings{{"clusters", 2},  {"rows", 17},       {"columns", 4},
                                    {"scale", scale}, {"solver", solver}, {"max-iterations", 2000}};
      const Result plain = fit(dataset(made.views), settings);
      settings.push_back({"weights", "1,0.015625"});
      const Result other = fit(dataset(scaled), settings);
      EXPECT_EQ(plain.labels("rows"), other.labels("rows"));
      EXPECT_EQ(plain.labels("columns_1"), other.labels("columns_1"));
      EXPECT_NEAR(plain.terms.objective(), other.terms.objective(), 1e-9 * plain.terms.objective());
    }
  }
}

TEST(Multiview, PlantedGroupsAndTheirColumnsAreFoundDenseAndSparse) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Planted made = planted(90, 3, 1, 3.0, seed);
    const std::vector<Setting> settings{{"clusters", 3}, {"rows", 23}, {"columns", "4,3"}};
    const Result dense = fit(dataset(made.views), settings);
    const Result sparse = fit(dataset(made.views, true), settings);
    EXPECT_GT(nmi(made.labels, dense.labels("rows")), 0.9) << seed;
    EXPECT_EQ(dense.labels("rows"), sparse.labels("rows"));
    EXPECT_NEAR(dense.terms.objective(), sparse.terms.objective(), 1e-9 * dense.terms.objective());
    for (const char* const key : {"columns_0", "columns_1"}) {
      const std::vector<Index> columns = dense.labels(key);
      const Index own = std::string(key) == "columns_0" ? 4 : 3;
      for (Index j = 0; j < 3 * own; ++j) EXPECT_GE(columns[j], 0);
      for (Index j = 3 * own; j < std::ssize(columns); ++j) EXPECT_EQ(columns[j], -1);
    }
  }
}

TEST(Multiview, RefinementLeavesNoRowThatAnotherCoclusterExplainsBetter) {
  const Planted made = planted(80, 4, 0, 2.0, 8);
  const std::vector<Setting> settings{{"clusters", 4}, {"rows", 20}, {"columns", "100%"}};
  std::vector<Setting> without = settings;
  without.push_back({"refine", "no"});
  const Result refined = fit(dataset(made.views), settings);
  const Result as_found = fit(dataset(made.views), without);
  EXPECT_LE(refined.terms.objective(), as_found.terms.objective() * (1 + 1e-12));
  EXPECT_GT(nmi(made.labels, refined.labels("rows")), 0.95);
  for (const NamedValue& gap : refined.terms.gaps) {
    EXPECT_LE(gap.value, 1e-6) << gap.name;
  }
}

TEST(Multiview, SwapsFindTheSameGroupingFromPoorStarts) {
  const Planted made = planted(120, 6, 0, 2.5, 9);
  double best = INFINITY, worst = 0.0;
  for (Index seed = 0; seed < 6; ++seed) {
    const Result result = fit(
        dataset(made.views),
        {{"clusters", 6}, {"rows", 20}, {"columns", "100%"}, {"start", "random"}, {"seed", seed}});
    best = std::min(best, result.terms.objective());
    worst = std::max(worst, result.terms.objective());
  }
  EXPECT_LT(worst, best * 1.001);
}

TEST(Multiview, RowsThatAViewDidNotSeeAreGroupedByTheOthers) {
  Planted made = planted(90, 3, 0, 4.0, 10);
  for (Index i = 0; i < 90; i += 4) {
    for (double& cell : made.views[i % 8 == 0 ? 0 : 1].row(i)) cell = std::nan("");
  }
  for (const char* const rows : {"30", "25"}) {
    const Result result =
        fit(dataset(made.views), {{"clusters", 3}, {"rows", rows}, {"columns", "4,3"}});
    std::vector<Index> expected, found;
    const std::vector<Index> labels = result.labels("rows");
    Index n_grouped = 0;
    for (Index i = 0; i < 90; i += 4) {
      n_grouped += labels[i] >= 0 ? 1 : 0;
      if (labels[i] < 0) continue;
      expected.push_back(made.labels[i]);
      found.push_back(labels[i]);
    }
    EXPECT_GE(n_grouped, 16) << rows;  // of 23: no fewer than their share
    EXPECT_GT(nmi(expected, found), 0.85) << rows;
  }
}

TEST(Multiview, ARowWithoutCellsInTheColumnsChosenHasNoWeightThere) {
  Planted made = planted(60, 2, 1, 3.0, 15);
  Rng rng = Rng::named(15, "holes");
  testing::make_holes(0.3, 0.0, rng, made.views[1]);
  for (const char* const solver : {"exact", "palm"}) {
    const Result result = fit(dataset(made.views), {{"clusters", 2},
                                                    {"rows", 20},
                                                    {"columns", "4,1"},
                                                    {"start", "random"},
                                                    {"solver", solver},
                                                    {"max-iterations", 20000}});
    const Matrix &u = result.matrix("u_1"), &v = result.matrix("v_1");
    for (Index c = 0; c < 2; ++c) {
      for (Index i = 0; i < 60; ++i) {
        bool has_cells = false;
        for (Index j = 0; j < v.rows(); ++j)
          has_cells = has_cells || (v(j, c) != 0.0 && !std::isnan(made.views[1](i, j)));
        if (!has_cells) {
          EXPECT_EQ(u(i, c), 0.0) << solver;
        }
      }
    }
  }
}

TEST(Multiview, ARowThatNoViewSawBelongsToNone) {
  Planted made = planted(40, 2, 0, 3.0, 11);
  for (Matrix& view : made.views) {
    for (double& cell : view.row(7)) cell = std::nan("");
  }
  const Result result = fit(dataset(made.views), {{"clusters", 2}, {"rows", 20}});
  EXPECT_EQ(result.labels("rows")[7], -1);
}

TEST(Multiview, DeflationLetsCoclustersShareRows) {
  Rng rng = Rng::named(12, "overlap");
  std::vector<Matrix> views;
  for (int k = 0; k < 2; ++k) {
    Matrix x = normal_matrix(60, 20, rng);
    for (Index i = 0; i < 60; ++i) {
      for (Index j = 0; j < 5; ++j) {
        if (i < 30) x(i, j) += 6.0;
        if (i >= 20 && i < 45) x(i, 5 + j) += 4.0;
      }
    }
    views.push_back(std::move(x));
  }
  const Result result = fit(
      dataset(views),
      {{"clusters", 2}, {"rows", "30,25"}, {"columns", 5}, {"scale", "none"}, {"next", "deflate"}});
  const Matrix& omega = result.matrix("omega");
  Index both = 0;
  for (Index i = 20; i < 30; ++i) both += omega(i, 0) != 0.0 && omega(i, 1) != 0.0 ? 1 : 0;
  EXPECT_EQ(both, 10);
}

TEST(Multiview, WithoutOneSignOppositeRowsShareACocluster) {
  Rng rng = Rng::named(13, "signs");
  Matrix x = normal_matrix(40, 10, rng);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 5; ++j) x(i, j) += i < 10 ? 5.0 : (i < 20 ? -5.0 : 0.0);
  }
  const auto upper_rows = [&](const char* sign, const char* rows) {
    const Result result =
        fit(dataset({x}), {{"clusters", 1}, {"rows", rows}, {"columns", 5}, {"sign", sign}});
    const std::vector<Index> labels = result.labels("rows");
    return std::pair(std::count(labels.begin(), labels.begin() + 10, 0),
                     std::count(labels.begin() + 10, labels.begin() + 20, 0));
  };
  const auto [any_up, any_down] = upper_rows("any", "20");
  EXPECT_EQ(any_up + any_down, 20);
  const auto [one_up, one_down] = upper_rows("one", "10");
  EXPECT_EQ(one_up * one_down, 0);
  EXPECT_EQ(one_up + one_down, 10);
}

// center, scale and least_gain, which transform goes by, from the data by plain loops.
TEST(Multiview, WhatNewRowsAreComparedWithFollowsFromTheData) {
  const Planted made = planted(50, 2, 1, 2.0, 16);
  const std::vector<double> weights{1.0, 2.5};
  const Result result =
      fit(dataset(made.views),
          {{"clusters", 2}, {"rows", 15}, {"columns", "4,3"}, {"weights", "1,2.5"}});
  std::vector<std::vector<double>> gains(2, std::vector<double>(50, 0.0));
  for (std::size_t k = 0; k < 2; ++k) {
    const Matrix &x = made.views[k], &v = result.matrix("v_" + std::to_string(k));
    const std::vector<double>& center = result.vector("center_" + std::to_string(k));
    const std::vector<double>& scale = result.vector("scale_" + std::to_string(k));
    for (Index j = 0; j < x.cols(); ++j) {
      double mean = 0.0, squares = 0.0;
      for (Index i = 0; i < 50; ++i) mean += x(i, j) / 50.0;
      for (Index i = 0; i < 50; ++i) squares += (x(i, j) - mean) * (x(i, j) - mean) / 50.0;
      EXPECT_NEAR(center[j], mean, 1e-12);
      EXPECT_NEAR(scale[j], 1.0 / std::sqrt(squares), 1e-10);
    }
    for (Index c = 0; c < 2; ++c) {
      double norm = 0.0;
      for (Index j = 0; j < x.cols(); ++j) norm += v(j, c) * v(j, c);
      for (Index i = 0; i < 50; ++i) {
        double z = 0.0;
        for (Index j = 0; j < x.cols(); ++j) z += (x(i, j) - center[j]) * scale[j] * v(j, c);
        gains[c][i] += weights[k] * std::max(z, 0.0) * std::max(z, 0.0) / norm;
      }
    }
  }
  const Matrix& omega = result.matrix("omega");
  for (Index c = 0; c < 2; ++c) {
    double least = INFINITY;
    for (Index i = 0; i < 50; ++i)
      least = omega(i, c) != 0.0 ? std::min(least, gains[c][i]) : least;
    EXPECT_NEAR(result.vector("least_gain")[c], least, 1e-9 * least);
  }
}

// |X - sum_c a_c v_c^T|^2 of the observed cells, for --scale none and all rows seen in all views.
double residual_squares(const std::vector<Matrix>& views, const Result& result) {
  long double sum = 0.0;
  const Matrix& omega = result.matrix("omega");
  for (std::size_t k = 0; k < views.size(); ++k) {
    const Matrix& u = result.matrix("u_" + std::to_string(k));
    const Matrix& v = result.matrix("v_" + std::to_string(k));
    for (Index i = 0; i < u.rows(); ++i) {
      for (Index j = 0; j < v.rows(); ++j) {
        long double cell = views[k](i, j);
        if (std::isnan(views[k](i, j))) continue;
        for (Index c = 0; c < u.cols(); ++c) {
          cell -= static_cast<long double>(omega(i, c)) * u(i, c) * v(j, c);
        }
        sum += cell * cell;
      }
    }
  }
  return static_cast<double>(sum);
}

// What is left when nearly all is explained is no difference of two large numbers.
TEST(Multiview, TheLossOfANearlyPerfectFitIsExact) {
  Rng rng = Rng::named(18, "nearly perfect");
  for (const char* const next : {"exclude", "deflate"}) {
    for (const bool sparse : {false, true}) {
      for (const bool holes : {false, true}) {
        std::vector<Matrix> views;
        for (const Index columns : {7, 5}) {
          Matrix x(20, columns);
          for (Index i = 0; i < 20; ++i) {
            for (Index j = 0; j < columns; ++j) {
              const bool is_in = (i < 10) == (j < columns / 2);
              const auto a = static_cast<double>(i), b = static_cast<double>(j);
              x(i, j) = is_in ? (2.0 + 0.1 * a) * (1.0 + 0.5 * b) : 0.0;
              x(i, j) += 1e-9 * rng.normal();
              if (holes && (i + j) % 6 == 0) x(i, j) = std::nan("");
            }
          }
          views.push_back(std::move(x));
        }
        const Result result = fit(dataset(views, sparse), {{"clusters", 2},
                                                           {"rows", 10},
                                                           {"columns", "100%"},
                                                           {"scale", "none"},
                                                           {"next", next},
                                                           {"tolerance", 1e-9},
                                                           {"refine", "no"}});
        const double expected = residual_squares(views, result);
        EXPECT_LT(expected, 1e-13);
        EXPECT_NEAR(result.terms.loss, expected, 1e-5 * expected) << next << sparse << holes;
      }
    }
  }
}

TEST(Multiview, AResultWhoseCoclustersShareARowIsRefused) {
  const Planted made = planted(30, 2, 0, 3.0, 19);
  Result result = fit(dataset(made.views), {{"clusters", 2}, {"rows", 10}});
  for (NamedArray& array : result.model.arrays) {
    if (array.name != "omega") continue;
    Matrix& omega = std::get<Matrix>(array.values);
    for (Index i = 0; i < 30; ++i) omega(i, 0) = omega(i, 1) = 1.0;
  }
  EXPECT_THROW(verify_result(dataset(made.views), result), Error);
}

// A fit that did not keep to its options does not verify.
TEST(Multiview, AnotherNumberInTheOptionsOrTheResultIsFound) {
  const Planted made = planted(30, 2, 1, 3.0, 21);
  const Dataset data = dataset(made.views);
  const Result whole = fit(data, {{"clusters", 2}, {"rows", "8,9"}, {"columns", "50%"}});
  const auto is_found = [&](const char* option, const char* value) {
    Result changed = whole;
    changed.options.set(option, value);
    return !verify_result(data, changed).passed();
  };
  EXPECT_FALSE(is_found("rows", "8,9"));
  EXPECT_TRUE(is_found("rows", "7,9"));
  EXPECT_TRUE(is_found("rows", "8,10"));
  EXPECT_TRUE(is_found("rows", "30%"));
  EXPECT_TRUE(is_found("columns", "5"));
  EXPECT_TRUE(is_found("columns", "70%"));
  EXPECT_TRUE(is_found("weights", "1,2"));
  EXPECT_TRUE(is_found("scale", "unit"));
  Result changed = whole;
  changed.model.used[0].values[1] = 10.0;
  EXPECT_FALSE(verify_result(data, changed).passed());
  // Counts beyond what there is are all there is.
  fit(data, {{"clusters", 1}, {"rows", 500}, {"columns", 13}});
}

TEST(Multiview, DataThatSayNothingGiveNoMembers) {
  Rng rng = Rng::named(20, "little");
  Matrix missing(4, 3);
  for (double& cell : missing.values()) cell = std::nan("");
  const Matrix zero(4, 3), row = normal_matrix(1, 5, rng);
  for (const std::vector<Matrix>& views : {std::vector<Matrix>{missing, missing},
                                           {zero, zero},
                                           {zero, missing},
                                           {row},
                                           {Matrix(1, 1)}}) {
    for (const char* const solver : {"exact", "palm"}) {
      for (const char* const next : {"exclude", "deflate"}) {
        const Result result =
            fit(dataset(views), {{"clusters", 2}, {"solver", solver}, {"next", next}});
        EXPECT_EQ(result.status, Status::converged);
        EXPECT_EQ(result.terms.objective(), 0.0);
        EXPECT_EQ(result.model.notes.size(), views.size());
        for (const Membership& one : result.model.memberships) EXPECT_TRUE(one.members.empty());
      }
    }
  }
  const Matrix column = normal_matrix(5, 1, rng);
  for (const char* const solver : {"exact", "palm"}) {
    const Result result =
        fit(dataset({column}), {{"clusters", 2}, {"rows", 2}, {"solver", solver}});
    EXPECT_EQ(nonzeros(result.matrix("omega"), 0), 2);
  }
}

TEST(Multiview, ConstantColumnsAreMentioned) {
  Planted made = planted(40, 2, 0, 3.0, 17);
  for (Index i = 0; i < 40; ++i) made.views[1](i, 0) = made.views[1](i, 2) = 7.0;
  const Result result = fit(dataset(made.views), {{"clusters", 2}});
  ASSERT_EQ(result.model.notes.size(), 1U);
  EXPECT_NE(result.model.notes[0].find("2 of the 12 columns of view 1"), std::string::npos);
}

TEST(Multiview, LimitsAreGivenOncePerClusterAndPerView) {
  const Planted made = planted(60, 2, 1, 3.0, 14);
  const Result result =
      fit(dataset(made.views), {{"clusters", 2}, {"rows", "10,25%"}, {"columns", "3,50%"}});
  const Matrix& omega = result.matrix("omega");
  EXPECT_EQ(nonzeros(omega, 0), 10);
  EXPECT_EQ(nonzeros(omega, 1), 15);
  EXPECT_EQ(nonzeros(result.matrix("v_0"), 0), 3);
  EXPECT_EQ(nonzeros(result.matrix("v_1"), 1), 6);
  const auto refusal = [&](const char* option, const char* value) {
    try {
      run("multiview", dataset(made.views), {{"clusters", 2}, {option, value}});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_NE(refusal("rows", "1,2,3").find("clusters"), std::string::npos);
  EXPECT_NE(refusal("columns", "1,2,3").find("views"), std::string::npos);
  EXPECT_NE(refusal("weights", "1,0").find("above 0"), std::string::npos);
}

}  // namespace
}  // namespace gingham
