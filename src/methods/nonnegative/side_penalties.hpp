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

}  // namespace gingham::methods::nonnegative
