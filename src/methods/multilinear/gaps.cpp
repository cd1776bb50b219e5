#include <algorithm>
#include <cmath>
#include <optional>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/multilinear/row_grams.hpp"
#include "gingham/methods/multilinear/solver.hpp"

namespace gingham::methods::multilinear {

std::vector<NamedValue> Solver::gaps(const std::vector<std::uint8_t>& members_only, bool in_order,
                                     Index from, Executor& executor) const {
  const Index k = factors_.n_components();
  const double size = data_->squares() > 0.0 ? std::sqrt(data_->squares()) : 1.0;
  const bool is_complete = data_->kind() == Observed::Kind::complete;
  std::vector<NamedValue> gaps;
  for (Index n = 0; n < factors_.n_modes(); ++n) {
    gaps.push_back({"mode_" + std::to_string(n), 0.0});
  }
  for (const Index mode : sweep_) {
    if (problem_.held(mode) != nullptr) {
      const auto take = [&](Index r, ConstVec b, Curvature h) {
        const bool is_number = std::isfinite(sum_abs(b));
        const double gap = is_number
                               ? halved_[mode]->gap(column(factors_.modes[mode], r), b, h) / size
                               : std::nan("");
        if (!(gap <= gaps[mode].value)) gaps[mode].value = gap;
      };
      for_each_column(mode, in_order ? Beside::before : Beside::all, from, executor, take);
      continue;
    }
    const Matrix& a = factors_.modes[mode];
    Matrix y;
    data_->products(mode, factors_.modes, y, executor);
    const Matrix others = product_of_grams(mode), q = weighted(others, factors_.weights);
    const RowProblem problem = row_problem(mode, q, from);
    const ItemGrams items(*data_, mode, factors_.modes, {&others, 1});
    const Partition blocks = Partition::even(a.rows(), k * k);
    std::vector<double> squares(static_cast<std::size_t>(k), 0.0);
    sum_blocks(executor, blocks.count(), std::span<double>(squares), [&](Index block, Vec sums) {
      RowProblem own = problem;
      RowGrams grams(items, k);
      if (!is_complete) own.q = grams.q().data();
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        if (!is_complete) grams.make(i, factors_.weights);
        add_row_gaps(own, y.data() + i * k + from, members_only, in_order, a.data() + i * k, sums);
      }
    });
    gaps[mode].value = std::sqrt(*std::max_element(squares.begin(), squares.end())) / size;
  }
  if (problem_.fixed_weights) return gaps;
  double largest = 0.0;
  for (Index r = from; r < k; ++r) {
    const ConstVec line = products_.quadratic.row(r);
    if (!(line[r] > 0.0)) continue;
    double pull = products_.linear[r];
    for (Index l = 0; l < (in_order ? r : k); ++l) {
      if (l != r) pull -= line[l] * factors_.weights[l];
    }
    const double off = factors_.weights[r] - std::clamp(pull / line[r], 0.0, problem_.weight_cap);
    largest = std::max(largest, line[r] * off * off);
  }
  gaps.push_back({"weights", std::sqrt(largest) / size});
  return gaps;
}

}  // namespace gingham::methods::multilinear
