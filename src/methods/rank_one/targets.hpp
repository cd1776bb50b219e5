// What a side (rows or columns) of a rank-one term is made from: b_i = R_i v_i (or R_i^T u_i) with
// the other side's unit vectors fixed, and per entry the curvature h, the sum of their squares over
// the cells observed there: 1 where all are.
#pragma once
#include <vector>

#include "gingham/operators/prepared.hpp"
#include "gingham/penalties/penalty.hpp"

namespace gingham::methods::rank_one {

enum class Which { rows, columns };
inline constexpr Which kSides[] = {Which::rows, Which::columns};

inline Which opposite(Which which) { return which == Which::rows ? Which::columns : Which::rows; }

template <class T>
struct BySide {
  T rows{}, columns{};

  T& operator[](Which which) { return which == Which::rows ? rows : columns; }
  const T& operator[](Which which) const { return which == Which::rows ? rows : columns; }

  template <class Archive>
  void state(Archive& ar) {
    ar("rows", rows)("columns", columns);
  }
};

// Differences and sums of which less than this share of their terms is left are rounding, that of
// the products they were made from included, and count as 0: a vector of nothing else would become
// a unit vector.
inline constexpr double kRounding = 1e-10;

// Where the vector of each time lies when all are stored one after the other.
class Layout {
 public:
  explicit Layout(const std::vector<Index>& sizes = {});
  Index times() const { return static_cast<Index>(offsets_.size()) - 1; }
  std::size_t size() const { return static_cast<std::size_t>(offsets_.back()); }
  Index size_at(Index time) const { return offsets_[time + 1] - offsets_[time]; }
  bool is_even() const;  // every time has the same size
  Vec at(std::vector<double>& values, Index time) const;
  ConstVec at(const std::vector<double>& values, Index time) const;

 private:
  std::vector<Index> offsets_{0};
};

struct Targets {
  std::vector<double> b;  // all times
  Norms h{1.0};

  bool is_made() const { return !b.empty(); }
  Curvature curvature() const { return h.each.empty() ? Curvature(h.all) : Curvature(h.each); }
  Curvature curvature(const Layout& layout, Index time) const {
    return h.each.empty() ? Curvature(h.all) : Curvature(layout.at(h.each, time));
  }
  // b / h, 0 where nothing was observed.
  double estimate(std::size_t e) const {
    if (h.each.empty()) return b[e];
    return h.each[e] > 0.0 ? b[e] / h.each[e] : 0.0;
  }

  template <class Archive>
  void state(Archive& ar) {
    ar("b", b)("h", h.each);
  }
};

// One pass over the data. Of an entry of whose squares next to nothing is observed nothing is
// known: b = h = 0. A time at which the other side is zero has b = 0, h = 1.
Targets targets_of(Which which, const std::vector<PreparedMatrix>& residuals, const Layout& own,
                   const Layout& others, const std::vector<double>& other);

// What one penalty holds together: the items of a time by themselves, or, where times are tied,
// those of all times as one, b and h averaged: the same minimiser under g as their sums under g
// times the number of times.
struct Part {
  Index time;
  ConstVec b;
  Curvature h;
  std::vector<double> seen;  // tied: share of the times at which each item was observed
};

class Parts {
 public:
  Parts(const Targets& targets, const Layout& layout, bool is_tied);
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  const std::vector<Part>& all() const { return parts_; }

 private:
  Targets mean_;
  std::vector<Part> parts_;
};

}  // namespace gingham::methods::rank_one
