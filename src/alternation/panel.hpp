// The rows of a set of items turned into lines, one per component, so that what couples the items
// within a component can be met exactly, component after component:
//
//   f_k <- argmin over z of  sum_i ( h_i z_i^2 / 2 - b_i z_i ) + g(z)          (penalty.minimise)
//   b_i = w_k y_ik - sum over l != k of Q_i,lk f_il,   h_i = Q_i,kk            (factor_part.hpp)
//
// Where items have cells of their own their Q is never made: sums over their cells of the model
// there do the same in O(cells) per component.
#pragma once
#include <vector>

#include "gingham/alternation/factor_part.hpp"
#include "gingham/base/parallel.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham::alternation {

// Memory for one panel after another.
struct PanelRoom {
  std::vector<double> f, y, pull, now, curvature, model;
};

class Panel {
 public:
  // The items rise. The part outlives this; the room is this panel's as long as it lives.
  Panel(const FactorPart& part, std::span<const Index> items, const Penalty& penalty,
        PanelRoom& room);

  // Rows of the factor (all columns) and of y (unknown columns).
  template <class T>
  void take(const DenseMatrix<T>& f, const DenseMatrix<T>& y);
  template <class T>
  void put(T* rows) const;  // items x K

  // Rounds over the unknown components; returns sum of h (change)^2. Components without curvature
  // stay as they are.
  double sweep(int passes, Executor& executor);
  // sums[k] += the square of the penalty's gap at column k, the other components as they are; with
  // Beside::before those before it alone.
  void add_gaps(Beside beside, Vec sums, Executor& executor);
  // b and h of every unknown component.
  void for_each(Beside beside, FunctionRef<void(Index, ConstVec, Curvature)> visit,
                Executor& executor);
  // All components at once by accelerated proximal gradient steps (Kim, Monteiro and Park 2012,
  // Algorithm 2; momentum starts again where it points uphill), until a step changes less than
  // `share` of what the first did; the better of start and end is kept. No component is given.
  // lipschitz: at least the largest eigenvalue of every Q_i.
  double accelerate(double lipschitz, double share, int max_steps, Executor& executor);

 private:
  struct Segment {
    Index begin, end;
    const double* q;  // of this class
  };
  double* line(Index k) { return room_.f.data() + k * stride_; }
  const double* line(Index k) const { return room_.f.data() + k * stride_; }
  double* y_line(Index k) { return room_.y.data() + (k - part_.first) * stride_; }
  std::size_t n_values() const { return static_cast<std::size_t>(rank_ * stride_); }
  Vec now() { return Vec(room_.now.data(), static_cast<std::size_t>(n_)); }
  Index n_explaining(Beside beside, Index k) const {
    return beside == Beside::all ? rank_ : beside == Beside::before ? k : 0;
  }
  // Calls body(segment, begin, end) for what lies of each segment in a chunk.
  template <class Body>
  void for_segments(Index chunk, const Body& body) const;
  // Calls treat(k, h) with b in now().
  template <class Treat>
  void visit(Beside beside, const Treat& treat, Executor& executor);
  void pulls(Index first, Index n, Index n_explaining, Executor& executor);
  Curvature look_at(Index first, Index n, Index k, Beside beside, Executor& executor);
  double move(Index k, Curvature h, Executor& executor);
  void drop_faint();
  void minimise(Curvature h);
  Curvature steps_of(double lipschitz);
  bool is_zero_best(Curvature steps);
  void look_closely(Index i, Index k, Beside beside, double* pull, double* curvature) const;
  template <class Visit>
  void for_cells(Index begin, Index end, Index k, const Visit& visit) const;
  void fill_models(const double* f, Index n_columns);
  void add_cells(Index begin, Index end, Index k, Beside beside, double* pull, double* curvature);
  void move_models(Index begin, Index end, Index k);
  double cost(Curvature steps, Executor& executor);
  // out = y - Q f over the observed cells, all components.
  void residuals(const double* f, double* out, Executor& executor);

  const FactorPart& part_;
  std::span<const Index> items_;
  const Penalty& penalty_;
  Index rank_, n_, stride_;
  bool is_rounded_ = false;  // the factor: it may lie outside a penalty's domain by that much
  std::vector<Segment> segments_;
  Partition chunks_;
  PanelRoom& room_;             // lines of f and y; model: at the cells
  bool is_even_ = true;         // one curvature for all
  std::vector<Index> cell_at_;  // per item: where its cells begin among those of the set
};

}  // namespace gingham::alternation
