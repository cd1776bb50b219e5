#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gingham/methods/multilinear/asked.hpp"
#include "gingham/methods/multilinear/model.hpp"
#include "gingham/methods/tensor/sparsity.hpp"
#include "gingham/methods/tensor/tensor.hpp"

namespace gingham::methods::tensor {

using multilinear::Factors;

Model Tensor::model(Context&) const {
  const FactorView found = solver_.factors();
  const Index n_asked = options_.integer("clusters");
  Model model;
  if (n_iterations_ == 0 && !is_refit_ && solver_.first() == 0 && !is_final_) return model;
  std::vector<Index> order = multilinear::by_explained(solver_);
  if (!is_joint()) std::iota(order.begin(), order.end(), Index{0});
  Factors factors = multilinear::reordered(found, order);
  std::vector<double> levels, pruned;
  for (const Index k : order) {
    levels.push_back(multilinear::level(found, k));
    model.components.push_back({found.weights[k], solver_.explained(k), {}, levels.back()});
    pruned.push_back(pruned_[k]);
  }
  if (is_final_ && found.n_components() < n_asked) {  // what follows an empty one is empty
    factors = multilinear::resized(factors, n_asked);
    model.components.resize(static_cast<std::size_t>(n_asked), {0.0, 0.0, {}, 0.0});
    levels.resize(static_cast<std::size_t>(n_asked), 0.0);
    pruned.resize(static_cast<std::size_t>(n_asked), prune_share_);
  }
  model.explained = share_explained(solver_.loss(), data_->squares());
  multilinear::add_factors(factors, data_->is_matrix(), model);
  const auto n_empty = std::count(levels.begin(), levels.end(), 0.0);
  const std::string how_many =
      fmt::format("{} of {} co-clusters are empty", n_empty, levels.size());
  if (const auto reason = multilinear::nothing_to_find(
          *data_, is_signed(), "--signed looks for co-clusters of values below 0 too")) {
    model.notes.push_back(*reason);
  } else if (n_empty > 0 && problem_.is_penalised()) {
    model.notes.push_back(how_many +
                          ": at this sparsity nothing more is worth its members; a smaller "
                          "--sparsity gives more");
  } else if (n_empty > 0) {
    model.notes.push_back(how_many + ": the others explain as much without them");
  }
  model.arrays.push_back({"weights", std::move(factors.weights)});
  model.arrays.push_back({"levels", std::move(levels)});
  model.used = {{"sparsity", problem_.lambda, sparsity_maxima_}, {"prune", std::move(pruned)}};
  if (multilinear::has_percentages(options_)) model.used.push_back(asked_);
  if (options_.given("expect") && !asks_for(options_, "paper")) {
    model.notes.push_back("--expect was not used: it goes with --sparsity paper");
  }
  return model;
}

}  // namespace gingham::methods::tensor
