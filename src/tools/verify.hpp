// Recomputes everything a result says from the data and the stored arrays, by plain loops that
// share no code with the method, and lists what does not agree.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "gingham/engine/registry.hpp"
#include "gingham/engine/result.hpp"

namespace gingham {

struct Verification {
  Index n_checked = 0;                   // numbers compared
  std::vector<std::string> differences;  // a sentence each; empty when all agree
  bool passed() const { return differences.empty(); }
};

enum class Depth {
  numbers,    // what data, options and arrays say
  run_again,  // also all that the run itself gives, numbers it chose included (rerun.hpp)
};

// A result in memory.
Verification verify_result(const Dataset& data, const Result& result, Depth depth = Depth::numbers);

// A result directory: also that files and result.json agree with each other. The inputs are read
// from where the result says, or from `inputs` when they have moved; files of options likewise, by
// the option's name in `attached`. Where the content of such a file is another now, nothing else
// can be compared and that is all that is said. Throws Error{input} when something cannot be read.
Verification verify_directory(const std::string& directory,
                              const std::vector<std::string>& inputs = {},
                              const std::map<std::string, std::string>& attached = {},
                              Depth depth = Depth::numbers);

}  // namespace gingham
