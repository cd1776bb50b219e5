// A fitted result applied to new items of one mode: read, check against the fit, run, write.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "gingham/io/result_json.hpp"
#include "gingham/tools/apply.hpp"

namespace gingham {

struct TransformRequest {
  std::string result;  // the directory of the fit
  ReadingRecord
      reading;  // the new files; words left empty and an index base below 0: as in the fit
  std::map<std::string, std::string> attached = {};  // files of the fit's options that have moved
  std::map<std::string, std::string> settings = {};  // options of the fit given anew, by name
  std::string output;
  Index mode = 0;  // of which there are new items
  // Which of the fit's views the files are, in their order, for a method of views; empty: all.
  std::vector<Index> views = {};
  int threads = 0;
  bool force = false;
  double memory_limit_bytes = 0.0;  // 0: four fifths of what is free
};

struct TransformOutcome : Applied {
  std::string method = {};
  std::vector<Component> components = {};  // of the fit
  bool is_written = false;                 // not where a number is not finite
};

// Writes transform.json, clusters.tsv, labels/ and the arrays, whole or not at all. Throws as
// apply_fit does, as readers do, and Error{output}.
TransformOutcome transform(const TransformRequest& request);

}  // namespace gingham
