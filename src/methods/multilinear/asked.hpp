// What --penalty asks of the modes of a multilinear model.
#pragma once
#include "gingham/data/dataset.hpp"
#include "gingham/engine/mode_penalties.hpp"
#include "gingham/engine/model.hpp"

namespace gingham::methods::multilinear {

// One per mode, null where the method's own rule holds; empty where nothing is asked.
using Asked = std::vector<std::shared_ptr<const Penalty>>;

// rows and columns of a matrix, mode_0, mode_1 ... otherwise.
std::vector<std::string> mode_names(const Block& block);

// Throws Error{usage} with the reason and the remedy for what makes no sense here.
void check_asked(const Block& block, const Options& options);

// The penalties with these numbers (ModePenalties::used). `lambda`: the method's own penalty of
// each mode. A mode of one item has none.
//
// In a box (tensor --model box) they hold inside it. Without one rescaling must not undo them:
// where the penalty of a mode falls as its column shrinks, modes whose size costs nothing lie in the
// unit ball; where cells are missing that holds for convex penalties alone.
Asked asked_penalties(const Block& block, const Options& options, const std::vector<double>& lambda,
                      const std::vector<double>& numbers);

// The same with any numbers: what kind of penalty each mode has.
Asked asked_kinds(const Block& block, const Options& options, const std::vector<double>& lambda);

bool has_percentages(const Options& options);

}  // namespace gingham::methods::multilinear
