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
// Sweeps until the cost changes little; for a component that is tried out.
void fit_component(multilinear::Solver& solver, Context& ctx);

}  // namespace gingham::methods::tensor
