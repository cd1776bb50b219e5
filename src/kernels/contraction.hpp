// Tensors contracted with vectors and with factor matrices.
//
// X has N >= 1 modes of sizes I_0 ... I_{N-1}; a^m is a vector of size I_m, A^m a matrix I_m x K.
// The entry of `mode` itself in the list of vectors or factors is not looked at (it may be empty).
// Sizes that do not match are Error{internal}. No unfolded copy of X is made; a sparse X is read
// through grouped(mode). Fixed blocks, sums along a fixed tree: the same bits for any number of
// threads.
#pragma once
#include "gingham/base/parallel.hpp"
#include "gingham/data/dataset.hpp"

namespace gingham {

// y_i = sum over all cells with index i in `mode` of X times the product of a^m over the other
// modes.
void contract(const Tensor& x, Index mode, std::span<const ConstVec> vectors, Vec y,
              Executor& executor);
void contract(const SparseTensor& x, Index mode, std::span<const ConstVec> vectors, Vec y,
              Executor& executor);
// Matrices count as tensors of two modes.
void contract(const Block& x, Index mode, std::span<const ConstVec> vectors, Vec y,
              Executor& executor);

// Matricised tensor times Khatri-Rao product: Y_ik = sum over all cells with index i in `mode` of X
// times the product of A^m_{i_m k} over the other modes. Y is I_mode x K and made anew where its
// shape is not right. With one mode only, K is the number of columns Y already has.
void mttkrp(const Tensor& x, Index mode, std::span<const Matrix> factors, Matrix& y,
            Executor& executor);
void mttkrp(const SparseTensor& x, Index mode, std::span<const Matrix> factors, Matrix& y,
            Executor& executor);
void mttkrp(const Block& x, Index mode, std::span<const Matrix> factors, Matrix& y,
            Executor& executor);

// The contraction with a weight 0 for what is missing:
//   y_i = sum over observed cells of X times the product of a^m,  weight_i = the same of (a^m)^2
//   without X.
// A NaN is missing; so are the unlisted cells of a sparse block that says so. Where unlisted cells
// are zeros, weight_i is the product of the |a^m|^2 less the listed NaNs (the difference may cancel
// to a rounding error of that product, but never below the weight of the listed values).
void contract_observed(const Block& x, Index mode, std::span<const ConstVec> vectors, Vec y,
                       Vec weight, Executor& executor);

}  // namespace gingham
