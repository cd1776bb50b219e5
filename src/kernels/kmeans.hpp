// k-means: k centres c_j that make  sum_i min_j ||x_i - c_j||^2  small  (x_i: n points of d
// values).
//
// Starts: greedy k-means++ (Arthur and Vassilvitskii 2007): of 2 + log k points drawn with
// probability proportional to the squared distance from the centres so far, the one that leaves the
// least in total. Lloyd's iterations with two distance bounds per point (Hamerly 2010): a point
// whose nearest centre cannot have changed is not looked at. For d > 32 distances are first
// computed from a single-precision copy, with a bound on their error; whatever that leaves
// undecided is computed in double from the differences x - c. Labels are therefore those of plain
// Lloyd in double, at any offset and any scale.
//
// Cost of an iteration: at most n k d multiply-adds, one pass over the single-precision copy; less
// as bounds hold.
#pragma once
#include <memory>
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/base/rng.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham {

// What is computed once per set of points; several runs on the same points may share it.
// Takes half the memory of the points for d > 32, next to nothing otherwise.
struct KMeansPoints;
std::shared_ptr<const KMeansPoints> kmeans_prepare(const Matrix& points, Executor& executor);

struct KMeansState {
  Matrix centers;             // k x d
  std::vector<Index> labels;  // the nearest centre before the last update; -1 before the first
  std::vector<Index> counts;  // points per centre
  Index iterations = 0;

  // Between iterations: bounds in units of the data's own scale, sums relative to a shift.
  std::vector<double> upper;  // >= distance to the own centre
  std::vector<double> lower;  // <= distance to every other centre
  Matrix sums;                // k x d
  Index since_sums = 0;       // label changes since the sums were taken afresh

  // Not saved: made when missing or made from another matrix. Set it before kmeans_start to share
  // it. The matrix must not change while this is in use.
  std::shared_ptr<const KMeansPoints> prepared;

  template <class Archive>
  void state(Archive& ar) {
    ar("centers", centers)("labels", labels)("counts", counts)("iterations", iterations)(
        "upper", upper)("lower", lower)("sums", sums)("since_sums", since_sums);
  }
};

// Chooses k points as the first centres. Where there are fewer than k different points, the
// remaining centres repeat points that are centres already, and stay empty. Requires 1 <= k and at
// least one point (Error{usage}), and finite values (Error{input}). d = 0 is allowed: all points
// are the same.
// `pause` is called between passes over the points; it may throw, and the state is then as it was.
inline void no_pause() {}
void kmeans_start(const Matrix& points, Index k, Rng& rng, KMeansState& state, Executor& executor,
                  FunctionRef<void()> pause = &no_pause);

// Starts from given centres instead; the state keeps them as they are until the first update.
void kmeans_start_from(const Matrix& points, Matrix centers, KMeansState& state,
                       Executor& executor);

// One iteration: every point gets the label of its nearest centre (the lowest on ties), then every
// centre becomes the mean of its points. Returns how many labels changed; 0 means that nothing will
// change any more. A centre without points takes over the point farthest from its own centre (the
// first of them, from a cluster of two or more); where that distance is zero it stays where it is,
// empty. Neither step ever raises the inertia. The result does not depend on the number of threads.
Index kmeans_iterate(const Matrix& points, KMeansState& state, Executor& executor);

// sum_i ||x_i - c_{label i}||^2 with the current labels and centres, from the differences
// themselves. Requires labels, that is, at least one iteration.
double kmeans_inertia(const Matrix& points, const KMeansState& state, Executor& executor);

}  // namespace gingham
