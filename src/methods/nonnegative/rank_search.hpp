// How many components: fits of rising rank, without penalties, to data of which a few cells are
// held out at random, several times over; the error is that of the cells held out. A fit begins
// from the one of the rank before and one more component at random.
//
// The rank chosen is the lowest whose mean error is within one standard error of the lowest mean
// error (Owen and Perry 2009 on speckled masks; Breiman et al. 1984 on the rule).
#pragma once
#include <memory>

#include "gingham/engine/context.hpp"
#include "gingham/methods/nonnegative/solver.hpp"

namespace gingham::methods::nonnegative {

class RankSearch {
 public:
  RankSearch() = default;
  // The data outlive this. Ranks from 1 to `most`, as far as the shape goes.
  RankSearch(const Observed& data, Index most, std::uint64_t seed);

  // Of data with so many observed cells, at most.
  static double most_held_out(double n_observed);

  bool is_over() const { return is_over_; }
  // One iteration of one fit.
  void step(Executor& executor);
  Index chosen() const;  // requires is_over
  // As far as it got: ranks x replicates, the error of the cells held out; and what it comes to.
  Matrix errors() const;
  Matrix curve() const { return curve_of(errors()); }  // ranks x (rank, mean, standard error)
  static Matrix curve_of(const Matrix& errors);

  // A saved state continues on the same data.
  template <class Archive>
  void state(Archive& ar) {
    ar("most", most_)("seed", seed_)("errors", errors_)("is_over", is_over_);
    ar("iteration", iteration_)("rows", rows_)("columns", columns_);
    bool has_fit = fit_ != nullptr;
    ar("has_fit", has_fit);
    if (!has_fit) return;
    if (ar.reading()) make_fit();
    ar("solver", fit_->solver);
  }

 private:
  struct Fit {
    Observed data;
    Solver<double> solver;
    Fit(const Observed& all, Index n_held_out, Rng rng)
        : data(all, n_held_out, rng), solver(data, Rules{}) {}
  };
  Index rank() const { return std::ssize(errors_) / kReplicates + 1; }
  void make_fit();
  void begin_fit(Executor& executor);
  void record(double error);

  static constexpr Index kReplicates = 5;
  const Observed* data_ = nullptr;
  Index most_ = 1;
  std::uint64_t seed_ = 0;
  std::vector<double> errors_;  // of rank 1, all replicates, then of rank 2, ...
  bool is_over_ = false;
  Index iteration_ = 0;
  std::vector<Matrix> rows_, columns_;  // per replicate: the last fit, from which the next begins
  std::unique_ptr<Fit> fit_;
};

// The search ends after this many ranks in a row beyond the one it would choose.
inline constexpr Index kPatience = 3;

// The lowest rank of a curve that is within one standard error of the best.
Index rank_by_one_standard_error(const Matrix& curve);

}  // namespace gingham::methods::nonnegative
