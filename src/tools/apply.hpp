// A fit applied to new items of one mode, in memory.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "gingham/engine/registry.hpp"
#include "gingham/engine/result.hpp"

namespace gingham {

struct ApplyRequest {
  Index mode = 0;  // of which there are new items
  // Which of the fit's views the blocks are, in their order, for a method of views; empty: all.
  std::vector<Index> views = {};
  std::map<std::string, std::string> settings = {};  // options of the fit given anew, by name
  int threads = 0;
  Executor* executor = nullptr;     // where blocks run, in place of threads of its own
  double memory_limit_bytes = 0.0;  // 0: the data and four fifths of what is free
};

struct Applied {
  std::string mode;          // its name
  std::vector<Index> views;  // the new items were seen in, where the fit is of views
  Index n_views = 0;         // of the fit
  Status status = Status::converged;
  Transformed found;
  double seconds = 0.0;  // of the transform itself
  Dataset fresh;         // a block for each input of the fit, without values where none was given
};

// What can be said before there are data.
struct ApplyPlan {
  const MethodInfo* info = nullptr;
  Options options = {};            // of the fit, with the settings
  std::vector<Index> places = {};  // which of the fit's inputs each given block is
};
// Throws Error{usage} where the method has no transform, the mode is not there, an option may not
// change, or so many blocks are not what the fit takes.
ApplyPlan plan_apply(const Result& fit, const ApplyRequest& request, Index n_given);

// `fit` has the content of its options attached. Throws as plan_apply does, Error{input} where the
// blocks do not fit those of the fit (sizes of the other modes, names of their items where both
// have them, signs) or are not the views they are said to be, and Error{memory}.
Applied apply_fit(const Result& fit, std::vector<Block> given, const ApplyRequest& request);

}  // namespace gingham
