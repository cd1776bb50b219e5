// What is asked of the two factors besides fitting the data.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "gingham/data/matrix.hpp"
#include "gingham/penalties/group_norms.hpp"
#include "gingham/penalties/separable.hpp"

namespace gingham::methods::nonnegative {

inline constexpr EntryRule kNonneg{.low = 0.0};

// Of one factor F (items x K, columns f_k >= 0).
struct SideRules {
  std::shared_ptr<const Penalty> penalty = std::make_shared<Separable>(kNonneg);  // of each f_k
  bool holds_length = false;  // that penalty holds |f_k| <= 1 as well (InBall)
  double cross = 0.0;         // cross sum_i (sum_k F_ik)^2
  bool is_in_ball = false;    // |f_k| <= 1 besides, of columns that cost nothing
  // Groups that pay beta times a factor of their own; none: null.
  std::shared_ptr<const Groups> groups = {};
  std::vector<double> factors = {};
  bool is_max_norm = false;  // they pay their largest entry instead of their length
  double beta = 0.0;

  void set_penalty(std::shared_ptr<const Penalty> asked);
  void set_beta(double number);  // the penalty is that of the groups
  bool has_group_penalty() const;
  // Whether a longer column costs more, so that another factor must not grow in its place.
  bool has_cost() const { return cross > 0.0 || penalty->traits().charges_length(); }
  // The same for every column; for some of them alone.
  bool charges_all() const { return cross > 0.0 || penalty->traits().charges_every_length(); }
  bool charges_some() const { return has_cost() && !charges_all(); }
  bool is_bounded() const { return is_in_ball || penalty->traits().is_bounded; }
  // Whether the penalty is one of the terms of the objective.
  bool is_counted() const { return cross > 0.0 || !penalty->traits().is_scale_free; }
  bool is_penalised() const { return is_in_ball || is_counted(); }
};

struct Rules {
  std::array<SideRules, 2> sides;  // rows, columns
  // The side that is updated last: one that costs nothing while the other pays.
  int free_side = 0;
  bool whole_factors = false;  // each factor to its minimum at once, instead of by columns
};

// One column's penalty as a function of its length c: one c + two c^2.
struct Degrees {
  double one = 0.0, two = 0.0;
};
// Columns that were rounded out of the domain of their penalty go back to it.
void columns_to_domain(const SideRules& rules, Matrix& f);
// Per component: the penalty of its column. `observed`: per item 1, or 0 where no cell of it was
// observed (Observed::observed_items). `room`: memory from call to call.
template <class T>
std::vector<double> column_costs(const SideRules& rules, const DenseMatrix<T>& f, ConstVec observed,
                                 Matrix& room);
inline std::vector<double> column_costs(const SideRules& rules, const Matrix& f,
                                        ConstVec observed) {
  Matrix room;
  return column_costs(rules, f, observed, room);
}
// Per component, `costs` those of its columns. Penalties that cost nothing, or whose columns have a
// length of their own: zeros.
template <class T>
std::vector<Degrees> degrees(const SideRules& rules, ConstVec costs, const DenseMatrix<T>& f,
                             ConstVec observed);
// cross sum_i (sum_k F_ik)^2
template <class T>
double cross_cost(const SideRules& rules, const DenseMatrix<T>& f);
// Per component: by how much all of that falls when its column becomes 0.
template <class T>
std::vector<double> savings(const SideRules& rules, ConstVec costs, const DenseMatrix<T>& f);
// Groups x components: |f_k over g|_q.
Matrix group_norms(const SideRules& rules, const Matrix& f);

}  // namespace gingham::methods::nonnegative
