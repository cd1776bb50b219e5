// For recomputations: subspaces by plain loops.
#pragma once
#include "gingham/methods/kernel_views/plain_kernels.hpp"

namespace gingham::methods::kernel_views {

using Rows = std::vector<std::vector<views::Real>>;

Rows plain_rows(const Matrix& x);
Rows plain_transposed_product(const Rows& a, const Rows& b);  // A^T B
// A B
Rows plain_product(const Rows& a, const Rows& b);
Rows plain_product(const Triangle& a, const Rows& b);
views::Real plain_inner_product(const Rows& a, const Rows& b);
// ||M U - U (U^T M U)||_F given M U.
views::Real plain_subspace_gap(const Rows& u, const Rows& mu);

}  // namespace gingham::methods::kernel_views
