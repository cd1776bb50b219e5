#include "support/dense.hpp"

#include <Eigen/Dense>
#include <algorithm>

namespace gingham::testing {
namespace {

using Jacobi = Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner>;

// Padded to a square with zeros, a matrix needs no QR step, which takes a sanitized compiler
// minutes.
Jacobi padded_svd(const Eigen::MatrixXd& a, unsigned int what) {
  const Eigen::Index n = std::max(a.rows(), a.cols());
  Eigen::MatrixXd square = Eigen::MatrixXd::Zero(n, n);
  square.topLeftCorner(a.rows(), a.cols()) = a;
  return Jacobi(square, what);
}

}  // namespace

DenseEigenpairs dense_eigenpairs(const Eigen::MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::VectorXd dense_eigenvalues(const Eigen::MatrixXd& a) { return a.eigenvalues().real(); }

DenseSvd dense_svd(const Eigen::MatrixXd& a) {
  const Jacobi svd = padded_svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Index count = std::min(a.rows(), a.cols());
  return {svd.matrixU().topLeftCorner(a.rows(), count), svd.singularValues().head(count),
          svd.matrixV().topLeftCorner(a.cols(), count)};
}

Eigen::VectorXd dense_singular_values(const Eigen::MatrixXd& a) {
  return padded_svd(a, 0).singularValues().head(std::min(a.rows(), a.cols()));
}

Eigen::MatrixXd dense_solve(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.ldlt().solve(b);
}

Eigen::VectorXd shortest_solution(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  return a.completeOrthogonalDecomposition().solve(b);
}

}  // namespace gingham::testing
