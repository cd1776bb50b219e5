// A fitted result applied to new items of one mode: read, check against the fit, run, write.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "gingham/engine/registry.hpp"
#include "gingham/engine/status.hpp"
#include "gingham/io/result_json.hpp"

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

struct TransformOutcome {
  std::string method;
  std::string mode;          // its name
  std::vector<Index> views;  // the new items were seen in, where the fit has several
  Index n_views = 0;         // of the fit
  Status status = Status::converged;
  Transformed found;
  std::vector<Component> components;  // of the fit
  double seconds = 0.0;               // of the transform itself
  bool is_written = false;            // not where a number is not finite
};

// Writes transform.json, clusters.tsv, labels/ and the arrays, whole or not at all. Throws Error:
// usage where the method has no transform or the mode is not there; input where the new data do not
// fit those of the fit (sizes of the other modes, names of their items), or are not the views they
// are said to be; output.
TransformOutcome transform(const TransformRequest& request);

}  // namespace gingham
