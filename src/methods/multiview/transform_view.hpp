// New rows of one view against its fitted columns. Over the observed cells of a row, with
// x_s = r (x - m) D (r = 1, or the row has length 1):
//
//   z_c = sum x_s v_c,   norm_c = sum v_c^2,   squares = sum x_s^2
//
// Dense or sparse; unlisted zeros are a sum over all columns less the listed ones. What belongs to
// a row depends on that row and the fit alone, to the last bit.
#pragma once
#include <vector>

#include "gingham/data/dataset.hpp"

namespace gingham::methods::multiview {

// Of one row in one view; an entry per co-cluster.
struct RowSums {
  std::vector<double> z, norm;
  double squares = 0.0;
  bool has_some = false;  // an observed cell
  bool has_all = false;
};

class FittedView {
 public:
  // v: columns x co-clusters; centers m and scales D of the columns. The block outlives this. Sizes
  // must be right (Error{internal}).
  FittedView(const Block& fresh, Matrix v, std::vector<double> centers, std::vector<double> scales,
             double weight, bool has_unit_rows);

  double weight() const { return weight_; }
  double square(Index c) const { return gram_(c, c); }  // |v_c|^2
  // About how many multiply-adds a row costs.
  Index row_work() const;

  void sums_of(Index row, RowSums& sums) const;
  // The same of what is left of the row without u v_c, for the co-clusters after c; z_c u is what
  // the squares are less by.
  void subtract(Index row, Index c, double u, RowSums& sums) const;

 private:
  void add_listed_zeros(Index row, RowSums& sums) const;
  void add_observed(Index row, double per_unit, RowSums& sums) const;
  double largest(Index row) const;
  template <class Visit>
  void for_each_observed(Index row, Visit&& visit) const;
  double scaled(Index column, double x) const { return (x - centers_[column]) * scales_[column]; }

  const Block* fresh_;
  Matrix v_, gram_;
  std::vector<double> centers_, scales_;
  double weight_;
  bool has_unit_rows_;
  // Of a row of zeros.
  std::vector<double> zero_z_;
  double zero_squares_ = 0.0;
};

}  // namespace gingham::methods::multiview
