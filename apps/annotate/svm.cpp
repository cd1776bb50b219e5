#include "annotate/svm.hpp"

#include <linear.h>

#include <cmath>
#include <memory>

namespace gingham::annotate {
namespace {

// Of the gradient relative to that at zero, times the share of the rarer class: liblinear's own.
constexpr double kTolerance = 1e-2;

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

// The items as liblinear takes them: (feature number from 1, value), the constant last, then -1.
struct Machine::Problem {
  Scaling scaling = {};
  std::vector<feature_node> nodes = {};
  std::vector<feature_node*> rows = {};
  std::vector<double> labels = {};
  std::vector<double> solution =
      {};  // in standardized units, the bias last; empty before the first
  double n_ones = 0.0;
  problem control = {};
};

Machine::Machine(const Matrix& x, std::span<const Index> labels, std::span<const Index> items)
    : problem_(std::make_unique<Problem>()) {
  check(x, labels, items);
  Problem& made = *problem_;
  made.scaling = scaling_of(x, items);
  const int n_features = static_cast<int>(x.cols());
  std::vector<std::size_t> starts;
  for (const Index i : items) {
    starts.push_back(made.nodes.size());
    for (int j = 0; j < n_features; ++j) {
      const double value = (x(i, j) - made.scaling.means[j]) * made.scaling.factors[j];
      if (value != 0.0) made.nodes.push_back({j + 1, value});
    }
    made.nodes.push_back({n_features + 1, 1.0});
    made.nodes.push_back({-1, 0.0});
    made.labels.push_back(labels[i] == 1 ? 1.0 : -1.0);
    made.n_ones += labels[i] == 1 ? 1.0 : 0.0;
  }
  for (const std::size_t start : starts) made.rows.push_back(made.nodes.data() + start);
  made.control = {.l = static_cast<int>(items.size()),
                  .n = n_features + 1,
                  .y = made.labels.data(),
                  .x = made.rows.data(),
                  .bias = 1.0};
}

Machine::~Machine() = default;

Classifier Machine::train(double cost) {
  Problem& made = *problem_;
  const double n = static_cast<double>(made.labels.size());
  int classes[] = {1, -1};
  double class_weights[] = {n / (2.0 * made.n_ones), n / (2.0 * (n - made.n_ones))};
  parameter settings = {};
  settings.solver_type = L2R_L2LOSS_SVC;
  settings.eps = kTolerance;
  settings.C = cost;
  settings.nr_weight = 2;
  settings.weight_label = classes;
  settings.weight = class_weights;
  settings.init_sol = made.solution.empty() ? nullptr : made.solution.data();
  static const bool is_silent = (set_print_string_function([](const char*) {}), true);
  static_cast<void>(is_silent);
  const std::unique_ptr<model, FreeModel> trained(::train(&made.control, &settings));
  const std::size_t n_features = made.scaling.means.size();
  made.solution.assign(trained->w, trained->w + n_features + 1);
  // The weights are for the class that liblinear met first.
  const double sign = trained->label[0] == 1 ? 1.0 : -1.0;
  Classifier found{.weights = std::vector<double>(n_features),
                   .bias = sign * made.solution[n_features]};
  for (std::size_t j = 0; j < n_features; ++j) {
    found.weights[j] = sign * made.solution[j] * made.scaling.factors[j];
    found.bias -= found.weights[j] * made.scaling.means[j];
  }
  return found;
}

}  // namespace gingham::annotate
