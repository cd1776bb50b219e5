#include "gingham/methods/multilinear/line_search.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/polynomial.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/model_values.hpp"

namespace gingham::methods::multilinear {
namespace {

using polynomial::Coefficients;

constexpr double kLongest = 32.0;  // steps beyond this are not looked at
constexpr double kGridStep = 0.125;
constexpr double kFirstBacktrack = 8.0, kLastBacktrack = 0.125;
constexpr int kMajorizations = 20;
// A lower cost by less is rounding: long steps for it would keep a sweep from settling.
constexpr double kRounding = 1e-14;
constexpr double kMostRounding = 1e2;  // beyond this products are computed anew

// The line through two iterates.
class Line {
 public:
  Line(const Iterate& previous, Solver& solver, Executor& executor)
      : solver_(solver),
        problem_(solver.problem()),
        now_(Factors::of(solver.factors())),
        executor_(executor) {
    direction_ = now_;
    for (Index n = 0; n < now_.n_modes(); ++n) {
      for (Index i = 0; i < now_.modes[n].size(); ++i) {
        direction_.modes[n].data()[i] -= previous.factors.modes[n].data()[i];
      }
    }
    for (std::size_t k = 0; k < now_.weights.size(); ++k) {
      direction_.weights[k] -= previous.factors.weights[k];
      if (now_.weights[k] == 0.0) stop_component(static_cast<Index>(k));
    }
    sample_products(previous);
    sample_grams();
    add_linear();
    add_quadratic();
  }

  Factors at(double s) const {
    Factors point = now_;
    for (Index n = 0; n < now_.n_modes(); ++n) {
      axpy(s, direction_.modes[n].values(), point.modes[n].values());
    }
    axpy(s, direction_.weights, point.weights);
    return point;
  }

  double smooth(double s) const { return polynomial::value(smooth_, s); }
  double penalty(double s) const {
    double total = 0.0;
    for (Index n = 0; n < now_.n_modes(); ++n) {
      if (problem_.lambda[n] == 0.0) continue;
      const ConstVec x = now_.modes[n].values(), g = direction_.modes[n].values();
      double sum = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(x[i] + s * g[i]);
      total += problem_.lambda[n] * sum;
    }
    return total;
  }
  double cost(double s) const { return smooth(s) + penalty(s); }

  // phi, or the polynomial through samples of it.
  Coefficients approximation() const {
    Coefficients p = smooth_;
    if (problem_.low >= 0.0) {
      Coefficients straight{0.0, 0.0};
      for (Index n = 0; n < now_.n_modes(); ++n) {
        straight[0] += problem_.lambda[n] * sum(now_.modes[n].values());
        straight[1] += problem_.lambda[n] * sum(direction_.modes[n].values());
      }
      polynomial::add(1.0, straight, p);
      return p;
    }
    std::vector<double> places, values;
    const auto n_samples = static_cast<Index>(2 * (solver_.sweep().size() + 1) + 1);
    for (Index i = 0; i < n_samples; ++i) {
      places.push_back(kLongest * 0.125 * static_cast<double>(i) /
                       static_cast<double>(n_samples - 1));
      values.push_back(penalty(places.back()));
    }
    polynomial::add(1.0, polynomial::through(places, values), p);
    return p;
  }

  // The smooth part and, for each |x|, the parabola that touches it at s.
  Coefficients majorizer(double s) const {
    Coefficients p = smooth_, parabola{0.0, 0.0, 0.0};
    for (Index n = 0; n < now_.n_modes(); ++n) {
      const ConstVec x = now_.modes[n].values(), g = direction_.modes[n].values();
      const double floor = 1e-9 * std::max(max_abs(x), 1e-300);
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i] == 0.0 && g[i] == 0.0) continue;
        const double here = std::max(std::abs(x[i] + s * g[i]), floor);
        const double half = 0.5 * problem_.lambda[n];
        parabola[0] += half * (here + x[i] * x[i] / here);
        parabola[1] += half * 2.0 * x[i] * g[i] / here;
        parabola[2] += half * g[i] * g[i] / here;
      }
    }
    polynomial::add(1.0, parabola, p);
    return p;
  }

  // How far Y at a point may be off when it is put together from the samples.
  double rounding(double s) const {
    double total = 0.0;
    for (std::size_t j = 0; j < samples_.size(); ++j) {
      total += std::abs(polynomial::value(basis_[j], s)) * sample_rounding_[j];
    }
    return total;
  }

  // What the solver would compute at an unclipped point of complete data.
  Solver::Products products(double s) const {
    Solver::Products made;
    made.last = Matrix(samples_[0].rows(), samples_[0].cols());
    made.linear = solver_.linear();
    made.quadratic = solver_.quadratic();
    made.rounding = rounding(s);
    for (std::size_t j = 0; j < samples_.size(); ++j) {
      axpy(polynomial::value(basis_[j], s), samples_[j].values(), made.last.values());
    }
    const Index first = solver_.first(), k_all = now_.n_components();
    for (Index k = first; k < k_all; ++k) {
      made.linear[k] = polynomial::value(inner_[k - first], s);
    }
    for (Index k = 0; k < k_all; ++k) {
      for (Index l = 0; l < k_all; ++l) {
        double product = 1.0;
        for (std::size_t n = 0; n < grams_.size(); ++n) {
          product *= polynomial::value(gram_polynomial(n, k, l), s);
        }
        made.quadratic(k, l) = product;
      }
    }
    return made;
  }

 private:
  // What was taken away stays away.
  void stop_component(Index k) {
    direction_.weights[k] = 0.0;
    for (Matrix& mode : direction_.modes) {
      for (Index i = 0; i < mode.rows(); ++i) mode(i, k) = 0.0;
    }
  }

  struct Grams {
    Matrix now, cross, direction;  // A^T A, A^T G, G^T G
  };

  void sample_products(const Iterate& previous) {
    const Index first = solver_.first(), last = solver_.sweep().back();
    places_ = {0.0, -1.0};
    samples_ = {solver_.last_product(executor_), previous.last};
    sample_rounding_ = {solver_.rounding(), previous.rounding};
    for (Index k = first; k < now_.n_components(); ++k) {  // what stays has the same Y everywhere
      if (now_.weights[k] == 0.0) {
        set_column(samples_[1], k - first, column(samples_[0], k - first));
      }
    }
    for (Index j = 1; j + 2 <= static_cast<Index>(solver_.sweep().size()); ++j) {
      places_.push_back(static_cast<double>(j));
      Factors point = at(places_.back());
      if (first > 0) {
        for (Matrix& mode : point.modes) mode = alternation::columns_from(mode, first);
      }
      samples_.emplace_back();
      sample_rounding_.push_back(1.0);
      solver_.data().products(last, point.modes, samples_.back(), executor_);
    }
    if (solver_.sweep().size() == 1) {  // Y does not depend on s
      places_.pop_back();
      samples_.pop_back();
    }
    basis_ = polynomial::lagrange(places_);
  }

  void sample_grams() {
    for (Index n = 0; n < now_.n_modes(); ++n) {
      Grams grams;
      gram(now_.modes[n], grams.now, executor_);
      gram(direction_.modes[n], grams.direction, executor_);
      multiply_transposed(now_.modes[n], direction_.modes[n], grams.cross, executor_);
      grams_.push_back(std::move(grams));
    }
  }

  Coefficients gram_polynomial(std::size_t n, Index k, Index l) const {
    const Grams& grams = grams_[n];
    return {grams.now(k, l), grams.cross(k, l) + grams.cross(l, k), grams.direction(k, l)};
  }
  Coefficients weight_polynomial(Index k) const { return {now_.weights[k], direction_.weights[k]}; }

  // |X0|^2 - 2 <X0, M(s)>
  void add_linear() {
    const Index first = solver_.first(), last = solver_.sweep().back();
    smooth_ = {solver_.data().squares()};
    for (Index k = 0; k < first; ++k) {
      smooth_[0] -= 2.0 * now_.weights[k] * solver_.linear()[k];
    }
    for (Index k = first; k < now_.n_components(); ++k) {
      Coefficients inner;
      for (std::size_t j = 0; j < samples_.size(); ++j) {
        double fixed = 0.0, rising = 0.0;
        for (Index i = 0; i < samples_[j].rows(); ++i) {
          fixed += samples_[j](i, k - first) * now_.modes[last](i, k);
          rising += samples_[j](i, k - first) * direction_.modes[last](i, k);
        }
        polynomial::add(1.0, polynomial::product(basis_[j], {fixed, rising}), inner);
      }
      polynomial::add(-2.0, polynomial::product(inner, weight_polynomial(k)), smooth_);
      inner_.push_back(std::move(inner));
    }
  }

  // |M(s)|^2 over the observed cells
  void add_quadratic() {
    const Observed& data = solver_.data();
    for (Index k = 0; data.of_everything() > 0.0 && k < now_.n_components(); ++k) {
      for (Index l = k; l < now_.n_components(); ++l) {
        Coefficients term = polynomial::product(weight_polynomial(k), weight_polynomial(l));
        for (std::size_t n = 0; n < grams_.size(); ++n)
          term = polynomial::product(term, gram_polynomial(n, k, l));
        polynomial::add(k == l ? 1.0 : 2.0, term, smooth_);
      }
    }
    if (data.of_cells() != 0.0) polynomial::add(data.of_cells(), pattern_squares(), smooth_);
  }

  // Sum over the pattern's cells of M(s)^2 from M at as many points as its degree needs: 0 and,
  // each half of the next, places up to the longest step. From places near 0 alone a long step
  // would be mostly rounding.
  Coefficients pattern_squares() const {
    std::vector<double> places{0.0};
    for (auto j = static_cast<int>(solver_.sweep().size()); j >= 0; --j)
      places.push_back(std::ldexp(kLongest, -j));
    const Matrix squares =
        ModelValues(solver_.data().cells(0), now_, direction_, places).squares(executor_);
    const std::vector<Coefficients> basis = polynomial::lagrange(places);
    Coefficients total;
    for (std::size_t a = 0; a < places.size(); ++a) {
      for (std::size_t b = 0; b < places.size(); ++b) {
        polynomial::add(squares(static_cast<Index>(a), static_cast<Index>(b)),
                        polynomial::product(basis[a], basis[b]), total);
      }
    }
    return total;
  }

  Solver& solver_;
  const Problem& problem_;
  Factors now_;
  Executor& executor_;
  Factors direction_;
  std::vector<double> places_;
  std::vector<Matrix> samples_;  // Y at these places
  std::vector<double> sample_rounding_;
  std::vector<Coefficients> basis_;  // Lagrange polynomials of the places
  std::vector<Grams> grams_;
  std::vector<Coefficients> inner_;  // <X0, a_k o ...> of the unknown columns
  Coefficients smooth_;              // phi without the penalties
};

double choose(LineSearch kind, const Line& line) {
  const double here = line.cost(0.0);
  if (kind == LineSearch::backtracking) {
    for (double s = kFirstBacktrack; s >= kLastBacktrack; s *= 0.5) {
      if (line.cost(s) < here) return s;
    }
    return 0.0;
  }
  if (kind == LineSearch::grid) {
    double best = 0.0, least = here;
    for (double s = kGridStep; s <= 0.25 * kLongest; s += kGridStep) {
      const double cost = line.cost(s);
      if (cost < least) {
        best = s;
        least = cost;
      }
    }
    return best;
  }
  double s = polynomial::least(line.approximation(), 0.0, kLongest);
  if (kind == LineSearch::polynomial) return s;
  for (int round = 0; round < kMajorizations; ++round) {
    const double next = polynomial::least(line.majorizer(s), 0.0, kLongest);
    if (std::abs(next - s) <= 1e-6 * (1.0 + s)) break;
    s = next;
  }
  return s;
}

// Into the box; whether anything had to move.
bool clip(const Problem& problem, Factors& factors) {
  bool is_clipped = false;
  for (Matrix& mode : factors.modes) {
    for (double& value : mode.values()) {
      const double inside = std::clamp(value, problem.low, problem.high);
      is_clipped = is_clipped || inside != value;
      value = inside;
    }
  }
  if (problem.fixed_weights) return is_clipped;
  for (double& weight : factors.weights) {
    const double inside = std::clamp(weight, 0.0, problem.weight_cap);
    is_clipped = is_clipped || inside != weight;
    weight = inside;
  }
  return is_clipped;
}

}  // namespace

LineSearch line_search_named(const std::string& name) {
  if (name == "grid") return LineSearch::grid;
  if (name == "backtracking") return LineSearch::backtracking;
  if (name == "polynomial") return LineSearch::polynomial;
  if (name == "majorize") return LineSearch::majorize;
  return LineSearch::none;
}

double search_line(LineSearch kind, const Iterate& previous, Solver& solver, Executor& executor) {
  if (kind == LineSearch::none || previous.factors.n_components() == 0) return 0.0;
  if (previous.factors.n_components() != solver.factors().n_components()) return 0.0;
  const Line line(previous, solver, executor);
  const double s = choose(kind, line);
  if (!(s > 0.0) || !std::isfinite(s)) return 0.0;
  Factors point = line.at(s);
  const bool is_clipped = clip(solver.problem(), point);
  const bool is_known =
      !is_clipped && line.rounding(s) <= kMostRounding && solver.data().of_cells() == 0.0;
  Solver::Products products = is_known ? line.products(s) : solver.products_of(point, executor);
  const double now = solver.cost();
  if (!(solver.cost_of(point, products) < now * (1.0 - kRounding))) return 0.0;
  solver.jump(std::move(point), std::move(products), executor);
  return s;
}

}  // namespace gingham::methods::multilinear
