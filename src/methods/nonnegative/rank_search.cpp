#include "gingham/methods/nonnegative/rank_search.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/nonnegative/start.hpp"

namespace gingham::methods::nonnegative {
namespace {

constexpr double kShare = 0.05;        // of the observed cells that are held out
constexpr double kMostCells = 20000;   // that are held out
constexpr Index kMaxIterations = 100;  // of one fit
constexpr double kSettled = 1e-4;      // of the data: an iteration that moves less is the last

constexpr double kFreshShare = 0.1;  // of a fit to the data that a new component begins with

// One more column: a share of another matrix's only one.
Matrix with_column(const Matrix& m, const Matrix& column) {
  Matrix wider(m.rows(), m.cols() + 1);
  for (Index i = 0; i < m.rows(); ++i) {
    std::copy(m.row(i).begin(), m.row(i).end(), wider.row(i).begin());
    wider(i, m.cols()) = std::sqrt(kFreshShare) * column(i, 0);
  }
  return wider;
}

}  // namespace

RankSearch::RankSearch(const Observed& data, Index most, std::uint64_t seed)
    : data_(&data), most_(std::min({most, data.size(0), data.size(1)})), seed_(seed) {}

double RankSearch::most_held_out(double n_observed) {
  return std::clamp(kShare * n_observed, 1.0, kMostCells);
}

void RankSearch::make_fit() {
  const Index replicate = std::ssize(errors_) % kReplicates;
  fit_ =
      std::make_unique<Fit>(*data_, static_cast<Index>(most_held_out(data_->n_observed())),
                            Rng::named(seed_, "held out", static_cast<std::uint64_t>(replicate)));
}

void RankSearch::begin_fit(Executor& executor) {
  make_fit();
  iteration_ = 0;
  const auto replicate = static_cast<std::size_t>(std::ssize(errors_) % kReplicates);
  StartFactors start = random_start(
      fit_->data, 1, Rng::named(seed_, "rank", static_cast<std::uint64_t>(std::ssize(errors_))),
      executor);
  if (rank() > 1) {
    start.rows = with_column(rows_[replicate], start.rows);
    start.columns = with_column(columns_[replicate], start.columns);
  }
  fit_->solver.begin(std::move(start.rows), std::move(start.columns), executor);
}

void RankSearch::step(Executor& executor) {
  if (fit_ == nullptr) return begin_fit(executor);
  Solver<double>& solver = fit_->solver;
  solver.first_half(executor);
  solver.second_half(executor);
  if (++iteration_ < kMaxIterations && solver.moved() > kSettled) return;
  double squares = 0.0;
  for (const Observed::HeldOut& cell : fit_->data.held_out()) {
    const double residual =
        cell.value - dot(solver.factor(0).row(cell.row), solver.factor(1).row(cell.column));
    squares += residual * residual;
  }
  const auto n = static_cast<double>(std::max<std::size_t>(fit_->data.held_out().size(), 1));
  const auto replicate = static_cast<std::size_t>(std::ssize(errors_) % kReplicates);
  rows_.resize(kReplicates);
  columns_.resize(kReplicates);
  rows_[replicate] = solver.factor(0);
  columns_[replicate] = solver.factor(1);
  fit_.reset();
  record(squares / n);
}

void RankSearch::record(double error) {
  errors_.push_back(error);
  if (std::ssize(errors_) % kReplicates != 0) return;
  const Index done = std::ssize(errors_) / kReplicates;
  is_over_ = done >= most_ || done >= chosen() + kPatience;
}

Matrix RankSearch::errors() const {
  Matrix errors(std::ssize(errors_) / kReplicates, kReplicates);
  std::copy_n(errors_.begin(), errors.size(), errors.values().begin());
  return errors;
}

Matrix RankSearch::curve_of(const Matrix& errors) {
  const auto n = static_cast<double>(errors.cols());
  Matrix curve(errors.rows(), 3);
  for (Index r = 0; r < curve.rows(); ++r) {
    const ConstVec own = errors.row(r);
    const double mean = sum(own) / n;
    double squares = 0.0;
    for (const double one : own) squares += (one - mean) * (one - mean);
    curve(r, 0) = static_cast<double>(r + 1);
    curve(r, 1) = mean;
    curve(r, 2) = std::sqrt(squares / (n - 1.0) / n);
  }
  return curve;
}

Index RankSearch::chosen() const { return rank_by_one_standard_error(curve()); }

Index rank_by_one_standard_error(const Matrix& curve) {
  Index best = 0;
  for (Index r = 1; r < curve.rows(); ++r) {
    if (curve(r, 1) < curve(best, 1)) best = r;
  }
  for (Index r = 0; r < best; ++r) {
    if (curve(r, 1) <= curve(best, 1) + curve(best, 2)) return static_cast<Index>(curve(r, 0));
  }
  return best + 1;
}

}  // namespace gingham::methods::nonnegative
