#include "gingham/methods/sparse_coding/evaluate.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/penalties/members/ball.hpp"

namespace gingham::methods::sparse_coding {
namespace {

constexpr Index kTile = 32;

// Sums of a block of samples, in one array: four numbers, h_j per atom, then g_j per atom.
struct Sums {
  Vec all;
  Index n_atoms, length;

  double& number(Index which) const { return all[which]; }
  double& curvature(Index j) const { return all[kNumbers + j]; }
  Vec gradient(Index j) const {
    return all.subspan(static_cast<std::size_t>(kNumbers + n_atoms + j * length),
                       static_cast<std::size_t>(length));
  }
  static constexpr Index kNumbers = 5;
  static Index size(Index n_atoms, Index length) { return kNumbers + n_atoms * (length + 1); }
};

enum { kCount, kLoss, kSize, kGap, kHalfSquares };

class Block {
 public:
  Block(const Atoms<double>& atoms, double lambda)
      : atoms_(atoms),
        lambda_(lambda),
        products_(static_cast<std::size_t>(kTile * atoms.width())),
        residuals_(static_cast<std::size_t>(kTile * atoms.stride())) {}

  // n <= kTile samples.
  void add(const double* samples, Index n, const CodeList<double>& codes, Index first,
           const Sums& sums) {
    const Index stride = atoms_.stride();
    std::copy_n(samples, n * stride, residuals_.begin());
    for (Index i = 0; i < n; ++i) {
      const CodeView<double> code = codes.code(first + i);
      for (Index k = 0; k < code.size; ++k) axpy(-code.values[k], atom(code.atoms[k]), residual(i));
    }
    atoms_.products(residuals_.data(), n, products_.data());
    for (Index i = 0; i < n; ++i)
      add_one(ConstVec(samples + i * stride, static_cast<std::size_t>(stride)), i,
              codes.code(first + i), sums);
  }

 private:
  ConstVec atom(Index j) const {
    return {atoms_.row(j), static_cast<std::size_t>(atoms_.stride())};
  }
  Vec residual(Index i) {
    return {residuals_.data() + i * atoms_.stride(), static_cast<std::size_t>(atoms_.stride())};
  }

  void add_one(ConstVec x, Index i, const CodeView<double>& code, const Sums& sums) {
    const Vec r = residual(i);
    const double squares = sum_squares(r);
    double size = 0.0;
    for (Index k = 0; k < code.size; ++k) size += std::abs(code.values[k]);
    const ConstVec g(products_.data() + i * atoms_.width(),
                     static_cast<std::size_t>(atoms_.count()));
    sums.number(kCount) += 1.0;
    sums.number(kLoss) += 0.5 * squares;
    sums.number(kSize) += size;
    sums.number(kHalfSquares) += 0.5 * sum_squares(x);
    sums.number(kGap) += duality_gap(dot(x, r), squares, max_abs(g), lambda_, size);
    for (Index k = 0; k < code.size; ++k) {
      const Index j = code.atoms[k];
      const double z = code.values[k];
      sums.curvature(j) += z * z;
      axpy(z, r.first(static_cast<std::size_t>(atoms_.length())), sums.gradient(j));
    }
  }

  const Atoms<double>& atoms_;
  double lambda_;
  std::vector<double> products_, residuals_;
};

double dictionary_gap(const Matrix& atoms, const Sums& sums) {
  double total = 0.0;
  std::vector<double> best(static_cast<std::size_t>(atoms.cols())), b(best.size());
  for (Index j = 0; j < atoms.rows(); ++j) {
    const double h = sums.curvature(j);
    if (!(h > 0.0)) continue;
    std::copy_n(sums.gradient(j).begin(), b.size(), b.begin());
    axpy(h, atoms.row(j), b);
    best_atom(b, h, best);
    total += h * squared_distance(best, atoms.row(j));
  }
  return total;
}

}  // namespace

Terms Evaluation::terms() const {
  const double count = static_cast<double>(std::max<Index>(n, 1));
  Terms terms;
  terms.loss = loss / count;
  terms.penalties = {{"sparsity", lambda * size / count}};
  const bool has_squares = half_squares > 0.0;
  terms.gaps = {
      {"codes", has_squares ? std::max(gap, 0.0) / half_squares : 0.0},
      {"dictionary", has_squares ? std::sqrt(dictionary_gap / (2.0 * half_squares)) : 0.0}};
  return terms;
}

void best_atom(ConstVec b, double h, Vec atom) {
  const bool is_finite = std::isfinite(h) &&
                         std::all_of(b.begin(), b.end(), [](double x) { return std::isfinite(x); });
  if (!is_finite) {
    std::fill(atom.begin(), atom.end(), std::nan(""));
    return;
  }
  UnitBall().minimise(b, h, atom);
}

template <class T>
Atoms<T> ready(const Matrix& atoms, Executor& executor) {
  Atoms<T> result(atoms.rows(), atoms.cols());
  for (Index j = 0; j < atoms.rows(); ++j) {
    for (Index t = 0; t < atoms.cols(); ++t) result.row(j)[t] = static_cast<T>(atoms(j, t));
  }
  result.refresh(executor);
  return result;
}
template Atoms<float> ready(const Matrix&, Executor&);
template Atoms<double> ready(const Matrix&, Executor&);

Evaluation evaluate(const Samples& samples, const Chunks& chunks, const Matrix& atoms,
                    double lambda, Executor& executor, const CodesOfChunk& codes_of) {
  constexpr Index kMostBlocks = 64;  // each has sums of the size of the dictionary
  const auto packed = ready<double>(atoms, executor);
  const Index m = atoms.rows(), p = atoms.cols(), stride = packed.stride();
  std::vector<double> total(static_cast<std::size_t>(Sums::size(m, p)), 0.0);
  const Index n_blocks = std::min(kMostBlocks, chunks.count());
  sum_blocks(executor, n_blocks, std::span<double>(total), [&](Index block, Vec partial) {
    const Sums sums{partial, m, p};
    Block part(packed, lambda);
    std::vector<double> rows(static_cast<std::size_t>(kTile * stride));
    std::vector<double> read(static_cast<std::size_t>(chunks.rows() * stride));
    std::vector<char> is_kept(static_cast<std::size_t>(chunks.rows()));
    for (Index chunk = chunks.count() * block / n_blocks;
         chunk < chunks.count() * (block + 1) / n_blocks; ++chunk) {
      const Index first = chunks.begin(chunk), n = chunks.size(chunk);
      samples.read(first, n, stride, read.data(), is_kept.data());
      const CodeList<double> codes = codes_of(chunk);
      CodeList<double> tile_codes;
      for (Index i = 0; i < n; ++i) {
        if (is_kept[i] != 0) {
          std::copy_n(read.data() + i * stride, stride, rows.data() + tile_codes.count() * stride);
          tile_codes.add(codes.code(i));
        }
        if (tile_codes.count() == kTile || (i == n - 1 && tile_codes.count() > 0)) {
          part.add(rows.data(), tile_codes.count(), tile_codes, 0, sums);
          tile_codes = {};
        }
      }
    }
  });
  const Sums sums{total, m, p};
  Evaluation result;
  result.n = static_cast<Index>(sums.number(kCount));
  result.lambda = lambda;
  result.loss = sums.number(kLoss);
  result.size = sums.number(kSize);
  result.gap = sums.number(kGap);
  result.half_squares = sums.number(kHalfSquares);
  result.dictionary_gap = dictionary_gap(atoms, sums);
  for (Index j = 0; j < m; ++j) {
    result.curvature.push_back(sums.curvature(j));
    result.lost.push_back(2.0 * dot(atoms.row(j), sums.gradient(j)) +
                          sums.curvature(j) * sum_squares(atoms.row(j)));
  }
  return result;
}

}  // namespace gingham::methods::sparse_coding
