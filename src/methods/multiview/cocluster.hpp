// One co-cluster over all views: rows that are in or out everywhere, and columns of each view.
//
//   min sum_k w_k |R^k - diag(omega) u^k (v^k)^T|^2,   |omega|_0 <= s_omega, |v^k|_0 <= s_k
//
// omega and u^k together, and each v^k, have closed-form minimisers with the rest fixed.
#pragma once
#include "gingham/operators/prepared.hpp"

namespace gingham::methods::multiview {

// One view of the subjects, R^k and w_k: prepared, with the terms found so far taken away.
class View : public PreparedMatrix {
 public:
  View(PreparedMatrix matrix, double weight) : PreparedMatrix(std::move(matrix)), weight_(weight) {}
  double weight() const { return weight_; }

 private:
  double weight_;
};

// Rows are multiplied by sqrt(rho), rho = all w_k / those of views with an observed cell, which is
// returned: rows that some views did not see count more in the others, or they would always have
// the smaller gains. 1 for a row that no view saw.
std::vector<double> weigh_rows(std::vector<View>& views);

struct CoCluster {
  std::vector<double> omega;              // rows
  std::vector<std::vector<double>> u, v;  // per view: rows, columns

  // omega o u^k
  std::vector<double> left(std::size_t view) const;

  template <class Archive>
  void state(Archive& ar) {
    ar("omega", omega)("u", u)("v", v);
  }
};

// Largest numbers of rows and of columns per view, and which rows there are.
struct Limits {
  Index rows = 0;
  std::vector<Index> columns;
  std::vector<std::uint8_t> available;  // 0: the row belongs to another co-cluster
  bool one_sign = true;                 // u >= 0

  template <class Archive>
  void state(Archive& ar) {
    ar("rows", rows)("columns", columns)("available", available)("one_sign", one_sign);
  }
};

// How --solver palm steps: each by 1 / (gamma L).
struct Palm {
  double gamma = 1.01;      // > 1
  bool is_literal = false;  // nothing added to the paper's Algorithm 1
};

// What is explained of each view, w_k (2 <R^k, M^k> - |M^k|^2): what the loss is less by.
using Explained = std::vector<double>;
double total(const Explained& explained);

// A block of variables brought to its minimum: what is explained then, and how much more that is
// than before, added up without cancellation: by better values in each view, and by rows that came
// for others, over all views.
struct Step {
  Explained explained;
  Explained gained;
  double exchanged = 0.0;
};

class Fitter {
 public:
  explicit Fitter(const std::vector<View>& views) : views_(views) {}

  // The rows with the largest gains and their u; omega = 1 there. The gains of rows that are in
  // count `stay` times.
  Step choose_rows(const Limits& limits, CoCluster& c, double stay = 1.0) const {
    return choose_rows(row_products(c), limits, c, stay);
  }
  // The same with row_products(c) known.
  Step choose_rows(const std::vector<Products>& z, const Limits& limits, CoCluster& c,
                   double stay = 1.0) const;
  // u for the rows that omega names; omega = 1 there.
  void fit_rows(const Limits& limits, CoCluster& c) const;
  // The columns that explain most and their v; what those that are in explain counts `stay` times.
  Step choose_columns(const Limits& limits, CoCluster& c, double stay = 1.0) const;
  // Gradient steps on u, v and omega in turn, each followed by its constraint.
  void palm_step(const Limits& limits, const Palm& palm, CoCluster& c) const;
  Explained explained(const CoCluster& c) const;

  // Pieces of choose_rows. z: R^k v^k of each view.
  std::vector<Products> row_products(const CoCluster& c) const;
  // What each row adds to what is explained, with its best u; 0 where it is not available.
  std::vector<double> gains(const std::vector<Products>& z, const Limits& limits) const;
  // What the rows that omega names would gain by their best u, in each view.
  Explained shortfall(const std::vector<Products>& z, const Limits& limits,
                      const CoCluster& c) const;
  // These rows and no others, with their best u.
  Explained take_rows(const std::vector<Products>& z, const std::vector<std::uint8_t>& chosen,
                      const Limits& limits, CoCluster& c) const;

 private:
  void palm_rows(const Limits& limits, const Palm& palm, CoCluster& c) const;
  void palm_columns(const Limits& limits, const Palm& palm, CoCluster& c) const;
  void palm_omega(const Limits& limits, const Palm& palm, CoCluster& c) const;

  const std::vector<View>& views_;
};

// The best u for z = <r, v> and norm = |v|^2.
double best_factor(double z, double norm, bool one_sign);

// Entries beyond the `count` of largest magnitude become 0.
void keep_largest(Index count, std::vector<double>& x);

// What is gained by members that come over those that go; 0 where it is rounding alone.
double exchange(double come, double go);

}  // namespace gingham::methods::multiview
