// What must hold of learnt dictionaries, by plain loops and by comparing runs.
#include <gtest/gtest.h>

#include <cmath>

#include "gingham/engine/run.hpp"
#include "gingham/engine/session.hpp"
#include "gingham/kernels/blas.hpp"
#include "gingham/kernels/coding.hpp"
#include "gingham/methods/dictionary/renewal.hpp"
#include "gingham/tools/simulate.hpp"
#include "gingham/tools/verify.hpp"
#include "support/arrays.hpp"
#include "support/matrix_rows.hpp"

namespace gingham {
namespace {

using Real = long double;

struct Setting {
  std::string name, text;
};

Options options_of(const std::vector<Setting>& settings) {
  Options options = find_method("dictionary").make_options();
  for (const Setting& one : settings) options.set(one.name, one.text);
  return options;
}

Result fit(const Dataset& data, const Options& options) {
  const Result result = run(find_method("dictionary"), data, options);
  const Verification verification = verify_result(data, result);
  EXPECT_TRUE(verification.passed()) << (verification.passed() ? "" : verification.differences[0]);
  return result;
}

Matrix random_samples(Index n, Index p, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "samples");
  Matrix x(n, p);
  for (double& value : x.values()) value = rng.normal();
  return x;
}

Matrix turned(const Matrix& x) {
  Matrix y(x.cols(), x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) y(j, i) = x(i, j);
  }
  return y;
}

const SparseMatrix& codes_of(const Result& result) {
  for (const NamedArray& array : result.model.arrays) {
    if (array.name == "codes") return std::get<SparseMatrix>(array.values);
  }
  throw Error(ErrorCode::internal, "", "no codes");
}

bool has_note(const Result& result, const std::string& part) {
  for (const std::string& note : result.model.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

bool same_arrays(const Result& a, const Result& b) {
  const SparseMatrix &x = codes_of(a), &y = codes_of(b);
  return std::ranges::equal(a.matrix("dictionary").values(), b.matrix("dictionary").values()) &&
         std::ranges::equal(x.values(), y.values()) &&
         std::ranges::equal(x.columns(), y.columns()) &&
         std::ranges::equal(x.pointers(), y.pointers()) && a.terms.loss == b.terms.loss;
}

// Algorithm 1 by plain loops on samples that are used as they are, in the order given.
struct Plain {
  std::vector<std::vector<Real>> atoms, codes;
  std::vector<Real> h;

  void visit(Index i, ConstVec x, Real lambda, Index steps) {
    std::vector<Real>& z = codes[i];
    std::vector<Real> r(x.begin(), x.end());
    for (std::size_t j = 0; j < atoms.size(); ++j) add(r, j, -z[j]);
    std::vector<bool> is_in(atoms.size(), true);
    for (Index pass = 0; pass < steps; ++pass) {
      for (std::size_t j = 0; j < atoms.size() && pass == 1; ++j) is_in[j] = z[j] != 0;
      for (std::size_t j = 0; j < atoms.size(); ++j) {
        if (!is_in[j]) continue;
        const Real squares = inner(atoms[j], atoms[j]);
        const Real v = inner(atoms[j], r) + squares * z[j];
        const Real best = std::copysign(std::max<Real>(std::abs(v) - lambda, 0), v) / squares;
        add(r, j, z[j] - best);
        z[j] = best;
      }
    }
    for (std::size_t j = 0; j < atoms.size(); ++j) {
      if (z[j] == 0) continue;
      h[j] += z[j] * z[j];
      for (std::size_t t = 0; t < r.size(); ++t) atoms[j][t] += z[j] / h[j] * r[t];
      const Real length = std::sqrt(inner(atoms[j], atoms[j]));
      for (Real& value : atoms[j]) value /= std::max<Real>(length, 1);
    }
  }
  static Real inner(const std::vector<Real>& a, const std::vector<Real>& b) {
    Real total = 0;
    for (std::size_t t = 0; t < a.size(); ++t) total += a[t] * b[t];
    return total;
  }
  void add(std::vector<Real>& r, std::size_t j, Real factor) const {
    for (std::size_t t = 0; t < r.size(); ++t) r[t] += factor * atoms[j][t];
  }
};

TEST(Dictionary, OfSingleSamplesIsThePapersToTheLetter) {
  const Index n = 40, p = 9, m = 12, epochs = 3, steps = 3;
  const Matrix x = random_samples(n, p, 1);
  Options options = options_of({{"atoms", "12"},
                                {"batch", "1"},
                                {"epochs", "3"},
                                {"lambda", "0.4"},
                                {"normalize", "no"},
                                {"precision", "double"},
                                {"learning-rate", "paper"}});
  const Matrix first = random_samples(p, m, 2);
  options.attach_matrix("init", first);
  const Result result = fit(Dataset(x), options);
  Plain plain;
  for (Index j = 0; j < m; ++j) {
    std::vector<Real> atom;
    for (Index t = 0; t < p; ++t) atom.push_back(first(t, j));
    const Real length = std::sqrt(Plain::inner(atom, atom));
    for (Real& value : atom) value /= std::max<Real>(length, 1);
    plain.atoms.push_back(atom);
  }
  plain.codes.assign(n, std::vector<Real>(m, 0));
  plain.h.assign(m, 0);
  for (Index epoch = 0; epoch < epochs; ++epoch) {
    Rng rng = Rng::named(0, "pool 0 of epoch " + std::to_string(epoch), 0);
    for (const Index i : rng.permutation(n)) plain.visit(i, x.row(i), 0.4L, steps);
  }
  for (Index j = 0; j < m; ++j) {
    for (Index t = 0; t < p; ++t)
      EXPECT_NEAR(result.matrix("dictionary")(t, j), static_cast<double>(plain.atoms[j][t]), 1e-9);
  }
  std::vector<double> squares(static_cast<std::size_t>(m), 0.0);
  for (const NamedArray& array : result.model.arrays) {
    if (array.name != "codes") continue;
    const auto& codes = std::get<SparseMatrix>(array.values);
    for (Index k = 0; k < codes.entries(); ++k)
      squares[codes.columns()[k]] += codes.values()[k] * codes.values()[k];
  }
  for (Index j = 0; j < m; ++j) EXPECT_NEAR(result.vector("curvature")[j], squares[j], 1e-9);
}

TEST(Dictionary, HasTheSameBitsForAnyThreadsAndWhenStreamed) {
  const Matrix x = random_samples(1300, 20, 3);
  for (const char* batch : {"auto", "1", "100"}) {
    for (const char* precision : {"float", "double"}) {
      SCOPED_TRACE(std::string(batch) + " " + precision);
      Options options = options_of({{"atoms", "40"},
                                    {"batch", batch},
                                    {"precision", precision},
                                    {"epochs", "2"},
                                    {"threads", "1"}});
      const Result one = run(find_method("dictionary"), Dataset(x), options);
      options.set("threads", "3");
      EXPECT_TRUE(same_arrays(one, run(find_method("dictionary"), Dataset(x), options)));
      EXPECT_TRUE(same_arrays(
          one, run(find_method("dictionary"), Dataset(test::streamed_block(x)), options)));
      EXPECT_TRUE(same_arrays(one, run(find_method("dictionary"),
                                       Dataset(Block("x", SparseMatrix::from_dense(x))), options)));
    }
  }
}

TEST(Dictionary, OfColumnsIsThatOfTheTransposesRows) {
  const Matrix x = random_samples(90, 14, 4);
  Options options = options_of({{"atoms", "20"}, {"epochs", "2"}});
  const Result rows = fit(Dataset(x), options);
  options.set("samples", "columns");
  const Result columns = fit(Dataset(turned(x)), options);
  EXPECT_TRUE(same_arrays(rows, columns));
  EXPECT_EQ(columns.model.memberships[0].mode, "columns");
}

// Share of planted atoms that some atom found is parallel to.
double recovered(const Matrix& planted, const Matrix& found) {
  Index n_found = 0;
  for (Index j = 0; j < planted.cols(); ++j) {
    double best = 0.0;
    for (Index k = 0; k < found.cols(); ++k) {
      Real inner = 0, a = 0, b = 0;
      for (Index t = 0; t < planted.rows(); ++t) {
        inner += planted(t, j) * found(t, k);
        a += planted(t, j) * planted(t, j);
        b += found(t, k) * found(t, k);
      }
      if (b > 0) best = std::max(best, static_cast<double>(std::abs(inner) / std::sqrt(a * b)));
    }
    n_found += best >= 0.99 ? 1 : 0;
  }
  return static_cast<double>(n_found) / static_cast<double>(planted.cols());
}

TEST(Dictionary, FindsAPlantedOne) {
  for (const char* batch : {"auto", "1"}) {
    for (int seed = 0; seed < 3; ++seed) {
      const Simulation made =
          make_simulation("dictionary", {{"samples", "8000"}, {"length", "32"}, {"atoms", "48"}},
                          static_cast<std::uint64_t>(seed));
      const Options options = options_of({{"atoms", "48"},
                                          {"epochs", "20"},
                                          {"batch", batch},
                                          {"normalize", "no"},
                                          {"lambda", "0.2"}});
      const Result result = run(find_method("dictionary"), Dataset(made.blocks[0]), options);
      EXPECT_GE(recovered(std::get<Matrix>(made.truth[0].values), result.matrix("dictionary")),
                0.95)
          << batch << " " << seed;
    }
  }
}

TEST(Dictionary, SaysWhatBecomesOfAwkwardSamples) {
  Matrix x = random_samples(30, 8, 6);
  for (Index t = 0; t < 8; ++t) {
    x(3, t) = 0.0;
    x(7, t) = 0.1;      // constant
    x(9, t) = x(8, t);  // a sample that comes twice is no trouble
  }
  const Result result = fit(Dataset(x), options_of({{"atoms", "50"}}));
  EXPECT_TRUE(has_note(result, "2 of 30 samples are constant"));
  EXPECT_TRUE(has_note(result, "fewer samples than atoms"));
  const SparseMatrix& codes = codes_of(result);
  EXPECT_EQ(codes.pointers()[3], codes.pointers()[4]);
  EXPECT_EQ(codes.pointers()[7], codes.pointers()[8]);
  const Result nothing = fit(Dataset(x), options_of({{"atoms", "5"}, {"lambda", "200%"}}));
  EXPECT_EQ(nothing.status, Status::converged);
  EXPECT_TRUE(has_note(nothing, "all codes are zero"));
  x(2, 5) = std::nan("");
  test::expect_error(ErrorCode::input, {"missing", "dictionary takes complete data only"}, [&] {
    fit(Dataset(x), options_of({{"atoms", "5"}}));
  });
}

TEST(Dictionary, CountsWhoUsesAnAtomAndKeepsAtomsInTheBall) {
  const Result result = fit(Dataset(random_samples(200, 10, 11)), options_of({{"atoms", "15"}}));
  const SparseMatrix& codes = codes_of(result);
  for (Index j = 0; j < 15; ++j) {
    Index n_users = 0;
    Real squares = 0;
    for (Index k = 0; k < codes.entries(); ++k) n_users += codes.columns()[k] == j ? 1 : 0;
    for (Index t = 0; t < 10; ++t)
      squares +=
          static_cast<Real>(result.matrix("dictionary")(t, j)) * result.matrix("dictionary")(t, j);
    EXPECT_EQ(result.vector("usage")[j], static_cast<double>(n_users));
    EXPECT_LE(static_cast<double>(squares), 1.0 + 1e-6);
  }
}

// Two atoms are one, and the samples left over all point elsewhere.
TEST(DictionaryRenewal, ReplacesAnAtomThatAnotherCanStandFor) {
  ThreadPool pool(2);
  const BlasSingleThread blas;
  Atoms<double> atoms(3, 6);
  atoms.row(0)[0] = atoms.row(1)[0] = atoms.row(2)[1] = 1.0;
  atoms.refresh(pool);
  methods::dictionary::RenewalBasis<double> basis;
  basis.energy = {1.0, 1.0, 1.0};
  basis.lambda = 0.1;
  basis.residuals.assign(static_cast<std::size_t>(20 * atoms.stride()), 0.0);
  for (Index i = 0; i < 20; ++i) basis.residuals[i * atoms.stride() + 4] = i % 2 == 0 ? 1.0 : -2.0;
  Atoms<double> moved = atoms;
  const std::vector<Index> replaced = methods::dictionary::renew(moved, basis, pool);
  ASSERT_EQ(replaced.size(), 1u);
  EXPECT_LT(replaced[0], 2);
  for (Index t = 0; t < 6; ++t)
    EXPECT_NEAR(std::abs(moved.row(replaced[0])[t]), t == 4 ? 1.0 : 0.0, 1e-12);
  for (double& value : basis.residuals) value *= 0.04;  // below lambda: nothing is to gain
  EXPECT_TRUE(methods::dictionary::renew(atoms, basis, pool).empty());
}

TEST(Dictionary, RefusesWhatDoesNotFit) {
  const Dataset data(random_samples(20, 6, 7));
  Options options = options_of({{"atoms", "4"}});
  options.attach_matrix("init", random_samples(4, 6, 1));
  test::expect_error(ErrorCode::input, {"--init", "6 x 4"}, [&] { fit(data, options); });
  for (const char* rate :
       {"fast", "adaptive:2", "adaptive:", "natural:1", "natural:0,1", "natural:1,-1", "paper:1"}) {
    test::expect_error(ErrorCode::usage, {"--learning-rate", rate}, [&] {
      fit(data, options_of({{"learning-rate", rate}}));
    });
  }
  test::expect_error(ErrorCode::usage, {"--batch", "whole number"}, [&] {
    fit(data, options_of({{"batch", "2.5"}}));
  });
}

TEST(Dictionary, BatchesAndSinglesEndNearEachOther) {
  const Simulation made = make_simulation(
      "dictionary", {{"samples", "6000"}, {"length", "24"}, {"atoms", "40"}, {"snr", "10"}}, 3);
  const Dataset data(made.blocks[0]);
  double least = HUGE_VAL, most = 0.0;
  for (const char* batch : {"auto", "1", "64"}) {
    const Result result =
        fit(data, options_of({{"atoms", "40"}, {"epochs", "10"}, {"batch", batch}}));
    least = std::min(least, result.terms.objective());
    most = std::max(most, result.terms.objective());
  }
  EXPECT_LT(most, 1.03 * least);
}

// What a visit gains is less than the gap: it must not end a run.
TEST(Dictionary, OfSingleSamplesStopsEarlyOnlyWhereItHasConverged) {
  const Dataset data(random_samples(60, 8, 21));
  for (double tolerance = 0.3; tolerance > 0.003; tolerance *= 0.9) {
    const Result result = fit(data, options_of({{"atoms", "12"},
                                                {"batch", "1"},
                                                {"epochs", "8"},
                                                {"tolerance", std::to_string(tolerance)}}));
    EXPECT_TRUE(result.status == Status::converged || result.iterations == 8)
        << tolerance << ": " << result.iterations;
  }
}

TEST(DictionaryTransform, ReachesTheToleranceForEachSampleAlone) {
  const Matrix x = random_samples(600, 16, 8);
  const MethodInfo& info = find_method("dictionary");
  const Options options = options_of({{"atoms", "30"}, {"epochs", "2"}});
  const Result result = run(info, Dataset(x), options);
  const Matrix fresh = random_samples(700, 16, 9);
  ThreadPool pool(2);
  Context ctx(pool, 0, 0);
  const Transformed all = info.transform(Dataset(fresh), options, result.model, 0, ctx);
  EXPECT_LE(all.terms.gap(), 1e-6);
  const auto& codes = std::get<SparseMatrix>(all.arrays[0].values);
  for (const Index i : {0, 1, 511, 512, 699}) {
    Matrix one(1, 16);
    std::copy_n(fresh.row(i).data(), 16, one.data());
    for (const char* coding : {"exact", "steps"}) {
      Options asked = options;
      asked.set("coding", coding);
      const Transformed alone = info.transform(Dataset(one), asked, result.model, 0, ctx);
      const Transformed beside = info.transform(Dataset(fresh), asked, result.model, 0, ctx);
      const auto& a = std::get<SparseMatrix>(alone.arrays[0].values);
      const auto& b = std::get<SparseMatrix>(beside.arrays[0].values);
      const Index begin = b.pointers()[i], n = b.pointers()[i + 1] - begin;
      ASSERT_EQ(a.entries(), n) << coding;
      for (Index k = 0; k < n; ++k) EXPECT_EQ(a.values()[k], b.values()[begin + k]) << coding;
      EXPECT_GE(beside.terms.objective(), all.terms.objective() * (1 - 1e-9));
    }
  }
  EXPECT_EQ(codes.rows(), 700);
  test::expect_error(ErrorCode::usage, {"--axis"},
                     [&] { info.transform(Dataset(fresh), options, result.model, 1, ctx); });
}

}  // namespace
}  // namespace gingham
