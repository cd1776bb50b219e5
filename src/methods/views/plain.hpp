// For recomputations: a scaled view and the numbers of a grouping by plain loops in extended
// precision, sharing no code with the methods. Complete data only.
#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/methods/plain/scaled.hpp"
#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::views {

using plain::Real;

class PlainView {
 public:
  PlainView(const Block& block, Scale scale);  // which outlives this

  Index rows() const { return block_->shape()[0]; }
  Index cols() const { return block_->shape()[1]; }
  // Calls visit(j, value) for every cell of row i of the scaled view.
  void for_each_cell(Index i, FunctionRef<void(Index, Real)> visit) const;
  Real inner_product(Index i, Index j) const;
  Real squared_distance(Index i, Index j) const;

 private:
  // Sums over the pairs of cells (row i, row j): f(a, b) added up, f(r_i z, r_j z) for those that
  // neither row lists, as a polynomial in their squares.
  struct Pair {
    Real product = 0, distance = 0;
  };
  Pair pair(Index i, Index j) const;

  const Block* block_;
  plain::Scaling scaling_;
  std::vector<Real> row_scale_;
  // (m_j c_j)^2 of the columns that some row does not list, 0 for the others: large means of those
  // would drown all else in their sum.
  std::vector<Real> zeros_;
  Real zero_squares_ = 0;  // their sum
};

// Rows of a matrix at length 1; a row of zeros stays.
std::vector<std::vector<Real>> plain_unit_rows(const Matrix& vectors);

// Loss (inertia), gaps "rows" and "centers", components and membership of the model's labels and
// centres on these points; the gaps are appended to what `into` has.
void recompute_grouping(const std::vector<std::vector<Real>>& points, const Model& model,
                        Index clusters, Recomputed& into, Real& inertia);

}  // namespace gingham::methods::views
