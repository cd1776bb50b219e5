// A linear support vector machine for two classes, by liblinear:
//
//   min over w, b:  1/2 (||w||^2 + b^2) + C sum_i weight_i max(0, 1 - y_i (w^T x_i + b))^2
//
// weight_i = n / (2 n_c) where n_c items have the class of item i: both classes count alike however
// rare one is. x_i are standardized: (x - mean) / deviation, both of the training items alone; a
// feature that is constant among them takes no part. Newton's method on the primal problem: no
// random numbers, and the same bits on every thread.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "gingham/data/matrix.hpp"

namespace gingham::annotate {

// w and b in the units of the data.
struct Classifier {
  std::vector<double> weights = {};
  double bias = 0.0;

  double decide(ConstVec item) const;  // above zero: the class of ones
};

// Learns from rows `items` of x; labels (of all rows) are 0 or 1. Throws Error{usage} where the
// items are not of both classes.
class Machine {
 public:
  Machine(const Matrix& x, std::span<const Index> labels, std::span<const Index> items);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Begins at the last call's solution, at zero the first time: rising costs take the least time.
  Classifier train(double cost);

 private:
  struct Problem;
  std::unique_ptr<Problem> problem_;
};

}  // namespace gingham::annotate
