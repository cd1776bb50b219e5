#include "gingham/methods/rank_one/worth.hpp"

namespace gingham::methods::rank_one {
namespace {

// What component k adds to F beside the others that are in.
double added(const WorthProblem& problem, const std::vector<bool>& in, std::size_t k) {
  double value = problem.own[k];
  for (std::size_t l = 0; l < in.size(); ++l) {
    if (in[l] && l != k) value += problem.shared(static_cast<Index>(k), static_cast<Index>(l));
  }
  return value;
}

}  // namespace

double WorthProblem::value(const std::vector<bool>& in) const {
  std::vector<bool> yet(in.size(), false);
  double total = 0.0;
  for (std::size_t k = 0; k < in.size(); ++k) {
    if (in[k]) total += added(*this, yet, k);
    yet[k] = in[k];
  }
  return total;
}

std::vector<bool> worth_keeping(const WorthProblem& problem) {
  std::vector<bool> in(problem.own.size(), true);
  for (;;) {
    double most = problem.rounding;
    std::size_t best = in.size();
    for (std::size_t k = 0; k < in.size(); ++k) {
      const double falls = in[k] ? added(problem, in, k) : -added(problem, in, k);
      if (falls > most) {
        most = falls;
        best = k;
      }
    }
    if (best == in.size()) break;
    in[best] = !in[best];
  }
  if (problem.value(in) > problem.rounding) in.assign(in.size(), false);
  return in;
}

}  // namespace gingham::methods::rank_one
