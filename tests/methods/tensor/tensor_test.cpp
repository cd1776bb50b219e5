// What must hold of any fit: storage, empty modes, order of the items, and what is planted.
#include <gtest/gtest.h>

#include "gingham/engine/session.hpp"
#include "methods/multilinear/oracle.hpp"
#include "methods/tensor/planted.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using testing::dense_block;
using testing::expect_same_fit;
using testing::expect_verified;
using testing::permuted;
using testing::same_order;
using testing::scores;
using testing::simulated;
using testing::sparse_block;
using testing::with;

// Two or three blocks with noise in a few cells.
Tensor planted_tensor(const Shape& shape, std::uint64_t seed, bool is_signed = false) {
  std::string size;
  for (const Index one : shape) size += (size.empty() ? "" : ",") + std::to_string(one);
  testing::Given given{{"size", size},
                       {"clusters", "2"},
                       {"place", "random"},
                       {"block", "4"},
                       {"noise", "sparse"},
                       {"noise-level", "0.5"},
                       {"signed", is_signed ? "yes" : "no"}};
  const Simulation made = simulated(given, seed);
  if (const Tensor* tensor = made.blocks[0].dense_tensor()) return *tensor;
  const Matrix& matrix = *made.blocks[0].dense_matrix();
  Tensor x(shape);
  std::copy(matrix.values().begin(), matrix.values().end(), x.values().begin());
  return x;
}

Tensor reshaped(const Tensor& x, const Shape& shape) {
  Tensor y(shape);
  std::copy(x.values().begin(), x.values().end(), y.values().begin());
  return y;
}

const std::vector<Setting> kTight{{"tolerance", 1e-10}, {"max-iterations", 5000}};
// So many iterations and no more.
const std::vector<Setting> kFew{{"tolerance", 0}, {"max-iterations", 25}};
// What rounding grows to in these: little without a line search; with one, once hardly anything is
// left to gain, the direction itself is rounding.
double allowed(const std::vector<Setting>& settings) {
  for (const Setting& one : settings) {
    if (one.name == "line-search" && one.text == "none") return 1e-9;
  }
  return 1e-6;
}

std::vector<std::vector<Setting>> variants() {
  return {{{"clusters", 2}, {"sparsity", 3}},
          {{"clusters", 2}, {"sparsity", "auto"}},
          {{"clusters", 3}, {"sparsity", "2%"}, {"signed", true}},
          {{"clusters", 2}, {"sparsity", "paper"}, {"expect", "4"}},
          {{"clusters", 2}, {"sparsity", 2}, {"strategy", "deflation"}},
          {{"clusters", 2}, {"sparsity", 0.5}, {"model", "plain"}},
          {{"clusters", 2}, {"sparsity", "auto"}, {"line-search", "none"}},
          {{"clusters", 2}, {"sparsity", "1%"}, {"line-search", "none"}, {"signed", true}},
          {{"clusters", 2}, {"sparsity", 3}, {"line-search", "none"}, {"prune", "0"}}};
}

std::string text_of(const std::vector<Setting>& settings) {
  std::string text;
  for (const Setting& one : settings) text += " " + one.name + "=" + one.text;
  return text;
}

TEST(TensorMustHold, DenseAndSparseStorageAgree) {
  for (const char* const start : {"parafac", "svd", "random"}) {
    for (const std::vector<Setting>& variant : variants()) {
      for (const Shape& shape : {Shape{14, 12}, Shape{10, 9, 8}}) {
        const Tensor x = planted_tensor(shape, 3);
        const std::vector<Setting> settings =
            with(with(variant, kFew), {{"start", start}, {"restarts", 2}, {"race", "no"}});
        SCOPED_TRACE(shape_text(shape) + text_of(settings));
        const Dataset dense(dense_block(x)), sparse(sparse_block(x, Unlisted::zero));
        const Result one = run("tensor", dense, settings), other = run("tensor", sparse, settings);
        expect_same_fit(one, other, allowed(settings), same_order(shape));
        expect_verified(dense, one);
        expect_verified(sparse, other);
        // Every cell listed and what is not listed missing: nothing is missing.
        const Dataset listed(sparse_block(x, Unlisted::missing, false, true));
        expect_same_fit(one, run("tensor", listed, settings), allowed(settings), same_order(shape));
        if (shape.size() > 2) continue;
        const Dataset matrix(dense_block(x, true)), lean(sparse_block(x, Unlisted::zero, true));
        expect_same_fit(one, run("tensor", matrix, settings), allowed(settings), same_order(shape));
        expect_same_fit(one, run("tensor", lean, settings), allowed(settings), same_order(shape));
      }
    }
  }
}

TEST(TensorMustHold, HolesAreTheSameInEveryStorage) {
  Rng rng = Rng::named(1, "holes");
  for (const double share : {0.1, 0.7}) {
    for (const Shape& shape : {Shape{14, 12}, Shape{10, 9, 8}}) {
      Tensor x = planted_tensor(shape, 5);
      for (double& cell : x.values()) cell = rng.uniform() < share ? std::nan("") : cell;
      const Dataset dense(dense_block(x)), sparse(sparse_block(x, Unlisted::zero)),
          listed(sparse_block(x, Unlisted::missing, false, true));
      const std::vector<Setting> settings =
          with(kFew, {{"clusters", 2}, {"sparsity", 2}, {"restarts", 2}});
      SCOPED_TRACE(shape_text(shape) + " " + std::to_string(share));
      const Result one = run("tensor", dense, settings);
      expect_same_fit(one, run("tensor", sparse, settings), allowed(settings), same_order(shape));
      expect_same_fit(one, run("tensor", listed, settings), allowed(settings), same_order(shape));
      expect_verified(dense, one);
    }
  }
}

TEST(TensorMustHold, AModeOfOneItemChangesNothing) {
  for (const char* const start : {"parafac", "svd", "random"}) {
    for (const std::vector<Setting>& variant : variants()) {
      for (std::uint64_t seed = 0; seed < 2; ++seed) {
        const Shape shape{12, 15};
        const Tensor x = planted_tensor(shape, 10 + seed, text_of(variant).find("signed") < 99);
        const std::vector<Setting> settings =
            with(with(variant, kFew), {{"start", start}, {"restarts", 3}});
        const Result plain = run("tensor", Dataset(dense_block(x, true)), settings);
        const std::pair<Shape, std::vector<Index>> others[] = {
            {{12, 15, 1}, {0, 1}}, {{1, 12, 15}, {1, 2}}, {{12, 1, 15, 1}, {0, 2}}};
        for (const auto& [longer, modes] : others) {
          SCOPED_TRACE(shape_text(longer) + text_of(settings) + " seed " + std::to_string(seed));
          const Tensor y = reshaped(x, longer);
          const Dataset dense(dense_block(y)), sparse(sparse_block(y, Unlisted::zero));
          const Result one = run("tensor", dense, settings);
          expect_same_fit(plain, one, allowed(settings), same_order(shape), modes);
          expect_same_fit(plain, run("tensor", sparse, settings), allowed(settings),
                          same_order(shape), modes);
          for (const double lambda : testing::used(one, "sparsity")) EXPECT_GE(lambda, 0.0);
          const Index single = longer[2] == 1 ? 2 : longer[0] == 1 ? 0 : 1;
          EXPECT_EQ(testing::used(one, "sparsity")[single], 0.0);
          expect_verified(dense, one);
        }
      }
    }
  }
}

TEST(TensorMustHold, PermutingAModePermutesTheResult) {
  Rng rng = Rng::named(2, "orders");
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (const Shape& shape : {Shape{16, 12}, Shape{12, 11, 10}, Shape{8, 7, 6, 6}}) {
      const Tensor x = planted_tensor(shape, 20 + seed);
      std::vector<std::vector<Index>> order;
      for (const Index size : shape) order.push_back(rng.permutation(size));
      const Tensor y = permuted(x, order);
      SCOPED_TRACE(shape_text(shape) + " seed " + std::to_string(seed));
      const std::vector<Setting> svd =
          with(kTight, {{"clusters", 2}, {"sparsity", 3}, {"start", "svd"}, {"restarts", 1}});
      expect_same_fit(run("tensor", Dataset(dense_block(x)), svd),
                      run("tensor", Dataset(dense_block(y)), svd), 1e-7, order);
      expect_same_fit(run("tensor", Dataset(sparse_block(x, Unlisted::zero)), svd),
                      run("tensor", Dataset(sparse_block(y, Unlisted::zero)), svd), 1e-7, order);
      // From other random starts the same optimum.
      const std::vector<Setting> best = with(kTight, {{"clusters", 2}, {"sparsity", 3}});
      expect_same_fit(run("tensor", Dataset(dense_block(x)), best),
                      run("tensor", Dataset(dense_block(y)), best), 1e-6, order);
    }
  }
}

// 2 rho_max max_i (sum over slice i of x+), in the box no step from anywhere leaves anything.
TEST(TensorMustHold, SparsityOfTheBoundLeavesNothing) {
  Rng rng = Rng::named(3, "bound");
  for (int trial = 0; trial < 60; ++trial) {
    const bool is_signed = trial % 2 == 0;
    const Shape shape = testing::random_shape(rng);
    Tensor x = testing::random_tensor(shape, static_cast<int>(rng.below(5)), is_signed, rng);
    if (trial % 3 == 0) {
      for (double& cell : x.values()) cell = rng.uniform() < 0.3 ? std::nan("") : cell;
    }
    const bool has_one = std::any_of(x.values().begin(), x.values().end(), [&](double cell) {
      return is_signed ? std::abs(cell) > 0.0 : cell > 0.0;
    });
    const bool has_mode = std::any_of(shape.begin(), shape.end(), [](Index n) { return n > 1; });
    if (!has_one || !has_mode) continue;
    const Dataset data(trial % 5 < 2 ? dense_block(x) : sparse_block(x, Unlisted::zero));
    const testing::Cells cells = testing::cells_of(x);
    double bound = 0.0;
    for (Index n = 0; n < std::ssize(shape); ++n) {
      std::vector<double> sums(static_cast<std::size_t>(shape[n]), 0.0);
      for (std::size_t e = 0; e < cells.x.size(); ++e)
        sums[cells.at[e][n]] += is_signed ? std::abs(cells.x[e]) : std::max(cells.x[e], 0.0);
      bound = std::max(bound, *std::max_element(sums.begin(), sums.end()));
    }
    bound *= 2.0 * testing::largest_of(cells, is_signed);
    for (const double share : {1.0, 2.5}) {
      for (const char* const strategy : {"joint", "deflation"}) {
        const std::vector<Setting> settings{
            {"clusters", 2},       {"sparsity", share * bound},
            {"signed", is_signed}, {"strategy", strategy},
            {"restarts", 3},       {"start", trial % 2 == 0 ? "random" : "parafac"}};
        SCOPED_TRACE("trial " + std::to_string(trial) + " " + shape_text(shape) +
                     text_of(settings));
        const Result result = run("tensor", data, settings);
        EXPECT_EQ(result.status, Status::converged);
        EXPECT_EQ(result.vector("levels"), (std::vector<double>{0.0, 0.0}));
        for (const Membership& mode : result.model.memberships) EXPECT_TRUE(mode.members.empty());
        double squares = 0.0;
        for_each_entry(data.block(0), [&](std::span<const Index>, double value) {
          squares += std::isnan(value) ? 0.0 : value * value;
        });
        EXPECT_NEAR(result.terms.objective(), squares, 1e-12 * squares);
        ASSERT_FALSE(result.model.notes.empty());
        EXPECT_NE(result.model.notes[0].find("2 of 2 co-clusters are empty"), std::string::npos);
        expect_verified(data, result);
      }
    }
  }
}

// Also where co-clusters die and are fitted anew.
TEST(TensorMustHold, TheObjectiveNeverRises) {
  Rng rng = Rng::named(4, "traces");
  const char* const sparsities[] = {"0", "5%", "20%", "50%"};
  const char* const searches[] = {"none", "grid", "backtracking", "polynomial", "majorize"};
  int n_empty = 0;
  for (int trial = 0; trial < 240; ++trial) {
    const bool is_signed = trial % 2 == 0;
    const Shape shape = testing::random_shape(rng);
    const Tensor x = testing::random_tensor(shape, trial % 3, is_signed, rng);
    const Dataset data(trial % 4 < 2 ? dense_block(x) : sparse_block(x, Unlisted::zero));
    const std::vector<Setting> settings{
        {"clusters", 4},         {"sparsity", sparsities[rng.below(4)]},
        {"signed", is_signed},   {"line-search", searches[trial % 5]},
        {"restarts", 2},         {"start", "random"},
        {"prune", "20%"},        {"model", trial % 7 == 0 ? "plain" : "box"},
        {"max-iterations", 200}, {"strategy", trial % 6 == 0 ? "deflation" : "joint"}};
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + shape_text(shape) + text_of(settings));
    const Result result = run("tensor", data, settings);
    EXPECT_NE(result.status, Status::numerical_failure);
    double squares = 0.0;
    for (const double cell : x.values()) squares += cell * cell;
    for (std::size_t i = 1; i < result.trace.size(); ++i) {
      if (result.trace[i].component != result.trace[i - 1].component) continue;
      EXPECT_LE(result.trace[i].objective, result.trace[i - 1].objective + 1e-10 * squares);
    }
    for (const double level : result.vector("levels")) n_empty += level == 0.0 ? 1 : 0;
    expect_verified(data, result);
  }
  EXPECT_GT(n_empty, 50);
}

// What stays are the entries of at least this share of their column's largest before.
TEST(TensorMustHold, PruningKeepsTheLargeEntriesAndNoOthers) {
  int n_taken = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const bool is_signed = seed % 2 == 0;
    const Shape shape{14, 12, 8};
    const Dataset data(dense_block(planted_tensor(shape, 40 + seed, is_signed)));
    const std::vector<Setting> settings =
        with(kTight, {{"clusters", 2}, {"sparsity", 0.4}, {"signed", is_signed}, {"restarts", 1}});
    const Result all = run("tensor", data, with(settings, {{"prune", "0"}})),
                 pruned = run("tensor", data, with(settings, {{"prune", "25%"}}));
    EXPECT_EQ(testing::used(all, "prune"), (std::vector<double>{0.0, 0.0}));
    EXPECT_EQ(testing::used(pruned, "prune"), (std::vector<double>{0.25, 0.25}));
    EXPECT_GE(pruned.terms.objective(), all.terms.objective() * (1.0 - 1e-9));
    for (Index n = 0; n < 3; ++n) {
      const Matrix &a = all.matrix("mode_" + std::to_string(n)),
                   &b = pruned.matrix("mode_" + std::to_string(n));
      for (Index k = 0; k < 2; ++k) {
        double largest = 0.0;
        for (Index i = 0; i < shape[n]; ++i) largest = std::max(largest, std::abs(a(i, k)));
        for (Index i = 0; i < shape[n]; ++i) {
          EXPECT_EQ(b(i, k) != 0.0, a(i, k) != 0.0 && std::abs(a(i, k)) >= 0.25 * largest)
              << "seed " << seed << " mode " << n << " entry " << i << ", " << k;
          n_taken += a(i, k) != 0.0 && b(i, k) == 0.0 ? 1 : 0;
        }
      }
    }
    expect_verified(data, pruned);
  }
  EXPECT_GT(n_taken, 20);
}

// Saves the run after every step, in the middle of a sweep too.
class Snapshots final : public Observer {
 public:
  Verdict notice(const Event& event) override {
    taken.push_back(event.session.snapshot());
    return Verdict::go_on;
  }
  std::vector<std::vector<std::byte>> taken;
};

TEST(TensorMustHold, GoesOnFromAnyStepToTheSameBits) {
  const MethodInfo& info = find_method("tensor");
  for (const std::vector<Setting>& variant : variants()) {
    for (const Shape& shape : {Shape{9, 7}, Shape{8, 5, 6}, Shape{8, 1, 5, 4}}) {
      SCOPED_TRACE(shape_text(shape) + text_of(variant));
      const Dataset data(dense_block(planted_tensor(shape, 7)));
      Options options = info.make_options();
      for (const Setting& one : variant) options.set(one.name, one.text);
      options.set("restarts", "2");
      options.set("max-iterations", "6");
      Snapshots snapshots;
      const Result whole = run(info, data, options, {&snapshots});
      // Every place of a sweep of two or three modes, though not every step.
      for (std::size_t i = 0; i < snapshots.taken.size(); i += 5) {
        const Result resumed = run(info, data, options, {}, nullptr, snapshots.taken[i]);
        EXPECT_EQ(resumed.terms.objective(), whole.terms.objective());
        EXPECT_EQ(resumed.iterations, whole.iterations);
        for (Index n = 0; n < std::ssize(shape); ++n) {
          const std::string name = "mode_" + std::to_string(n);
          EXPECT_EQ(test::bits_of(resumed.matrix(name).values()),
                    test::bits_of(whole.matrix(name).values()));
        }
      }
    }
  }
}

TEST(TensorMustHold, FourAndFiveModesFindWhatIsPlanted) {
  for (const char* const size : {"12,11,10,9", "9,8,8,7,7"}) {
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      const Simulation made = simulated({{"size", size},
                                         {"clusters", "2"},
                                         {"place", "random"},
                                         {"block", "3"},
                                         {"noise-level", "0.5"}},
                                        seed);
      const Dataset data(made.blocks[0]);
      SCOPED_TRACE(std::string(size) + " seed " + std::to_string(seed));
      for (const char* const sparsity : {"auto", "3"}) {
        const Result result =
            run("tensor", data, {{"clusters", 2}, {"sparsity", sparsity}, {"restarts", 4}});
        EXPECT_EQ(result.status, Status::converged);
        EXPECT_EQ(scores(result, made, 2).all, 1.0) << sparsity;
        expect_verified(data, result);
      }
    }
  }
}

// The components' own cost is looked at one by one, and nothing at all is a candidate too.
TEST(TensorMustHold, NoResultCostsMoreThanWithoutOneOfItsCoClusters) {
  int n_kept = 0, n_empty = 0;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Tensor x = planted_tensor({16, 15, 8}, 40 + seed);
    const testing::Cells cells = testing::cells_of(x);
    const Dataset data(seed == 1 ? sparse_block(x, Unlisted::zero) : dense_block(x));
    for (const char* const sparsity : {"2%", "5%", "10%", "20%", "40%"}) {
      for (const char* const strategy : {"joint", "deflation"}) {
        const std::vector<Setting> settings{{"clusters", 3},
                                            {"sparsity", sparsity},
                                            {"strategy", strategy},
                                            {"restarts", 1},
                                            {"model", seed == 2 ? "plain" : "box"}};
        SCOPED_TRACE("seed " + std::to_string(seed) + text_of(settings));
        const Result result = run("tensor", data, settings);
        testing::Factors factors;
        for (Index n = 0; n < 3; ++n) {
          factors.modes.push_back(result.matrix("mode_" + std::to_string(n)));
        }
        factors.weights = result.vector("weights");
        testing::Problem problem{.lambda = testing::used(result, "sparsity")};
        const auto cost = static_cast<double>(testing::naive_cost(cells, problem, factors)),
                   squares = static_cast<double>(cells.squares());
        EXPECT_NEAR(result.terms.objective(), cost, 1e-10 * cost);
        EXPECT_LE(cost, squares * (1.0 + 1e-12));
        for (Index k = 0; k < 3; ++k) {
          const bool is_empty = factors.weights[k] == 0.0;
          (is_empty ? n_empty : n_kept) += 1;
          testing::Factors without = factors;
          without.weights[k] = 0.0;
          for (Matrix& mode : without.modes) {
            for (Index i = 0; i < mode.rows(); ++i) mode(i, k) = 0.0;
          }
          // Of deflation the last one there is: the others are what it was fitted beside.
          const bool is_last = k == 2 || factors.weights[k + 1] == 0.0;
          if (std::string(strategy) == "deflation" && !is_last) continue;
          EXPECT_LE(cost, static_cast<double>(testing::naive_cost(cells, problem, without)) *
                              (1.0 + 1e-12));
        }
        EXPECT_EQ(result.status, Status::converged);
        expect_verified(data, result);
      }
    }
  }
  EXPECT_GT(n_kept, 10);
  EXPECT_GT(n_empty, 10);
}

TEST(TensorMustHold, WhereNothingCanBeFoundTheModelIsEmptyAndSaysWhy) {
  const auto filled = [](double value) {
    Tensor x({4, 3, 5});
    for (double& cell : x.values()) cell = value;
    return x;
  };
  const std::pair<Tensor, const char*> cases[] = {{filled(std::nan("")), "no value is observed"},
                                                  {filled(0.0), "every observed value is 0"},
                                                  {filled(-2.0), "--signed"}};
  for (const auto& [x, reason] : cases) {
    for (const char* const sparsity : {"auto", "0", "1"}) {
      for (const char* const model : {"box", "plain"}) {
        for (const char* const strategy : {"joint", "deflation"}) {
          const std::vector<Setting> settings{{"clusters", 2},
                                              {"sparsity", sparsity},
                                              {"model", model},
                                              {"strategy", strategy},
                                              {"restarts", 2}};
          SCOPED_TRACE(reason + text_of(settings));
          const Dataset data(dense_block(x));
          const Result result = run("tensor", data, settings);
          for (const Membership& mode : result.model.memberships) EXPECT_TRUE(mode.members.empty());
          ASSERT_FALSE(result.model.notes.empty());
          EXPECT_NE(result.model.notes[0].find(reason), std::string::npos);
          for (const std::string& note : result.model.notes) {
            EXPECT_EQ(note.find("--sparsity"), std::string::npos) << note;
          }
          expect_verified(data, result);
        }
      }
    }
  }
}

// The seed is the context's: what the options say of it reaches no random number.
TEST(TensorMustHold, RandomNumbersComeFromTheContext) {
  const Dataset data(dense_block(planted_tensor({12, 11, 10}, 50)));
  const MethodInfo& info = find_method("tensor");
  for (const char* const strategy : {"joint", "deflation"}) {
    std::vector<std::vector<std::uint64_t>> bits;
    for (const char* const seed : {"1", "2"}) {
      Options options = info.make_options();
      options.set("strategy", strategy);
      options.set("sparsity", "20%");
      options.set("seed", seed);
      const std::unique_ptr<Method> method = info.make(options);
      ThreadPool pool(1);
      Context ctx(pool, 5, 0);
      ctx = Context(pool, 5, 0, nullptr, info.derive(data, options, ctx));
      method->start(data, ctx);
      for (int step = 0; step < 30; ++step) {
        if (method->step(ctx) == Done::iteration && step > 20) break;
      }
      const Model model = method->model(ctx);
      bits.emplace_back();
      for (const NamedArray& array : model.arrays) {
        if (const auto* factor = std::get_if<Matrix>(&array.values)) {
          for (const auto one : test::bits_of(factor->values())) bits.back().push_back(one);
        }
      }
    }
    EXPECT_FALSE(bits[0].empty());
    EXPECT_EQ(bits[0], bits[1]) << strategy;
  }
}

}  // namespace
}  // namespace gingham
