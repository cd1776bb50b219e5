#include "gingham/methods/tensor/sparsity.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "methods/multilinear/oracle.hpp"
#include "methods/tensor/planted.hpp"
#include "support/arrays.hpp"

namespace gingham::methods::tensor {
namespace {

using multilinear::Factors;
using test::expect_error;
using testing::Cells;
using testing::cells_of;
using testing::one_thread;

Options options_with(const std::vector<Setting>& settings) {
  Options options = find_method("tensor").make_options();
  for (const Setting& one : settings) options.set(one.name, one.text);
  return options;
}

std::vector<double> resolved(const Block& block, const std::vector<Setting>& settings, double cap,
                             bool is_plain = false) {
  const Observed data(block, one_thread());
  const Options options = options_with(settings);
  multilinear::Problem problem = multilinear::least_squares(data.n_modes(), options.flag("signed"));
  if (!is_plain) {
    problem = {.lambda = {}, .low = options.flag("signed") ? -1.0 : 0.0, .weight_cap = cap};
  }
  Context ctx(one_thread(), 0, 0);
  Factors start =
      multilinear::parafac_factors(data, options.integer("clusters"), options.flag("signed"), ctx);
  problem.lambda = resolve_sparsity(data, options, problem, start, one_thread());
  resolve_percentages(data, options, 0, start, problem, one_thread());
  return problem.lambda;
}

// The largest over the items of a mode of a sum over the item's observed cells.
template <class Term>
double largest_slice(const Cells& cells, Index mode, Term&& term) {
  double largest = 0.0;
  for (Index i = 0; i < cells.shape[mode]; ++i) {
    double sum = 0.0;
    for (std::size_t e = 0; e < cells.x.size(); ++e) {
      if (cells.at[e][mode] == i) sum += term(cells.x[e]);
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

TEST(TensorSparsity, NumbersAndThePapersRule) {
  Rng rng = Rng::named(1, "sparsity");
  for (int trial = 0; trial < 100; ++trial) {
    const testing::RandomCase made = testing::random_case(rng);
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Cells& cells = made.cells;
    const bool is_signed = trial % 2 == 0;
    const double cap = testing::largest_of(cells, is_signed);
    const auto n_modes = static_cast<Index>(cells.shape.size());
    const std::vector<double> numbers = resolved(made.block, {{"sparsity", 7.5}}, cap);
    const std::vector<double> papers =
        resolved(made.block, {{"sparsity", "paper"}, {"expect", "2"}, {"signed", is_signed}}, cap);
    std::string each, expect;
    for (Index n = 0; n < n_modes; ++n) {
      each += (n > 0 ? "," : "") + std::to_string(n + 1);
      expect += (n > 0 ? "," : "") + std::string(n % 2 == 0 ? "50%" : "1000");
    }
    const std::vector<double> own = resolved(made.block, {{"sparsity", each}}, cap),
                              other = resolved(made.block,
                                               {{"sparsity", "paper"},
                                                {"expect", expect},
                                                {"signed", is_signed}},
                                               cap);
    for (Index n = 0; n < n_modes; ++n) {
      if (cells.shape[n] == 1) {
        for (const auto& all : {numbers, papers, own, other}) EXPECT_EQ(all[n], 0.0);
        continue;
      }
      double paper = 0.001 * 2.0 * cap *
                     std::sqrt(largest_slice(cells, n, [](double x) { return x * x; })),
             shared = paper;
      for (Index m = 0; m < n_modes; ++m) {
        const auto items = static_cast<double>(cells.shape[m]);
        if (m != n) paper *= std::min(2.0, items);
        if (m != n) shared *= m % 2 == 0 ? 0.5 * items : items;
      }
      EXPECT_EQ(numbers[n], 7.5);
      EXPECT_EQ(own[n], static_cast<double>(n + 1));
      EXPECT_NEAR(papers[n], paper, 1e-12 * paper);
      EXPECT_NEAR(other[n], shared, 1e-12 * shared);
    }
  }
}

struct Column {
  double sum = 0.0, length = 0.0;  // with largest entry 1
};
Column column_of(const Matrix& factor, Index k) {
  const double largest = multilinear::largest_in_column(factor, k);
  Column column;
  for (Index i = 0; i < factor.rows(); ++i) {
    column.sum += factor(i, k) / largest;
    column.length += std::pow(factor(i, k) / largest, 2.0);
  }
  column.length = std::sqrt(column.length);
  return column;
}

// Scales x_m = min(t / sum_m, 1) whose product is `target`: t by halving.
std::vector<double> balanced_scales(const std::vector<Column>& columns, double target) {
  std::vector<double> scales(columns.size());
  double low = 0.0, high = 1e6;
  for (int step = 0; step < 200; ++step) {
    const double t = 0.5 * (low + high);
    double product = 1.0;
    for (std::size_t m = 0; m < columns.size(); ++m) {
      scales[m] = std::min(t / columns[m].sum, 1.0);
      product *= scales[m];
    }
    (product < target ? low : high) = t;
  }
  return scales;
}

// sigma/2 sqrt(2 ln I_n) times the median over the components of rho_k prod |a_k^(m)|, of the
// balanced least-squares fit.
TEST(TensorSparsity, AutoIsTheRuleOfTheNoise) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Index n_components = 1 + static_cast<Index>(seed) % 4;
    const Simulation made = testing::simulated({{"size", seed % 2 == 0 ? "14,12,6" : "20,15"},
                                                {"clusters", "2"},
                                                {"place", "random"},
                                                {"block", "4"},
                                                {"noise", "dense"},
                                                {"noise-level", "0.5"}},
                                               seed);
    const Block& block = made.blocks[0];
    const Observed data(block, one_thread());
    const double cap = data.largest();
    Context ctx(one_thread(), 0, 0);
    const Factors fit = multilinear::parafac_factors(data, n_components, false, ctx);
    double loss = 0.0, n_cells = 0.0;
    for_each_entry(block, [&](std::span<const Index> at, double x) {
      const std::vector<Index> place(at.begin(), at.end());
      loss += std::pow(x - static_cast<double>(testing::model_at(fit, place)), 2.0);
      n_cells += 1.0;
    });
    const std::vector<double> lambda =
        resolved(block, {{"clusters", n_components}, {"sparsity", "auto"}}, cap);
    for (Index n = 0; n < data.n_modes(); ++n) {
      std::vector<double> strengths;
      for (Index k = 0; k < n_components; ++k) {
        std::vector<Column> columns;
        for (const Matrix& mode : fit.modes) columns.push_back(column_of(mode, k));
        const std::vector<double> scales =
            balanced_scales(columns, std::min(multilinear::level(fit, k) / cap, 1.0));
        strengths.push_back(cap);
        for (Index m = 0; m < data.n_modes(); ++m) {
          if (m != n) strengths.back() *= scales[m] * columns[m].length;
        }
      }
      std::sort(strengths.begin(), strengths.end());
      const std::size_t half = strengths.size() / 2;
      const double middle = strengths.size() % 2 == 1
                                ? strengths[half]
                                : 0.5 * (strengths[half] + strengths[half - 1]);
      const auto items = static_cast<double>(data.shape()[n]);
      const double expected =
          0.5 * std::sqrt(loss / n_cells) * std::sqrt(2.0 * std::log(items)) * middle;
      EXPECT_NEAR(lambda[n], expected, 1e-9 * expected) << "seed " << seed << " mode " << n;
    }
  }
}

// Times c the model is the same with lambda times c^2 in the box, where the weights take the scale,
// and c^(2 - 1/N) without it, where each of N columns takes its share.
TEST(TensorSparsity, FollowsTheScaleOfTheData) {
  Rng rng = Rng::named(2, "sparsity");
  for (const Shape& shape : {Shape{9, 8}, Shape{7, 6, 5}, Shape{7, 1, 6, 5}}) {
    Tensor x = testing::random_tensor(shape, 2, false, rng);
    const Block block = testing::dense_block(x);
    const double n_modes = shape.size() == 2 ? 2.0 : 3.0, c = 1000.0;
    for (double& cell : x.values()) cell *= c;
    const Block larger = testing::dense_block(x);
    const double cap = testing::largest_of(cells_of(x), false);
    for (const char* const sparsity : {"auto", "30%"}) {
      for (const bool is_plain : {false, true}) {
        const std::vector<Setting> settings{{"clusters", 2}, {"sparsity", sparsity}};
        const std::vector<double> one = resolved(block, settings, cap / c, is_plain),
                                  other = resolved(larger, settings, cap, is_plain);
        const double factor = std::pow(c, is_plain ? 2.0 - 1.0 / n_modes : 2.0);
        for (std::size_t n = 0; n < one.size(); ++n) {
          EXPECT_NEAR(other[n], factor * one[n], 1e-9 * other[n]) << sparsity << " " << is_plain;
        }
      }
    }
  }
}

// 100 %: at it the first update leaves nothing, a little below it something is left; and other
// percentages are shares of that.
TEST(TensorSparsity, PercentagesAreOfWhatEmptiesTheFirstUpdate) {
  Rng rng = Rng::named(3, "percentages");
  int n_tried = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const testing::RandomCase made = testing::random_case(rng);
    const bool is_signed = trial % 2 == 0, is_plain = trial % 3 == 0;
    SCOPED_TRACE("trial " + std::to_string(trial) + " " + made.what);
    const Observed data(made.block, one_thread());
    multilinear::Problem problem = multilinear::least_squares(data.n_modes(), is_signed);
    if (!is_plain) {
      problem.low = is_signed ? -1.0 : 0.0;
      problem.high = 1.0;
      problem.weight_cap = testing::largest_of(made.cells, is_signed);
      problem.fixed_weights = false;
    }
    problem.balance = trial % 5 != 0;
    Factors start = multilinear::random_factors(data.shape(), 1 + trial % 3, is_signed, rng);
    const auto with = [&](const char* sparsity) {
      return options_with({{"sparsity", sparsity}, {"signed", is_signed}});
    };
    multilinear::Problem mixed = problem;
    std::string some;
    for (Index n = 0; n < data.n_modes(); ++n) {
      some += (n > 0 ? "," : "") + std::string(n % 2 == 0 ? "30%" : "4");
      mixed.lambda[n] = n % 2 == 0 || data.shape()[n] == 1 ? 0.0 : 4.0;
    }
    Factors same = start;
    resolve_percentages(data, with("100%"), 0, start, problem, one_thread());
    resolve_percentages(data, with(some.c_str()), 0, same, mixed, one_thread());
    for (Index n = 0; n < data.n_modes(); ++n) {
      const double expected = data.shape()[n] == 1 ? 0.0 : n % 2 == 0 ? 0.3 * problem.lambda[n] : 4.0;
      EXPECT_NEAR(mixed.lambda[n], expected, 1e-12 * (1.0 + expected));
      if (data.shape()[n] == 1 || problem.lambda[n] == 0.0) continue;
      ++n_tried;
      for (const double share : {1.0 - 1e-6, 1.0 + 1e-9}) {
        multilinear::Problem one = problem;
        one.lambda[n] *= share;
        Factors alone = start;  // beside others a column may need less, with signs more
        if (share < 1.0 || is_signed) {
          double most = -1.0;
          for (Index k = 0; k < start.n_components(); ++k) {
            std::vector<Index> order(static_cast<std::size_t>(start.n_components()));
            std::iota(order.begin(), order.end(), Index{0});
            std::swap(order[0], order[k]);
            const Factors column = multilinear::resized(multilinear::reordered(start, order), 1);
            const double own = smallest_zeros(data, one, column, one_thread())[n];
            if (own > most) alone = column;
            most = std::max(most, own);
          }
          EXPECT_NEAR(most, problem.lambda[n], 1e-9 * most);
        }
        multilinear::Solver solver(data, one);
        solver.begin(alone, 0, one_thread());
        solver.update_mode(n, one_thread());
        const ConstVec left = solver.factors().modes[n].values();
        EXPECT_EQ(std::any_of(left.begin(), left.end(), [](double x) { return x != 0.0; }),
                  share < 1.0);
      }
    }
  }
  EXPECT_GT(n_tried, 100);
}

TEST(TensorSparsity, AutoIsTheSameInAllRestarts) {
  const Simulation made = testing::simulated(
      {{"size", "16,14,8"}, {"clusters", "2"}, {"place", "random"}, {"noise", "dense"}}, 4);
  const Dataset data(made.blocks[0]);
  const std::vector<Setting> settings{{"clusters", 2}, {"sparsity", "auto"}};
  const Result one = run("tensor", data, testing::with(settings, {{"restarts", 1}})),
               many = run("tensor", data, testing::with(settings, {{"restarts", 6}}));
  EXPECT_EQ(testing::used(one, "sparsity"), testing::used(many, "sparsity"));
  EXPECT_LE(many.terms.objective(), one.terms.objective());
}

TEST(TensorSparsity, AutoOfNothingIsNothing) {
  for (const char* const model : {"box", "plain"}) {
    const Dataset data(Block("X", Tensor({4, 3, 2})));
    const Result result = run("tensor", data, {{"clusters", 2}, {"model", model}});
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_EQ(testing::used(result, "sparsity"), (std::vector<double>{0.0, 0.0, 0.0}));
    EXPECT_EQ(result.terms.objective(), 0.0);
    testing::expect_verified(data, result);
  }
}

TEST(TensorOptions, WrongOnesAreRefusedWithTheReason) {
  Rng rng = Rng::named(1, "options");
  const Dataset data(Block("counts.npy", testing::random_tensor({5, 4, 3}, 0, false, rng)));
  const auto refuse = [&](const std::vector<std::string>& says,
                          const std::vector<Setting>& settings) {
    expect_error(ErrorCode::usage, says, [&] { run("tensor", data, settings); });
  };
  refuse({"--sparsity", "2 values were given", "3 modes", "5 x 4 x 3", "one for each mode"},
         {{"sparsity", "1,2"}});
  refuse({"--sparsity", "4 values"}, {{"sparsity", "1,2,3,4"}});
  refuse({"--expect", "2 values were given", "3 modes"},
         {{"sparsity", "paper"}, {"expect", "5,5"}});
  refuse({"--sparsity", "paper needs --expect", "5,5,3"}, {{"sparsity", "paper"}});
  refuse({"--sparsity", "paper needs --expect"}, {{"sparsity", "1,paper,auto"}});
  refuse({"--expect", "found 0", "at least one"}, {{"sparsity", "paper"}, {"expect", "3,0,2"}});
  refuse({"--prune", "found 100%", "below 100%"}, {{"prune", "100%"}});
  refuse({"--prune", "found 1", "below 1"}, {{"prune", "1"}});
  refuse({"--prune", "found 250%"}, {{"prune", "250%"}});
  refuse({"--sparsity", "--model plain", "found 1,0,2", "all modes or none"},
         {{"model", "plain"}, {"sparsity", "1,0,2"}});
  refuse({"--sparsity", "--model plain", "found auto,auto,0%"},
         {{"model", "plain"}, {"sparsity", "auto,auto,0%"}});
  refuse({"sparsity", "some", "auto", "paper"}, {{"sparsity", "some"}});
  refuse({"sparsity", "-1"}, {{"sparsity", "-1"}});
  refuse({"line-search", "armijo", "polynomial"}, {{"line-search", "armijo"}});
  EXPECT_NO_THROW(run("tensor", data, {{"model", "plain"}, {"sparsity", 0}, {"restarts", 1}}));
  EXPECT_NO_THROW(run("tensor", data, {{"prune", "99%"}, {"restarts", 1}}));
}

TEST(TensorOptions, ExpectWithoutThePapersRuleIsRemarkedOn) {
  const Dataset data(Block("X", Tensor({4, 3, 2})));
  const Result result = run("tensor", data, {{"sparsity", 1}, {"expect", 2}});
  EXPECT_TRUE(std::any_of(result.model.notes.begin(), result.model.notes.end(),
                          [](const std::string& note) {
                            return note.find("--expect was not used") != std::string::npos;
                          }));
}

}  // namespace
}  // namespace gingham::methods::tensor
