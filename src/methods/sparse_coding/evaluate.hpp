// A dictionary and codes looked at in double precision, against all samples.
#pragma once
#include <functional>

#include "gingham/engine/terms.hpp"
#include "gingham/methods/sparse_coding/chunks.hpp"
#include "gingham/methods/sparse_coding/samples.hpp"

namespace gingham::methods::sparse_coding {

struct Evaluation {
  Index n = 0;  // samples that are not dropped
  double lambda = 0.0;
  double loss = 0.0, size = 0.0, gap = 0.0;  // sums of 1/2 |x - D z|^2, |z|_1 and the duality gap
  double half_squares = 0.0;                 // sum of 1/2 |x|^2
  double dictionary_gap = 0.0;               // squared distance of D from its best, see terms()
  // Per atom: h_j, and what the sum of |x - D z|^2 rises by without it, 2 <d_j, g_j> + h_j |d_j|^2.
  std::vector<double> curvature = {}, lost = {};

  // (1/n) of the sums. Gap of the codes: duality gaps relative to 1/2 |x|^2. Gap of the dictionary:
  // how far each atom is from the best it could be alone, d = P(d_j + g_j / h_j) with
  // g_j = sum_i z_ij r_i, h_j = sum_i z_ij^2 and P into the ball: sum_j h_j |d - d_j|^2, relative
  // to the samples' squares, and the root of it.
  Terms terms() const;
};

using CodesOfChunk = std::function<CodeList<double>(Index chunk)>;  // one code per sample

// `atoms`: one per row.
Evaluation evaluate(const Samples& samples, const Chunks& chunks, const Matrix& atoms,
                    double lambda, Executor& executor, const CodesOfChunk& codes_of);

// atom <- argmin of h |d|^2 / 2 - b^T d over |d| <= 1, h > 0; NaN where b or h is not finite.
void best_atom(ConstVec b, double h, Vec atom);

// The same atoms, ready for products, in double or float.
template <class T>
Atoms<T> ready(const Matrix& atoms, Executor& executor);

}  // namespace gingham::methods::sparse_coding
