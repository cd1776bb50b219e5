#include "gingham/kernels/small_eigen.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "gingham/base/error.hpp"

namespace gingham {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Rows> view(const Matrix& x) { return {x.data(), x.rows(), x.cols()}; }

}  // namespace

SmallEigen small_eigenpairs(const Matrix& a) {
  const Index n = a.rows();
  if (a.cols() != n) throw Error(ErrorCode::internal, "", "eigenpairs: the matrix is not square");
  SmallEigen found{{}, Matrix(n, n)};
  if (n == 0) return found;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 *
                                                              (view(a) + view(a).transpose()));
  for (Index k = n - 1; k >= 0; --k) found.values.push_back(solver.eigenvalues()(k));
  Eigen::Map<Rows>(found.vectors.data(), n, n) = solver.eigenvectors().rowwise().reverse();
  return found;
}

Matrix low_rank_eigenvectors(const Matrix& both, Index k) {
  const Index n = both.rows(), twice = both.cols(), width = twice / 2;
  if (n <= twice || k > twice) return {};
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(view(both));
  const Eigen::MatrixXd r =
      qr.matrixQR().topRows(twice).triangularView<Eigen::Upper>().toDenseMatrix();
  const Eigen::MatrixXd half = r.leftCols(width) * r.rightCols(width).transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (half + half.transpose()));
  if (!(solver.eigenvalues()(twice - k) > 0.0)) return {};
  Eigen::MatrixXd vectors = Eigen::MatrixXd::Zero(n, k);
  vectors.topRows(twice) = solver.eigenvectors().rightCols(k).rowwise().reverse();
  vectors.applyOnTheLeft(qr.householderQ());
  Matrix found(n, k);
  Eigen::Map<Rows>(found.data(), n, k) = vectors;
  return found;
}

}  // namespace gingham
