// What a model leaves of the observed cells, R = X - M; no work over all cells but where X is
// dense.
#pragma once
#include "gingham/operators/factor_view.hpp"
#include "gingham/operators/observed.hpp"

namespace gingham {

// sum over observed cells of (value_scale x - M)^2, summed from residuals: exact also near a
// perfect fit, where |X|^2 - 2 <X, M> + |M|^2 is rounding.
//
// Where unlisted cells are zeros: the residuals of the listed cells, and item by item of the first
// mode |M|^2 less what is listed or missing, in two doubles where that cancels, and where that is
// not enough what is left itself.
double residual_squares(const Observed& data, const FactorView& model, Executor& executor,
                        double value_scale = 1.0);

// X - M at the cells that X0 lists, in their order by item of the first mode; empty where it is
// dense. For models that grow: components from `first` on are taken away from what others left.
std::vector<double> listed_residuals(const Observed& data, const FactorView& model,
                                     Executor& executor);
void take_away_listed(const Observed& data, const FactorView& model, Index first, Vec left,
                      Executor& executor);

// The cells that X0 lists, with these values in place of its own; others are missing.
Block listed_block(const Observed& data, ConstVec listed, Executor& executor);

// Where the model leaves most of an observed cell that is listed, with signs the largest magnitude;
// empty where nothing above 0 is left. `listed`: the listed residuals, where they are known.
std::vector<Index> largest_residual(const Observed& data, const FactorView& model, bool is_signed,
                                    Executor& executor);
std::vector<Index> largest_residual(const Observed& data, const FactorView& model, ConstVec listed,
                                    bool is_signed, Executor& executor);
// Per mode what is left of the cells through that place: 0 where they are missing or not listed.
std::vector<std::vector<double>> residual_fibres(const Observed& data, const FactorView& model,
                                                 const std::vector<Index>& through,
                                                 Executor& executor);
std::vector<std::vector<double>> residual_fibres(const Observed& data, const FactorView& model,
                                                 ConstVec listed, const std::vector<Index>& through,
                                                 Executor& executor);

}  // namespace gingham
