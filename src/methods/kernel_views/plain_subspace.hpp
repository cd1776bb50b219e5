// For recomputations: subspaces by plain loops.
#pragma once
#include <functional>

#include "gingham/methods/kernel_views/plain_kernels.hpp"

namespace gingham::methods::kernel_views {

using Reals = std::vector<views::Real>;
using Rows = std::vector<Reals>;

Rows plain_rows(const Matrix& x);
Rows plain_transposed_product(const Rows& a, const Rows& b);  // A^T B
// A B
Rows plain_product(const Rows& a, const Rows& b);
Rows plain_product(const Triangle& a, const Rows& b);
views::Real plain_inner_product(const Rows& a, const Rows& b);
Reals plain_product(const Triangle& a, const Reals& x);

// A symmetric matrix by its products.
using PlainOperator = std::function<Reals(const Reals&)>;

// max { x^T M x : U^T x = 0, ||x|| = 1 } for M of n rows, by Lanczos steps that are all kept
// orthogonal; minus infinity where U leaves nothing. The columns of U need not be orthonormal.
views::Real plain_largest_outside(Index n, const PlainOperator& m, const Rows& u);

views::Real plain_off_orthonormal(const Rows& u);  // ||U^T U - I||_F

// The largest of ||M U - U (U^T M U)||_F / bound, (largest outside - smallest inside) / bound and
// ||U^T U - I||_F, given M U: 0 where the columns of U are the leading eigenvectors, up to
// rotation.
views::Real plain_subspace_gap(const Rows& u, const Rows& mu, const PlainOperator& m,
                               views::Real bound);

}  // namespace gingham::methods::kernel_views
