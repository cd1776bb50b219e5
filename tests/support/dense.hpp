// Dense decompositions by Eigen, for oracles, compiled once: a solver takes the compiler longer
// than all the rest of a test.
#pragma once
#include <Eigen/Core>

namespace gingham::testing {

struct DenseEigenpairs {
  Eigen::VectorXd values;  // rising
  Eigen::MatrixXd vectors;
};

struct DenseSvd {
  Eigen::MatrixXd u;
  Eigen::VectorXd s;  // falling
  Eigen::MatrixXd v;
};

DenseEigenpairs dense_eigenpairs(const Eigen::MatrixXd& symmetric);
// Real parts of the eigenvalues of any square matrix, in no order.
Eigen::VectorXd dense_eigenvalues(const Eigen::MatrixXd& a);
// As many singular values as a has rows or columns, whichever are fewer; vectors of those above 0.
DenseSvd dense_svd(const Eigen::MatrixXd& a);
Eigen::VectorXd dense_singular_values(const Eigen::MatrixXd& a);
// a x = b for a symmetric positive definite a.
Eigen::MatrixXd dense_solve(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
// The shortest of the x that come closest to a x = b.
Eigen::VectorXd shortest_solution(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

}  // namespace gingham::testing
