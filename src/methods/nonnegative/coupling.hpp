// What makes the entries of one column over a set of items hang together: a penalty g on z >= 0, or
// a bound on their length.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham::methods::nonnegative {

class Coupling {
 public:
  virtual ~Coupling() = default;
  // p <- argmin over z >= 0 of 1/2 curvature |z - p|^2 + g(z); curvature > 0.
  virtual void minimise(Vec p, double curvature) = 0;
  // The same with a curvature of its own for every entry, >= 0; entries without become 0.
  virtual void minimise(Vec p, ConstVec curvature) = 0;
  virtual double value(ConstVec z) const = 0;  // g(z)
};

// g = 0
class Uncoupled final : public Coupling {
 public:
  void minimise(Vec p, double) override {
    for (double& x : p) x = x > 0.0 ? x : 0.0;
  }
  void minimise(Vec p, ConstVec curvature) override {
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = p[i] > 0.0 && curvature[i] > 0.0 ? p[i] : 0.0;
  }
  double value(ConstVec) const override { return 0.0; }
};

}  // namespace gingham::methods::nonnegative
