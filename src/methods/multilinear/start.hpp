// Where a multilinear fit begins.
#pragma once
#include "gingham/engine/context.hpp"
#include "gingham/methods/multilinear/asked.hpp"
#include "gingham/methods/multilinear/solver.hpp"

namespace gingham::methods::multilinear {

// At most so many sweeps, until one changes the cost by less than this share of it: starts need no
// more. `given`: what is paid for components that the solver does not see.
void run_sweeps(Solver& solver, int most, double change, Context& ctx, double given = 0.0);

// Uniform on [0, 1), or [-1, 1) with signs; weights 1. A mode of one item has 1 and draws nothing,
// so that it makes no difference whether it is there.
Factors random_factors(const Shape& shape, Index n_components, bool is_signed, Rng& rng);

// Scales the first factor so that the model fits best, or is about as large as the data where it
// points away from them: steps from factors of another size than the data's cancel each other.
void fit_scale(const Observed& data, Factors& factors, Executor& executor);

// Columns from `first` on of modes that --penalty bounds get length 1, their scale goes to the
// first mode that has no bound.
void scale_for_asked(const Observed& data, const Options& options,
                     const std::vector<double>& lambda, Index first, Factors& factors);

// What --penalty comes to: percentages are of what empties the first update of a mode from these
// factors.
UsedValues asked_values(const Observed& data, const Options& options, const Factors& start,
                        Executor& executor);

// The least-squares fit that alternating steps reach from random factors, to about four digits.
Factors parafac_factors(const Observed& data, Index n_components, bool is_signed, Context& ctx);

// Leading singular vectors of the unfoldings, without signs the larger of their positive and
// negative parts; random where a mode has too few of them. An array with two modes of more than one
// item is a matrix, whose vectors go in pairs.
Factors svd_factors(const Observed& data, Index n_components, bool is_signed, Context& ctx);

// Components that stay while others are looked for, and what they leave: kept from one to the next,
// so that each costs passes over the data for itself alone.
struct Given {
  Factors factors;
  std::vector<double> linear = {};  // <X, component>, weights left out (Solver::linear)
  std::vector<double> listed = {};  // what they leave of listed cells (operators/residual.hpp)

  static Given none(const Observed& data, Executor& executor);
  // All of these factors; linear where it is known.
  static Given of(const Observed& data, Factors factors, std::vector<double> linear,
                  Executor& executor);
  // All of these; those that were given before are the first of them.
  void take(const Observed& data, Factors all, std::vector<double> linear_of_all,
            Executor& executor);
};

// The given factors with one more component that fits what they leave, by least squares: the best
// of a few starts (constant, through the largest residual, random). Its columns are 0 where nothing
// is left to fit.
Factors with_one_more(const Observed& data, const Given& given, bool is_signed, Rng& rng,
                      Context& ctx);

// The components from `first` on with columns of largest magnitude 1 and their scale in the weight,
// as far as the problem allows, then balanced if it asks for that.
void normalise(const Problem& problem, Index first, Factors& factors);

}  // namespace gingham::methods::multilinear
