// Transform of every method with factors: each new item is at the minimum of its own problem, by
// plain loops over its cells, whatever the method, the mode, the penalty and the storage.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gingham/engine/run.hpp"
#include "gingham/tools/verify.hpp"
#include "methods/tensor/random_data.hpp"

namespace gingham {
namespace {

using Real = long double;

struct Kind {
  const char* method;
  std::vector<Setting> settings;
  double low = 0.0, high = kInfinity;  // of entries where no penalty is asked for
  bool is_boxed = false;               // whatever is asked for
  double unit = 2.0;                   // of the squares in the objective, times 1/2
  bool in_order = false;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"tensor", {{"clusters", 2}}, 0.0, 1.0, true},
      {"tensor", {{"clusters", 2}, {"signed", "yes"}}, -1.0, 1.0, true},
      {"tensor", {{"clusters", 2}, {"model", "plain"}}},
      {"tensor", {{"clusters", 2}, {"strategy", "deflation"}}, 0.0, 1.0, true, 2.0, true},
      {"parafac", {{"rank", 2}}},
      {"nmf", {{"rank", 2}}, 0.0, kInfinity, false, 1.0},
      {"groupnmf", {{"rank", 2}, {"beta", 0}}, 0.0, kInfinity, false, 1.0}};
  return all;
}

struct Word {
  const char* text;
  EntryRule rule;
};
const Word kWords[] = {{"free", {}},
                       {"nonneg", {.low = 0.0}},
                       {"l1:0.9", {.l1 = 0.9}},
                       {"nonneg+l1:0.9", {.l1 = 0.9, .low = 0.0}},
                       {"box", {.low = 0.0, .high = 1.0}},
                       {"box:0.4", {.l1 = 0.4, .low = 0.0, .high = 1.0}},
                       {"ridge:1.3", {.ridge = 1.3}},
                       {"nonneg+l1:0.2+ridge:1.3", {.l1 = 0.2, .ridge = 1.3, .low = 0.0}}};

bool is_of_matrices(const Kind& kind) { return kind.unit == 1.0; }

// Two blocks of different height, noise, and zeros.
Tensor planted(const Shape& shape, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "transform items");
  Tensor x(shape);
  std::vector<Index> at(shape.size(), 0);
  for (double& cell : x.values()) {
    bool is_first = true, is_second = true;
    for (std::size_t n = 0; n < at.size(); ++n) {
      is_first = is_first && at[n] < 2;
      is_second = is_second && at[n] >= 2;
    }
    cell = (is_first ? 3.0 : is_second ? 5.0 : 0.0) + (rng.below(3) == 0 ? 0.0 : rng.uniform());
    for (std::size_t n = at.size(); n-- > 0;) {
      if (++at[n] < shape[static_cast<Index>(n)]) break;
      at[n] = 0;
    }
  }
  return x;
}

void remove_some(Tensor& x, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "holes");
  for (double& cell : x.values()) cell = rng.uniform() < 0.3 ? std::nan("") : cell;
}

struct Factors {
  std::vector<Matrix> modes;
  std::vector<double> weights;
};

Matrix turned(const Matrix& h) {
  Matrix rows(h.cols(), h.rows());
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index k = 0; k < rows.cols(); ++k) rows(i, k) = h(k, i);
  }
  return rows;
}

// The array of a mode, one row per item.
Matrix rows_of(const std::vector<NamedArray>& arrays, Index mode) {
  for (const NamedArray& one : arrays) {
    if (one.name == "mode_" + std::to_string(mode) || (one.name == "W" && mode == 0))
      return std::get<Matrix>(one.values);
    if (one.name == "H" && mode == 1) return turned(std::get<Matrix>(one.values));
  }
  ADD_FAILURE() << "no array of mode " << mode;
  return {};
}

Factors factors_of(const Model& model, Index n_modes) {
  Factors found;
  for (Index m = 0; m < n_modes; ++m) found.modes.push_back(rows_of(model.arrays, m));
  found.weights.assign(static_cast<std::size_t>(found.modes[0].cols()), 1.0);
  for (const NamedArray& one : model.arrays) {
    if (one.name == "weights") found.weights = std::get<std::vector<double>>(one.values);
  }
  return found;
}

struct Cell {
  Real x;
  std::vector<Real> z;
};

std::vector<Cell> cells_of(const Tensor& x, const Factors& factors, Index mode, Index item) {
  std::vector<Cell> cells;
  std::vector<Index> at(x.shape().size(), 0);
  for (const double value : x.values()) {
    if (at[mode] == item && !std::isnan(value)) {
      Cell cell{value, {}};
      for (std::size_t k = 0; k < factors.weights.size(); ++k) {
        Real z = factors.weights[k];
        for (Index m = 0; m < x.modes(); ++m)
          z *= m == mode ? Real{1} : Real{factors.modes[m](at[m], static_cast<Index>(k))};
        cell.z.push_back(z);
      }
      cells.push_back(std::move(cell));
    }
    for (std::size_t n = at.size(); n-- > 0;) {
      if (++at[n] < x.shape()[static_cast<Index>(n)]) break;
      at[n] = 0;
    }
  }
  return cells;
}

Real left_of(const Cell& cell, ConstVec f, std::size_t except, std::size_t n_explaining) {
  Real left = cell.x;
  for (std::size_t l = 0; l < n_explaining; ++l) left -= l == except ? 0 : cell.z[l] * f[l];
  return left;
}

// Entry k beside the others, or in order those before it.
Real best_entry(const std::vector<Cell>& cells, const EntryRule& rule, const Kind& kind, ConstVec f,
                std::size_t k, Real* curvature) {
  Real h = 0, b = 0;
  for (const Cell& cell : cells) {
    h += cell.z[k] * cell.z[k];
    b += cell.z[k] * left_of(cell, f, k, kind.in_order ? k : f.size());
  }
  *curvature = h;
  const Real l1 = rule.l1 / kind.unit;
  if (!(h > 0)) return 0;
  const Real soft = b > l1 ? b - l1 : b < -l1 ? b + l1 : Real{0};
  return std::clamp<Real>(soft / (h + rule.ridge / kind.unit), rule.low, rule.high);
}

void expect_minimum(const Tensor& x, const Factors& factors, const EntryRule& rule,
                    const Kind& kind, Index mode, const Transformed& found) {
  const Matrix f = rows_of(found.arrays, mode);
  ASSERT_EQ(f.rows(), x.shape()[mode]);
  Real loss = 0, penalty = 0;
  for (Index i = 0; i < f.rows(); ++i) {
    const std::vector<Cell> cells = cells_of(x, factors, mode, i);
    const ConstVec row = f.row(i);
    Real size = 0;
    for (const Cell& cell : cells) size += cell.x * cell.x;
    for (std::size_t k = 0; k < row.size(); ++k) {
      Real h = 0;
      const Real best = best_entry(cells, rule, kind, row, k, &h);
      EXPECT_LE(std::sqrt(h) * std::abs(row[k] - best), 1e-9L * std::sqrt(size)) << i << " " << k;
      EXPECT_TRUE(rule.low <= row[k] && row[k] <= rule.high);
      penalty += rule.l1 * std::abs(row[k]) + rule.ridge * row[k] * row[k] / 2;
    }
    for (const Cell& cell : cells) {
      const Real left = left_of(cell, row, row.size(), row.size());
      loss += kind.unit / 2 * left * left;
    }
  }
  EXPECT_NEAR(found.terms.loss, static_cast<double>(loss), 1e-12 * static_cast<double>(1 + loss));
  EXPECT_NEAR(found.terms.objective(), static_cast<double>(loss + penalty),
              1e-12 * static_cast<double>(1 + loss + penalty));
  EXPECT_LE(found.terms.gap(), 1e-9);
}

std::string mode_of(Index mode, Index n_modes) {
  if (n_modes == 2) return mode == 0 ? "rows" : "columns";
  return "mode_" + std::to_string(mode);
}

// `penalty`: empty for none. Pruning goes with --sparsity alone.
Options options_of(const Kind& kind, const std::string& penalty) {
  Options options = find_method(kind.method).make_options();
  if (!penalty.empty()) options.set("penalty", penalty);
  if (penalty.empty() && options.has("prune")) options.set("prune", "0");
  for (const Setting& one : kind.settings) options.set(one.name, one.text);
  options.set("restarts", "1");
  return options;
}

std::vector<Block> stored(const Tensor& x) {
  const bool is_matrix = x.modes() == 2;
  std::vector<Block> blocks;
  blocks.push_back(testing::dense_block(x, is_matrix));
  blocks.push_back(testing::sparse_block(x, Unlisted::zero, is_matrix));
  blocks.push_back(testing::sparse_block(x, Unlisted::missing, is_matrix));
  return blocks;
}

// What the blocks of stored() are observed to hold: of the last one zeros are not.
Tensor observed(const Tensor& x, std::size_t storage) {
  Tensor seen = x;
  for (double& cell : seen.values()) cell = storage == 2 && cell == 0.0 ? std::nan("") : cell;
  return seen;
}

EntryRule rule_of(const Kind& kind, const Word* word, const Result& fit, Index mode) {
  EntryRule rule{.low = kind.low, .high = kind.high};
  if (word != nullptr) {
    const EntryRule box = rule;
    rule = word->rule;
    if (kind.is_boxed) rule.low = std::max(rule.low, box.low);
    if (kind.is_boxed) rule.high = std::min(rule.high, box.high);
    return rule;
  }
  for (const UsedValues& used : fit.model.used) {
    if (used.option == "sparsity") rule.l1 = used.values.at(static_cast<std::size_t>(mode));
  }
  return rule;
}

int check_all(const Kind& kind, const Shape& shape, Index mode, const Word* word) {
  const MethodInfo& info = find_method(kind.method);
  Options options =
      options_of(kind, word == nullptr ? "" : mode_of(mode, std::ssize(shape)) + "=" + word->text);
  options.set("max-iterations", "20");
  const Dataset data(testing::dense_block(planted(shape, 1), std::ssize(shape) == 2));
  try {
    info.check(data, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return 0;
  }
  const Result fit = run(info, data, options);
  const Factors factors = factors_of(fit.model, std::ssize(shape));
  const EntryRule rule = rule_of(kind, word, fit, mode);
  Shape fresh = shape;
  fresh[mode] = 4;
  ThreadPool pool(1);
  Context ctx(pool, 0, 0);
  for (const bool has_holes : {false, true}) {
    Tensor x = planted(fresh, 2);
    if (has_holes) remove_some(x, 3);
    const std::vector<Block> blocks = stored(x);
    for (std::size_t storage = 0; storage < blocks.size(); ++storage) {
      SCOPED_TRACE(std::string(kind.method) + " " + (word == nullptr ? "" : word->text) + " mode " +
                   std::to_string(mode) + " storage " + std::to_string(storage) +
                   (has_holes ? " holes" : ""));
      const Transformed found =
          info.transform(Dataset(blocks[storage]), fit.options, fit.model, mode, ctx);
      expect_minimum(observed(x, storage), factors, rule, kind, mode, found);
      if (word != nullptr && !is_of_matrices(kind)) {
        EXPECT_EQ(found.terms.penalties.size(), 1);
        EXPECT_EQ(found.terms.penalties.at(0).name, "penalty_" + std::to_string(mode));
      }
    }
  }
  return 1;
}

TEST(TransformOfItems, IsAtTheMinimumWhateverTheModePenaltyAndStorage) {
  std::vector<int> n_taken;
  for (const Kind& kind : kinds()) {
    n_taken.push_back(0);
    const Shape shape = is_of_matrices(kind) ? Shape{6, 5} : Shape{5, 4, 3};
    for (Index mode = 0; mode < std::ssize(shape); ++mode) {
      n_taken.back() += check_all(kind, shape, mode, nullptr);
      for (const Word& word : kWords) n_taken.back() += check_all(kind, shape, mode, &word);
    }
  }
  EXPECT_EQ(n_taken, (std::vector<int>{27, 27, 27, 27, 24, 10, 10}));
}

TEST(TransformOfItems, OfAMatrixWithMethodsOfArrays) {
  for (const Kind& kind : kinds()) {
    if (is_of_matrices(kind)) continue;
    for (const Index mode : {0, 1}) EXPECT_EQ(check_all(kind, {6, 5}, mode, &kWords[3]), 1);
  }
}

// At a minimum each item is where it would be found again.
TEST(TransformOfItems, TheItemsOfAConvergedFitAreFoundAgain) {
  ThreadPool pool(1);
  Context ctx(pool, 0, 0);
  for (const Kind& kind : kinds()) {
    const Shape shape = is_of_matrices(kind) ? Shape{6, 5} : Shape{5, 4, 3};
    const Index asked = kind.method == std::string("groupnmf") ? 0 : 1;  // the other has --beta
    for (const bool has_holes : {false, true}) {
      for (const bool is_asked : {false, true}) {
        Tensor x = planted(shape, 4);
        if (has_holes) remove_some(x, 5);
        Options options =
            options_of(kind, is_asked ? mode_of(asked, x.modes()) + "=nonneg+l1:2%" : "");
        options.set("tolerance", "1e-10");
        options.set("max-iterations", "100000");
        const MethodInfo& info = find_method(kind.method);
        const Dataset data(testing::dense_block(x, x.modes() == 2));
        const Result fit = run(info, data, options);
        SCOPED_TRACE(std::string(kind.method) + (has_holes ? " holes" : "") +
                     (is_asked ? " asked" : "") + (kind.in_order ? " in order" : ""));
        ASSERT_EQ(fit.status, Status::converged);
        EXPECT_TRUE(verify_result(data, fit).passed());
        const Factors factors = factors_of(fit.model, x.modes());
        for (Index mode = 0; mode < x.modes(); ++mode) {
          // Where that costs, others lie in the unit ball, which holds items together.
          if (is_asked && mode != asked && !kind.is_boxed) continue;
          const Transformed found = info.transform(data, fit.options, fit.model, mode, ctx);
          const Matrix again = rows_of(found.arrays, mode);
          const Matrix& expected = factors.modes[mode];
          ASSERT_EQ(again.size(), expected.size());
          double size = 0.0;
          for (const double value : expected.values()) size = std::max(size, std::abs(value));
          for (Index at = 0; at < again.size(); ++at)
            EXPECT_NEAR(again.values()[at], expected.values()[at], 1e-5 * size) << mode;
          EXPECT_NEAR(found.terms.loss, fit.terms.loss, 1e-5 * fit.terms.loss);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gingham
