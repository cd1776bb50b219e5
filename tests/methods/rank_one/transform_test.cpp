// New rows and columns by the rules of the fit, against plain loops.
#include <gtest/gtest.h>

#include <cmath>

#include "gingham/engine/run.hpp"
#include "gingham/methods/rank_one/recompute_signal.hpp"
#include "methods/contract_data.hpp"

namespace gingham {
namespace {

Matrix planted(Index rows, Index cols, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "new items");
  Matrix x(rows, cols);
  for (double& value : x.values()) value = rng.normal();
  for (Index i = 0; i < rows / 2; ++i) {
    for (Index j = 0; j < cols / 3; ++j) x(i, j) += 4.0;
    for (Index j = cols / 2; j < cols; ++j) x(rows - 1 - i / 2, j) -= 3.0;
  }
  return x;
}

std::vector<Matrix> series(const std::vector<Index>& rows, Index cols, std::uint64_t seed) {
  std::vector<Matrix> all;
  for (const Index m : rows) all.push_back(planted(m, cols, seed + all.size()));
  return all;
}

void make_holes(std::vector<Matrix>& all, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "holes");
  for (Matrix& x : all) {
    for (double& value : x.values()) value = rng.uniform() < 0.25 ? std::nan("") : value;
  }
}

Dataset dataset(const std::vector<Matrix>& all, bool sparse = false) {
  std::vector<Block> blocks;
  for (const Matrix& x : all) {
    const std::string name = "time " + std::to_string(blocks.size());
    sparse ? blocks.emplace_back(name, SparseMatrix::from_dense(x)) : blocks.emplace_back(name, x);
  }
  return Dataset(std::move(blocks));
}

Transformed apply(const char* method, const Result& fit, const Dataset& fresh, Index mode,
                  int threads = 1) {
  ThreadPool pool(threads);
  Context ctx(pool, 0, 0);
  return find_method(method).transform(fresh, fit.options, fit.model, mode, ctx);
}

const Matrix& array(const Transformed& found, const std::string& name) {
  for (const NamedArray& one : found.arrays) {
    if (one.name == name) return std::get<Matrix>(one.values);
  }
  throw Error(ErrorCode::internal, name, "is not there");
}

double used(const Result& fit, const std::string& option, Index component) {
  for (const UsedValues& one : fit.model.used) {
    if (one.option == option) return one.values[component];
  }
  return 0.0;
}

std::string name(const Result& fit, const char* letter, Index time) {
  return fit.method == "ssvd" ? letter : letter + std::string("_") + std::to_string(time);
}

double entry(const Result& fit, const char* array, Index time, Index component) {
  return fit.method == "ssvd" ? fit.vector(array)[component] : fit.matrix(array)(time, component);
}

// u of new rows (v of new columns where `mode` is 1) of every time by the definition: per item the
// problem over the times with numbers used, deflated component by component.
std::vector<Matrix> plain(const Result& fit, const std::vector<Matrix>& fresh, Index mode,
                          double exponent) {
  const Index t = std::ssize(fresh), n_components = std::ssize(fit.model.components);
  const std::string side = mode == 0 ? "row" : "column";
  const std::string fusion = side + "-fusion";
  const bool tied = t > 1 && fit.options.has(fusion) &&
                    fit.options.penalty(fusion).kind == PenaltyValue::Kind::word;
  std::vector<Matrix> rest = fresh, found;
  for (const Matrix& x : fresh) {
    found.emplace_back(mode == 0 ? x.rows() : x.cols(), n_components);
  }
  for (Index k = 0; k < n_components; ++k) {
    const double lambda = used(fit, side + "-sparsity", k);
    const double gamma = t > 1 ? used(fit, fusion, k) : 0.0;
    std::vector<std::vector<long double>> b, h;
    for (Index i = 0; i < t; ++i) {
      const Matrix& other = fit.matrix(name(fit, mode == 0 ? "v" : "u", i));
      const Matrix& x = rest[i];
      b.emplace_back(found[i].rows());
      h.emplace_back(found[i].rows());
      double absent = 0.0;
      for (Index j = 0; j < other.rows(); ++j) absent += std::abs(other(j, k));
      for (Index r = 0; r < x.rows(); ++r) {
        for (Index c = 0; c < x.cols(); ++c) {
          const Index item = mode == 0 ? r : c;
          const double o = other(mode == 0 ? c : r, k);
          if (std::isnan(x(r, c))) continue;
          b[i][item] += x(r, c) * o;
          h[i][item] += o * o;
        }
      }
      if (absent == 0.0) h[i].assign(h[i].size(), 1);
    }
    for (Index i = 0; i < t; ++i) {
      for (Index r = 0; r < found[i].rows(); ++r) {
        long double x = 0;
        if (gamma > 0.0 || tied) {
          std::vector<long double> one_h, one_b, alpha;
          for (Index l = 0; l < t; ++l) {
            one_h.push_back(h[l][r]);
            one_b.push_back(b[l][r]);
            alpha.push_back(h[l][r] > 0 ? lambda : 0.0);
          }
          x = methods::rank_one::plain_fused(one_h, one_b, alpha, tied ? 1e30L : gamma)[i];
        } else if (h[i][r] > 1e-12L) {
          const long double z = b[i][r] / h[i][r];
          const long double kept =
              std::abs(z) -
              lambda * std::pow(std::abs(z), -static_cast<long double>(exponent)) / h[i][r];
          x = kept > 0 ? std::copysign(kept, z) : 0.0L;
        }
        const double length = entry(fit, mode == 0 ? "row_lengths" : "column_lengths", i, k);
        found[i](r, k) = length > 0.0 ? static_cast<double>(x) / length : 0.0;
      }
      const Matrix& other = fit.matrix(name(fit, mode == 0 ? "v" : "u", i));
      const double level = entry(fit, "levels", i, k);
      for (Index r = 0; r < rest[i].rows(); ++r) {
        for (Index c = 0; c < rest[i].cols(); ++c) {
          rest[i](r, c) -= level * found[i](mode == 0 ? r : c, k) * other(mode == 0 ? c : r, k);
        }
      }
    }
  }
  return found;
}

struct Case {
  const char* method;
  std::vector<Setting> settings;
  bool rows_may_differ = true, columns_may_differ = true;
};

std::vector<Case> cases() {
  return {
      {"ssvd", {{"clusters", 2}}},
      {"ssvd", {{"clusters", 2}, {"adaptive", 0}, {"row-sparsity", "30%"}}},
      {"ssvd", {{"clusters", 2}, {"adaptive", 0}, {"row-sparsity", 0}, {"column-sparsity", 0.5}}},
      {"evolving", {{"clusters", 2}}, true, false},
      {"evolving",
       {{"clusters", 2}, {"row-sparsity", "20%"}, {"column-fusion", "30%"}},
       true,
       false},
      {"evolving", {{"clusters", 2}, {"column-fusion", 0}}},
      {"evolving",
       {{"clusters", 2}, {"column-fusion", 0.7}, {"row-fusion", 0.5}, {"row-sparsity", 0.4}},
       false,
       false},
      {"evolving", {{"clusters", 2}, {"column-fusion", 0}, {"row-fusion", "max"}}, false, true}};
}

Result fitted(const Case& one, const Dataset& data) {
  std::vector<Setting> settings = one.settings;
  settings.emplace_back("tolerance", 1e-10);
  settings.emplace_back("max-iterations", 5000);
  return run(one.method, data, settings);
}

std::vector<Matrix> fresh_for(const Case& one, Index mode, std::uint64_t seed) {
  if (std::string(one.method) == "ssvd") {
    return {mode == 0 ? planted(7, 15, seed) : planted(18, 6, seed)};
  }
  const bool differ = mode == 0 ? one.rows_may_differ : one.columns_may_differ;
  std::vector<Matrix> all;
  for (Index i = 0; i < 3; ++i) {
    const Index more = differ ? i : 0;
    all.push_back(mode == 0 ? planted(5 + more, 15, seed + static_cast<std::uint64_t>(i))
                            : planted(18, 4 + more, seed + static_cast<std::uint64_t>(i)));
  }
  return all;
}

std::vector<Matrix> fit_data(const Case& one) {
  if (std::string(one.method) == "ssvd") return {planted(18, 15, 3)};
  return series({18, 18, 18}, 15, 3);
}

TEST(RankOneTransform, TheFitsOwnItemsComeOutAsTheyAreThere) {
  for (const bool holes : {false, true}) {
    for (const Case& one : cases()) {
      std::vector<Matrix> matrices = fit_data(one);
      if (holes) make_holes(matrices, 1);
      const Dataset data = dataset(matrices);
      const Result fit = fitted(one, data);
      if (fit.status != Status::converged) continue;
      for (const Index mode : {Index{0}, Index{1}}) {
        const Transformed found = apply(one.method, fit, data, mode);
        for (Index i = 0; i < data.size(); ++i) {
          const std::string factor = name(fit, mode == 0 ? "u" : "v", i);
          const Matrix &before = fit.matrix(factor), &after = array(found, factor);
          for (Index e = 0; e < before.size(); ++e) {
            EXPECT_NEAR(after.data()[e], before.data()[e], 1e-6) << one.method << factor;
            EXPECT_EQ(after.data()[e] == 0.0, before.data()[e] == 0.0) << one.method << factor;
          }
          const std::string key = std::string(mode == 0 ? "rows" : "columns") +
                                  (fit.method == "ssvd" ? "" : "_" + std::to_string(i));
          EXPECT_EQ(strongest(found.memberships[i]), fit.labels(key));
        }
        EXPECT_NEAR(found.terms.loss, fit.terms.loss, 1e-6 * fit.terms.loss);
        EXPECT_NEAR(found.terms.penalties[0].value, fit.terms.penalties[mode].value,
                    1e-5 * (1.0 + fit.terms.penalties[mode].value));
      }
    }
  }
}

TEST(RankOneTransform, NewItemsAreThoseOfPlainLoops) {
  for (const bool holes : {false, true}) {
    for (const Case& one : cases()) {
      const Result fit = fitted(one, dataset(fit_data(one)));
      const double g = fit.options.has("adaptive") ? fit.options.real("adaptive") : 0.0;
      for (const Index mode : {Index{0}, Index{1}}) {
        std::vector<Matrix> fresh = fresh_for(one, mode, 20);
        if (holes) make_holes(fresh, 2);
        for (double& value : fresh[0].row(2)) value = 0.0;  // an item, or a cell of each item
        const Transformed found = apply(one.method, fit, dataset(fresh), mode);
        const Transformed sparse = apply(one.method, fit, dataset(fresh, true), mode, 3);
        const std::vector<Matrix> expected = plain(fit, fresh, mode, g);
        double loss = 0.0;
        for (std::size_t i = 0; i < fresh.size(); ++i) {
          const auto time = static_cast<Index>(i);
          const std::string factor = name(fit, mode == 0 ? "u" : "v", time);
          const Matrix &dense = array(found, factor), &listed = array(sparse, factor);
          ASSERT_EQ(dense.size(), expected[i].size());
          for (Index e = 0; e < dense.size(); ++e) {
            EXPECT_NEAR(dense.data()[e], expected[i].data()[e], 1e-9) << one.method << " " << mode;
            EXPECT_NEAR(dense.data()[e], listed.data()[e], 1e-10) << one.method << " " << mode;
          }
          const Matrix& other = fit.matrix(name(fit, mode == 0 ? "v" : "u", time));
          for (Index r = 0; r < fresh[i].rows(); ++r) {
            for (Index c = 0; c < fresh[i].cols(); ++c) {
              double rest = fresh[i](r, c);
              for (Index k = 0; k < 2; ++k) {
                rest -= entry(fit, "s", time, k) * dense(mode == 0 ? r : c, k) *
                        other(mode == 0 ? c : r, k);
              }
              if (!std::isnan(rest)) loss += 0.5 * rest * rest;
            }
          }
        }
        EXPECT_NEAR(found.terms.loss, loss, 1e-9 * loss);
      }
    }
  }
}

TEST(RankOneTransform, WhatIsHeldTogetherOverTimeIsTheSameAtAllTimes) {
  const Result fit = run("evolving", dataset(series({9, 9}, 8, 1)), {{"clusters", 1}});
  const Dataset uneven = dataset({planted(9, 3, 1), planted(9, 4, 1)});
  try {
    apply("evolving", fit, uneven, 1);
    ADD_FAILURE() << "columns that differ were taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    EXPECT_NE(std::string(error.what()).find("the same new ones"), std::string::npos);
  }
  EXPECT_EQ(apply("evolving", fit, dataset(series({2, 5}, 8, 4)), 0).memberships[1].n_items, 5);
}

TEST(RankOneTransform, AnItemNobodyObservedHasNoMembersAndIsSaidToBe) {
  Matrix fresh = planted(4, 15, 5);
  for (double& value : fresh.row(1)) value = std::nan("");
  const Result fit = run("ssvd", dataset({planted(18, 15, 3)}), {{"clusters", 2}});
  const Transformed found = apply("ssvd", fit, dataset({fresh}), 0);
  for (Index k = 0; k < 2; ++k) EXPECT_EQ(array(found, "u")(1, k), 0.0);
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_NE(found.notes[0].find("1 of 4 new rows"), std::string::npos);
}

}  // namespace
}  // namespace gingham
