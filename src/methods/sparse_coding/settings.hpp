// Options, checks and numbers that all learners of dictionaries share.
#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/methods/sparse_coding/samples.hpp"

namespace gingham::methods::sparse_coding {

// Before and behind the method's own.
std::vector<OptionRecord> with_common(std::vector<OptionRecord> own);
OptionRecord batch_option(std::string initial, std::vector<std::string> words, std::string help);
std::vector<ArrayInfo> common_arrays();
std::vector<PanelInfo> common_panels();

// Atoms, --init and --batch fit the data. Throws Error.
void check(const Dataset& data, const Options& options);
// A whole number from 1 on, or nothing for a word. Throws Error{usage}.
std::optional<Index> asked_batch(const Options& options);

// --lambda as a number: 1.2 / sqrt(p) for auto; 100 % is max |d_j^T x_i| over all samples and the
// first atoms, one per row.
UsedValues resolved_lambda(const Samples& samples, const Options& options,
                           const Matrix& first_atoms, Context& ctx);
// The same of a fit that is over.
double fitted_lambda(const Options& options, const Model& fitted, Index length);

// Memory beyond the data, by a guess of how many atoms a sample uses; `value_bytes` per number in
// the learner's precision.
double peak_bytes(const Dataset& data, const Options& options, Index batch, double value_bytes);

// Whether samples are the rows of the file, which can then be read when needed.
bool streams(const Options& options);

}  // namespace gingham::methods::sparse_coding
