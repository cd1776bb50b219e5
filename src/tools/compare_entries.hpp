// The runs of a comparison: which method sees which part of the data, and what it cannot work on.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gingham/tools/compare.hpp"

namespace gingham {

struct CompareEntry {
  std::string name;    // of its folder
  std::string method;  // with a number where it occurs again
  const MethodInfo* info = nullptr;
  Options options = {};
  std::string given = {};  // options that are not at their defaults, as in a list of methods
  bool is_per_block = false;
  std::optional<Index> view = {};  // the only one it is given
  bool has_truth = false;
  std::string refusal = {};  // why it cannot work on the data
};

// One for each method of the list, with its options. Throws Error{usage}.
std::vector<CompareEntry> entries_of(const CompareRequest& request);
// Where the data are views: a method that takes one matrix once for each of them.
std::vector<CompareEntry> by_view(const std::vector<CompareEntry>& entries, const Dataset& data);
// Finds out which entries cannot work on the data; these say why. Throws Error{input} when that is
// so for all of them, Error{usage} for truth that does not fit the parts.
void check_entries(std::vector<CompareEntry>& entries, const CompareRequest& request,
                   const Dataset& data, double limit);
// What a method says about data or options, not what goes wrong around it.
bool is_refusal(const Error& error);

bool is_part(const CompareEntry& entry);  // does it see one block at a time?
Dataset part_of(const Dataset& data, const CompareEntry& entry, Index block);
Index n_parts(const Dataset& data, const CompareEntry& entry);

}  // namespace gingham
