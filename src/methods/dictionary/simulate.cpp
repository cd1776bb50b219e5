//   X = Z D^T + sigma N(0, 1)
//
// The columns of D are random directions with mean 0 and length 1; a row of Z has `sparsity` values
// other than 0, of size 0.5 to 1.5 and any sign. sigma^2 is the mean square of Z D^T divided by
// 10^(snr / 10). Centring the samples moves no atom, and scaling them only scales the codes.
#include "gingham/kernels/copies.hpp"
#include "gingham/methods/dictionary/simulate.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::dictionary {
namespace {

constexpr double kSmallest = 0.5, kLargest = 1.5;  // coefficients

// One atom per row.
Matrix draw_atoms(Index m, Index p, Rng& rng) {
  Matrix atoms(m, p);
  for (Index j = 0; j < m; ++j) {
    const Vec atom = atoms.row(j);
    double length = 0.0;
    do {
      for (double& value : atom) value = rng.normal();
      const double mean = sum(atom) / static_cast<double>(p);
      for (double& value : atom) value -= mean;
      length = norm2(atom);
    } while (!(length > 0.0));
    scale(1.0 / length, atom);
  }
  return atoms;
}

SparseMatrix draw_codes(Index n, Index m, Index sparsity, Rng& rng) {
  const Index size = checked_mul(n, sparsity, "codes");
  Array<std::int32_t> rows(size), columns(size);
  Array<double> values(size);
  for (Index i = 0, at = 0; i < n; ++i) {
    for (const Index j : rng.sample(m, sparsity)) {
      rows.data()[at] = static_cast<std::int32_t>(i);
      columns.data()[at] = static_cast<std::int32_t>(j);
      const double size_of_value = rng.uniform(kSmallest, kLargest);
      values.data()[at++] = rng.below(2) == 0 ? size_of_value : -size_of_value;
    }
  }
  return SparseMatrix::from_triplets(n, m, std::move(rows), std::move(columns), std::move(values),
                                     Duplicates::error);
}

Matrix combine(const SparseMatrix& codes, const Matrix& atoms) {
  Matrix x(codes.rows(), atoms.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index e = codes.pointers()[i]; e < codes.pointers()[i + 1]; ++e)
      axpy(codes.values()[e], atoms.row(codes.columns()[e]), x.row(i));
  }
  return x;
}

void add_noise(Matrix& x, double decibels, Rng& rng) {
  double squares = 0.0;
  for (Index i = 0; i < x.rows(); ++i) squares += sum_squares(x.row(i));
  const double sigma =
      std::sqrt(squares / static_cast<double>(x.size())) * std::pow(10.0, -decibels / 20.0);
  for (double& value : x.values()) value += sigma * rng.normal();
}

std::vector<Index> strongest_atoms(const SparseMatrix& codes) {
  std::vector<Index> labels(static_cast<std::size_t>(codes.rows()), -1);
  for (Index i = 0; i < codes.rows(); ++i) {
    double largest = 0.0;
    for (Index e = codes.pointers()[i]; e < codes.pointers()[i + 1]; ++e) {
      const double size = std::fabs(codes.values()[e]);
      if (size <= largest) continue;
      largest = size;
      labels[i] = codes.columns()[e];
    }
  }
  return labels;
}

Simulation make(const Options& options, Rng rng) {
  const Index n = options.integer("samples"), m = options.integer("atoms");
  const Index sparsity = options.integer("sparsity");
  if (sparsity > m) {
    throw Error(ErrorCode::usage, "--sparsity",
                "a sample is made of different atoms: --sparsity must be at most --atoms");
  }
  const Matrix atoms = draw_atoms(m, options.integer("length"), rng);
  SparseMatrix codes = draw_codes(n, m, sparsity, rng);
  Matrix x = combine(codes, atoms);
  add_noise(x, options.real("snr"), rng);
  Simulation simulation;
  simulation.blocks.emplace_back("data", std::move(x));
  simulation.memberships = {membership_of("rows", std::nullopt, strongest_atoms(codes))};
  simulation.truth = {{"dictionary", transposed(atoms)}, {"codes", std::move(codes)}};
  return simulation;
}

}  // namespace

Simulator simulator() {
  return {.name = "dictionary",
          .title = "Samples that are combinations of few atoms of a planted dictionary, with noise",
          .options = {integer_option("samples", "3000", 1, 1e9, "Rows of the matrix."),
                      integer_option("length", "32", 2, 1e6, "Values of a sample."),
                      integer_option("atoms", "48", 1, 1e6,
                                     "Atoms of the dictionary; up to twice the length can be "
                                     "found again."),
                      integer_option("sparsity", "3", 1, 1e6, "Atoms that a sample is made of."),
                      real_option("snr", "20", -100, 300,
                                  "Signal over noise in decibels: 20 is a tenth in amplitude.")},
          .make = make};
}

}  // namespace gingham::methods::dictionary
