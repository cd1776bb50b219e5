// The rows of a set of items turned into lines, one per component, so that what couples the items
// within a component can be met exactly, component after component:
//
//   f_k <- argmin over z of  sum_i ( h_i z_i^2 / 2 - b_i z_i ) + g(z)          (penalty.minimise)
//   b_i = y_ik - sum over l != k of Q_i,lk f_il,   h_i = Q_i,kk
//
// Q_i: of item i's class, less its holes; from its listed cells alone where those are all there is.
#pragma once
#include <type_traits>
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/data/matrix.hpp"
#include "gingham/operators/item_grams.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham::methods::nonnegative {

// What all sets of one side share. Everything outlives the panels.
struct SideView {
  const Observed* data = nullptr;
  int side = 0;
  const std::vector<Matrix>* q = nullptr;  // per class: what items of the class have in common
  const Matrix* other = nullptr;           // the other factor; needed where there are cells
  const ItemGrams* grams = nullptr;        // Q of single items; needed where there are cells
  // What the rules of this side add to q: to its diagonal, and everywhere.
  const std::vector<double>* diagonal = nullptr;
  double cross = 0.0;
};

// An entry that hardly counts can fit its cells by being huge; beyond this its squares would leave
// the range of numbers, and it goes no further.
template <class T>
inline constexpr double kLargestEntry = std::is_same_v<T, double> ? 1e140 : 1e15;

// Memory for one panel after another.
struct PanelRoom {
  std::vector<double> f, y, pull, now, curvature, model;
};

class Panel {
 public:
  // The items are in order of their classes. The room is this panel's as long as it lives.
  Panel(const SideView& view, std::span<const Index> items, const Penalty& penalty,
        PanelRoom& room);

  // Rows of the factor and of y = X0 times the other factor.
  template <class T>
  void take(const DenseMatrix<T>& f, const DenseMatrix<T>& y);
  template <class T>
  void put(T* rows) const;  // items x K

  // Rounds over the components; returns sum of h (change)^2.
  double sweep(int passes, Executor& executor);
  // sum of h (f - its minimiser, the other components as they are)^2.
  double gap(Executor& executor);
  // All components at once by accelerated proximal gradient steps (Kim, Monteiro and Park 2012,
  // Algorithm 2; momentum starts again where it points uphill), until a step changes less than
  // `share` of what the first did; the better of start and end is kept. lipschitz: at least the
  // largest eigenvalue of every Q_i.
  double accelerate(double lipschitz, double share, int max_steps, Executor& executor);
  // 1/2 sum f^T Q f - y^T f + g(f): the part of the objective that is this set's.
  double cost(Executor& executor);

 private:
  struct Segment {
    Index begin, end;
    const double* q;  // of this class
  };
  double* line(Index k) { return room_.f.data() + k * stride_; }
  const double* line(Index k) const { return room_.f.data() + k * stride_; }
  std::size_t n_values() const { return static_cast<std::size_t>(rank_ * stride_); }
  Vec now() { return Vec(room_.now.data(), static_cast<std::size_t>(n_)); }
  double visit_all(int passes, bool moves, Executor& executor);
  void pulls(Index first, Index n, Executor& executor);
  double component(Index first, Index n, Index k, bool moves, Executor& executor);
  void drop_faint();
  void minimise(Curvature h);
  bool is_zero_best(double lipschitz, Executor& executor);
  void look_closely(Index i, Index k, double* pull, double* curvature) const;
  void fill_models(const double* f);
  void add_cells(Index begin, Index end, Index k, double* pull, double* curvature) const;
  void move_models(Index begin, Index end, Index k);
  // out = y - Q f over the observed cells, all components.
  void residuals(const double* f, double* out, Executor& executor);

  SideView view_;
  std::span<const Index> items_;
  const Penalty& penalty_;
  Index rank_, n_, stride_;
  double largest_ = kLargestEntry<double>;
  std::vector<Segment> segments_;
  Partition chunks_;
  PanelRoom& room_;             // lines of f and y; model: at the cells
  bool is_even_ = true;         // one curvature for all
  std::vector<Index> cell_at_;  // per item: where its cells begin among those of the set
};

}  // namespace gingham::methods::nonnegative
