// A kernel brought to the form whose leading eigenvectors spectral clustering takes:
//
//   L = D^(-1/2) K D^(-1/2),     D_ii = sum_j |K_ij|
//
// For kernels without negative values (gaussian) this is that of Ng, Jordan and Weiss (2002); with
// negative ones (linear kernels of centred data) it is the signed Laplacian of Kunegis et al.
// (2010), taken from I. Eigenvalues lie in [-1, 1]. A row without any likeness stays a row of
// zeros.
#pragma once
#include "gingham/base/parallel.hpp"
#include "gingham/base/rng.hpp"
#include "gingham/data/matrix.hpp"
#include "gingham/kernels/symmetric_eigen.hpp"

namespace gingham::methods::kernel_views {

// K becomes L; K must be symmetric.
void normalize(Matrix& k, Executor& executor);

// The same without a matrix of its own: D^(-1/2), and y = L x for a thin x.
std::vector<double> degree_scale(const Matrix& k, Executor& executor);
double inverse_root(double degree);  // 0 for what has no finite one
void multiply_normalized(const Matrix& k, const std::vector<double>& scale, const Matrix& x,
                         Matrix& y, Executor& executor);
// x_i becomes scale_i x_i.
void scale_rows(const std::vector<double>& scale, Matrix& x);

// Rows of the leading eigenvectors, each at length 1; a row of zeros stays.
Matrix unit_rows(const Matrix& vectors);

// How far the columns of U are from the leading eigenvectors of M, given M U and a bound of |M|:
// the largest of
//
//   ||M U - U (U^T M U)||_F / bound      0 where they span an invariant subspace
//   exchange_gain(M, U) / bound          0 where that belongs to the largest eigenvalues
//   ||U^T U - I||_F
//
// Where the first is above `enough`, which says all, the second is not searched for.
double subspace_gap(const SymmetricOperator& m, const Matrix& u, const Matrix& mu, double bound,
                    double enough, Executor& executor);

// How finely eigenvectors are computed: well below the tolerance their residual is held against,
// and no finer than double can.
double eigen_tolerance(double tolerance);

// Where their random starts come from: not from the seed, so that they depend on the data alone.
inline Rng eigen_start() { return Rng::named(0, "eigenvectors"); }

}  // namespace gingham::methods::kernel_views
