// Pooled codes to scores of terms, as files.
#pragma once
#include "annotate/terms.hpp"
#include "gingham/tools/table.hpp"

namespace gingham::annotate {

inline constexpr const char* kAnnotateMarker = "annotate.json";

struct AnnotateRequest {
  std::string pooled = {};  // directory
  TermOptions terms = {};
  int threads = 0;
  std::string output = {};
  bool force = false;
};

struct AnnotateOutcome {
  Index n_bags = 0, n_features = 0;
  TermScores scores = {};
  Table table = {};  // a row per term, and the weighted mean
};

// Writes, whole or not at all, into `output`
//   scores.tsv     per term the means over the folds and their deviation; last the weighted mean
//   decisions.tsv  bag, term, fold, truth, decision of every test bag
//   annotate.json  the same per fold, version, options, digest of the pooled codes
AnnotateOutcome annotate(const AnnotateRequest& request);

}  // namespace gingham::annotate
