// Where the co-clusters of a tensor fit begin.
#pragma once
#include "gingham/engine/model.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/methods/multilinear/start.hpp"

namespace gingham::methods::tensor {

struct StartRequest {
  const Observed& data;
  const multilinear::Problem& problem;
  const Options& options;
  const multilinear::Factors& plain_fit;  // by least squares; empty where there is none
  const std::optional<Model>& earlier;    // of a run with other penalties
};

// All co-clusters together: the first restart from an earlier model or as --start says, the second
// from deflation, the others from random factors.
multilinear::Factors joint_start(const StartRequest& request, Context& ctx);

// One co-cluster more, by least squares on what the given ones leave, scaled as the problem asks.
multilinear::Factors with_next_component(const Observed& data, const multilinear::Problem& problem,
                                         const multilinear::Given& given, Rng& rng, Context& ctx);
// The given co-clusters and such a one, fitted with its penalties until the cost changes little.
// `penalties`: what the given ones pay.
struct Grown {
  multilinear::Factors factors;
  std::vector<double> linear;  // of all (Solver::linear); empty: not known
  double penalties = 0.0, cost = 0.0;
};
Grown with_fitted_component(const Observed& data, const multilinear::Problem& problem,
                            const multilinear::Given& given, double penalties, Rng& rng,
                            Context& ctx);

}  // namespace gingham::methods::tensor
