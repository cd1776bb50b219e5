// A result as a directory: result.json, the arrays as .npy (.npz where sparse), clusters.tsv, labels/.
#pragma once
#include <string>
#include <vector>

#include "gingham/engine/result.hpp"
#include "gingham/io/result_json.hpp"

namespace gingham {

// Written whole or not at all; an existing directory is replaced only when `replace` says so. `extra` are
// further files (name, contents). Throws Error{output}.
struct ExtraFile {
  std::string name, contents;
};
void write_result(const std::string& directory, const Result& result, const ReadingRecord& reading, bool replace,
                  const std::vector<ExtraFile>& extra = {});

struct ResultDirectory {
  StoredResult json;                        // its result with arrays and memberships filled in
  std::vector<std::vector<Index>> labels;   // as in labels/, one list per membership
};
// Throws Error{input} naming the file that is missing or damaged.
ResultDirectory read_result(const std::string& directory);

// clusters.tsv: component, mode, block, index, label, value; a line per member.
std::string clusters_tsv(const Result& result);
// A label file: one number per line.
std::string label_lines(const std::vector<Index>& labels);

}  // namespace gingham
