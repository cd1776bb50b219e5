// What one factor's rules cost.
#pragma once
#include "gingham/data/matrix.hpp"
#include "gingham/methods/nonnegative/rules.hpp"

namespace gingham::methods::nonnegative {

// Per component: sum over groups of beta_g |f_k over g|_q; zeros without groups.
template <class T>
std::vector<double> group_costs(const SideRules& rules, const DenseMatrix<T>& f);
// Groups x components: |f_k over g|_q.
template <class T>
Matrix group_norms(const SideRules& rules, const DenseMatrix<T>& f);
// cross sum_i (sum_k F_ik)^2
template <class T>
double cross_cost(const SideRules& rules, const DenseMatrix<T>& f);

// Per component: by how much all that the rules cost falls when its column becomes 0.
std::vector<double> costs(const SideRules& rules, const Matrix& f);

// The smallest factor of all beta_g at which argmin over z >= 0 of 1/2 h |z|^2 - b^T z + sum_g
// beta_g |z_g|_q is 0 wherever groups pay, to 1e-8.
double smallest_zero(const SideRules& rules, ConstVec b);

}  // namespace gingham::methods::nonnegative
