// What a penalty is: a function g of one column z of a factor (one component, all items of a mode),
// met wherever a method solves
//
//   min over z of  sum_j ( h_j z_j^2 / 2 - b_j z_j ) + g(z)         h_j >= 0;  b_j = 0 where h_j =
//   0
//
// b comes from the data times the other factors less what the other components explain, h is the
// curvature: one number where all is observed, one per item where cells are missing.
//
//   value(z, h)          g(z), +infinity outside the domain. h tells which items were observed.
//   minimise(b, h, z)    z <- the minimiser above; b and z may be the same memory
//   gap(z, b, h)         how far z is from the minimiser: sqrt(sum_j h_j (z_j - its minimiser)^2);
//                        where g is not convex, the root of twice what the objective at z is above
//                        the least one. +infinity outside the domain.
//   smallest_zero(b, h)  what 100 % of the weight of g is: the smallest weight at which the
//                        minimiser is all zero (fused: constant); max h for squares, which never
//                        reach zero. NaN for a penalty without a weight.
//
// An item with h_j = 0 has no observed cell: z_j = 0, it is not chosen by top-k, not counted by a
// simplex; under penalties along the order of the items it follows its neighbours and pays no L1.
//
// Weights are finite and >= 0. minimise throws Error{internal} when b or h is not finite or h is
// negative, and then leaves z as it was.
#pragma once
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// h: one number for all entries, or one per entry. A view; what it looks at outlives it.
class Curvature {
 public:
  Curvature(double all) : all_(all) {}                        // NOLINT: a number is a curvature
  Curvature(ConstVec each) : each_(each), is_even_(false) {}  // NOLINT
  Curvature(const std::vector<double>& each) : Curvature(ConstVec(each)) {}  // NOLINT

  bool is_even() const { return is_even_; }
  double operator[](std::size_t j) const { return is_even_ ? all_ : each_[j]; }
  ConstVec each() const { return each_; }  // empty where it is even
  double largest(std::size_t n) const {
    double most = is_even_ && n > 0 ? all_ : 0.0;
    for (const double h : each_) most = h > most ? h : most;
    return most;
  }

 private:
  double all_ = 0.0;
  ConstVec each_;
  bool is_even_ = true;
};

struct PenaltyTraits {
  bool is_convex = true;
  bool is_separable = false;      // no entry looks at another
  bool is_nonnegative = false;    // +infinity where an entry is negative
  bool is_homogeneous = false;    // g(c z) = c g(z) for c > 0; cones included
  bool is_scale_free = false;     // g(c z) = g(z) for c > 0: the size of z costs nothing
  bool is_bounded = false;        // the domain is bounded: box, ball, simplex
  bool has_zero = true;           // 0 is in the domain
  bool is_ordered = false;        // looks at neighbours in the order of the items
  bool has_weight = true;         // g is more than a domain: it falls as z shrinks within that
  bool has_free_columns = false;  // g(z) = g(0) for some z other than 0 of the domain, such as a
                                  // constant one; always so without a weight

  // Whether the penalty of a column rises with its length; of every column.
  bool charges_length() const { return has_weight && !is_bounded; }
  bool charges_every_length() const { return charges_length() && !has_free_columns; }
};

struct EntryRule;

class Penalty {
 public:
  virtual ~Penalty() = default;

  virtual PenaltyTraits traits() const = 0;
  virtual double value(ConstVec z, Curvature h = 1.0) const = 0;
  virtual void minimise(ConstVec b, Curvature h, Vec z) const = 0;
  // Where g is convex: the distance to the minimiser.
  virtual double gap(ConstVec z, ConstVec b, Curvature h) const;
  virtual double smallest_zero(ConstVec b, Curvature h) const = 0;
  // c times g, c > 0: every weight times c, domains as they are.
  virtual std::unique_ptr<Penalty> times(double c) const = 0;

  // What single entries obey where the penalty is separable: loops over many rows at once take it
  // (rows.hpp). Null where it is not.
  virtual const EntryRule* entry() const { return nullptr; }

  // The penalty over n items as penalties of sets of items that do not know each other, so that
  // these can be treated side by side; items in no set obey rest(). One set of all items where
  // nothing better is known.
  struct Part {
    std::vector<Index> items;  // rising
    std::shared_ptr<const Penalty> penalty;
  };
  virtual std::vector<Part> parts(Index n_items) const;
  virtual const EntryRule& rest() const;
};

// sqrt(sum_j h_j (z_j - the minimiser)^2), whether or not z is in the domain.
double distance_to_minimiser(const Penalty& penalty, ConstVec z, ConstVec b, Curvature h);

// z <- the nearest point of the domain, where z was rounded out of it.
void to_domain(const Penalty& penalty, Vec z);

// The check that opens every minimise.
void require_problem(ConstVec b, Curvature h, ConstVec z);

}  // namespace gingham
