// What fit, path and compare have in common about the place they write to: whether it may be
// written, and a run's result there with scores and a page.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "gingham/engine/registry.hpp"
#include "gingham/engine/result.hpp"
#include "gingham/io/result_json.hpp"
#include "gingham/tools/evaluate.hpp"

namespace gingham {

using ReportMaker = std::function<std::string(const Dataset&, const Result&)>;

std::string without_final_slash(std::string path);

// Throws Error{usage} when the folder around `output` does not exist, and Error{output} when it
// cannot be written to.
void check_parent(const std::string& output);
// Throws Error{usage} when `output` exists and may not, or when it is something else than an
// earlier output: a folder that is empty or holds the file `marker`. `kind` as in "a result".
void check_replaceable(const std::string& output, const std::string& marker,
                       const std::string& kind, bool may_exist);

// A folder with nothing in it but this file; what was there before is gone. The target was checked.
void begin_folder(const std::string& output, const std::string& marker,
                  const std::string& contents);

struct Finishing {
  ReadingRecord reading;
  Truth truth = {};
  std::string truth_mode = {};
  ReportMaker report = {};
};

// Adds the scores and writes the result directory with its page, unless there is nothing to show;
// without a directory the scores are all. Returns whether it was written. Scores and page come last
// and must not cost the user the run: what goes wrong with them is a remark.
bool write_run(const std::string& directory, const Dataset& data, const Finishing& finishing,
               bool replace, Result& result, std::vector<std::string>& remarks);

}  // namespace gingham
