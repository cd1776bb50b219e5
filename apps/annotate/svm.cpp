#include "annotate/svm.hpp"

#include <linear.h>

#include <cmath>
#include <memory>

namespace gingham::annotate {
namespace {

constexpr double kTolerance = 1e-3;  // of the gradient, relative to the start's

struct Scaling {
  std::vector<double> means, factors;  // factor 0: takes no part
};

Scaling scaling_of(const Matrix& x, std::span<const Index> items) {
  Scaling scaling{std::vector<double>(static_cast<std::size_t>(x.cols())),
                  std::vector<double>(static_cast<std::size_t>(x.cols()))};
  const double count = static_cast<double>(items.size());
  for (const Index i : items) {
    for (Index j = 0; j < x.cols(); ++j) scaling.means[j] += x(i, j) / count;
  }
  for (const Index i : items) {
    for (Index j = 0; j < x.cols(); ++j) {
      const double apart = x(i, j) - scaling.means[j];
      scaling.factors[j] += apart * apart / count;
    }
  }
  for (Index j = 0; j < x.cols(); ++j) {
    // Rounding leaves a constant feature with a deviation of about its size times 1e-16.
    const double deviation = std::sqrt(scaling.factors[j]);
    const bool is_constant = deviation <= 1e-12 * std::abs(scaling.means[j]);
    scaling.factors[j] = is_constant ? 0.0 : 1.0 / deviation;
  }
  return scaling;
}

// The items as liblinear takes them: (feature number from 1, value), the constant last, then -1.
struct Problem {
  std::vector<feature_node> nodes;
  std::vector<feature_node*> rows;
  std::vector<double> labels;
  problem control = {};
};

Problem problem_of(const Matrix& x, std::span<const Index> labels, std::span<const Index> items,
                   const Scaling& scaling) {
  Problem made;
  std::vector<std::size_t> starts;
  const int n_features = static_cast<int>(x.cols());
  for (const Index i : items) {
    starts.push_back(made.nodes.size());
    for (int j = 0; j < n_features; ++j) {
      const double value = (x(i, j) - scaling.means[j]) * scaling.factors[j];
      if (value != 0.0) made.nodes.push_back({j + 1, value});
    }
    made.nodes.push_back({n_features + 1, 1.0});
    made.nodes.push_back({-1, 0.0});
    made.labels.push_back(labels[i] == 1 ? 1.0 : -1.0);
  }
  for (const std::size_t start : starts) made.rows.push_back(made.nodes.data() + start);
  made.control.l = static_cast<int>(items.size());
  made.control.n = n_features + 1;
  made.control.y = made.labels.data();
  made.control.x = made.rows.data();
  made.control.bias = 1.0;
  return made;
}

void check(const Matrix& x, std::span<const Index> labels, std::span<const Index> items) {
  Index n_ones = 0;
  for (const Index i : items) n_ones += labels[i] == 1 ? 1 : 0;
  if (n_ones == 0 || n_ones == std::ssize(items))
    throw Error(ErrorCode::usage, "", "a classifier needs items of both classes");
  constexpr Index kMax = 2147483000;  // liblinear counts in 32 bits
  if (std::ssize(items) > kMax || x.cols() > kMax)
    throw Error(ErrorCode::input, "", "too many bags or features for liblinear");
}

struct FreeModel {
  void operator()(model* trained) const { free_and_destroy_model(&trained); }
};

}  // namespace

double Classifier::decide(ConstVec item) const {
  double sum = bias;
  for (std::size_t j = 0; j < weights.size(); ++j) sum += weights[j] * item[j];
  return sum;
}

Classifier train(const Matrix& x, std::span<const Index> labels, std::span<const Index> items,
                 double cost) {
  check(x, labels, items);
  const Scaling scaling = scaling_of(x, items);
  Problem made = problem_of(x, labels, items, scaling);
  double n_ones = 0.0;
  for (const double label : made.labels) n_ones += label > 0.0 ? 1.0 : 0.0;
  const double n = static_cast<double>(items.size());
  int classes[] = {1, -1};
  double class_weights[] = {n / (2.0 * n_ones), n / (2.0 * (n - n_ones))};
  parameter settings = {};
  settings.solver_type = L2R_L2LOSS_SVC;
  settings.eps = kTolerance;
  settings.C = cost;
  settings.nr_weight = 2;
  settings.weight_label = classes;
  settings.weight = class_weights;
  static const bool is_silent = (set_print_string_function([](const char*) {}), true);
  static_cast<void>(is_silent);
  const std::unique_ptr<model, FreeModel> trained(::train(&made.control, &settings));
  // The weights are for the class that liblinear met first.
  const double sign = trained->label[0] == 1 ? 1.0 : -1.0;
  Classifier found{.weights = std::vector<double>(static_cast<std::size_t>(x.cols())),
                   .bias = sign * trained->w[x.cols()]};
  for (Index j = 0; j < x.cols(); ++j) {
    found.weights[j] = sign * trained->w[j] * scaling.factors[j];
    found.bias -= found.weights[j] * scaling.means[j];
  }
  return found;
}

}  // namespace gingham::annotate
