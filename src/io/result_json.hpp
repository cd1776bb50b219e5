// result.json: a Result without its arrays, as text and back.
#pragma once
#include <string>

#include "gingham/engine/result.hpp"
#include "gingham/io/read.hpp"

namespace gingham {

// How the inputs were read, so that they can be read the same way again.
struct ReadingRecord {
  std::string unlisted, duplicates, labels;
  Index index_base = 1;
  Shape shape;
};

struct StoredResult {
  Result result;                           // arrays, memberships and labels are not in the JSON
  std::vector<std::vector<Index>> sizes;   // per component, per membership: as written
  std::vector<std::string> size_keys;      // the memberships' keys
  std::vector<std::string> array_names;
  double objective = 0.0;                  // as written; result.terms has the parts
  ReadingRecord reading;
};

std::string to_json(const Result& result, const ReadingRecord& reading);
// Throws Error{input} with the place when the text is not a result. `where` names the file.
StoredResult from_json(const std::string& text, const std::string& where);

ReadingRecord record_of(const ReadOptions& options);
ReadOptions options_of(const ReadingRecord& record);

}  // namespace gingham
