// --penalty rows=... columns=... for rank-one terms.
//
// A side has unit length after every step, so that its penalty is paid in proportion to the weight:
// s g(u). That asks for g(c x) = c g(x), which L1, groups, the fused penalty and cones (nonneg,
// top, unimodal) keep; a square, a box or a ball is a statement about a size that is gone.
#pragma once
#include "gingham/engine/mode_penalties.hpp"
#include "gingham/engine/model.hpp"
#include "gingham/methods/rank_one/rank_one.hpp"

namespace gingham::methods::rank_one {

// The modes that --penalty names.
std::vector<std::string> penalty_modes();

// Throws Error{usage} with the reason where a penalty cannot be.
void check_penalties(const Dataset& data, const Rules& rules);

// Sides with a penalty of their own have no other.
void make_room_for_penalties(Rules& rules);

// The penalty of a mode at any weights, to ask what it is like. Null where none was asked for.
std::shared_ptr<const Penalty> any_penalty(const Options& options, Index mode, Index n_items);

// The penalty of a mode as a finished fit has it: percentages at the numbers they came to. Null
// where none was asked for.
std::shared_ptr<const Penalty> fitted_penalty(const Options& options, const Model& fitted,
                                              Index mode, Index n_items);

}  // namespace gingham::methods::rank_one
