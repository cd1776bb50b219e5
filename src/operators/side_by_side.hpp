// Prepared matrices with the same rows as one, each with a factor, and some of the rows taken as 0:
//
//   A = D [ f_1 R_1 | f_2 R_2 | ... ]                      D: 1 for a row that counts, 0 otherwise
//
// as the search for its leading singular vectors needs it. Dense matrices are read once for both
// products; missing cells count as 0.
#pragma once
#include <cstdint>

#include "gingham/kernels/block_lanczos.hpp"
#include "gingham/kernels/squared_products.hpp"
#include "gingham/operators/observed.hpp"
#include "gingham/operators/prepared.hpp"

namespace gingham {

class SideBySide {
 public:
  // One matrix as it is. The matrices outlive this.
  explicit SideBySide(const PreparedMatrix& matrix) : SideBySide({&matrix}, {1.0}, {}) {}
  // `counts`: per row, not 0 where it does; empty: all do. At least one matrix.
  SideBySide(std::vector<const PreparedMatrix*> parts, std::vector<double> factors,
             std::vector<std::uint8_t> counts);

  Index rows() const { return parts_[0]->rows(); }
  Index cols() const { return offsets_.back(); }
  // For as long as this lives. Each product calls `before` first.
  SquaredOperator products(std::function<void()> before) const;

 private:
  Executor& executor() const { return parts_[0]->executor(); }
  double size() const;
  Piece piece(Index row, Index n_rows, Index column, Index n_cols, double* room) const;
  void forward(const Matrix& x, Matrix& y) const;
  void backward(const Matrix& x, Matrix& y) const;

  std::vector<const PreparedMatrix*> parts_;
  std::vector<double> factors_;
  std::vector<std::uint8_t> counts_;
  std::vector<Index> offsets_;  // of the columns of each part, and of all
  bool is_dense_ = true;
  // One dense matrix used where it lies; its terms are taken away from products, not from pieces.
  bool is_plain_ = false;
  Matrix left_, right_;
  // One dense matrix that is only scaled, D_r X D_c: X is used where it lies. D of the side that
  // thin matrices are of, of the other side, and the latter squared.
  std::vector<double> own_scale_, other_scale_, weights_;
};

// The same of X0 of a matrix. In single precision: to about 1e-6.
SquaredOperator squared_products(const Observed& matrix, bool in_single, Executor& executor);

}  // namespace gingham
