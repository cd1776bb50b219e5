// result.json: a Result without its arrays, as text and back.
#pragma once
#include <string>

#include "gingham/engine/result.hpp"
#include "gingham/io/attached.hpp"
#include "gingham/io/read_dataset.hpp"

namespace gingham {

// From which files the inputs were read and how, so that they can be read the same way again.
struct ReadingRecord {
  std::string unlisted, duplicates, labels;
  Index index_base = 1;
  Shape shape = {};
  std::vector<std::string> files = {};  // as they were typed
  std::optional<Index> series_mode = {}, slice = {};
  std::vector<std::string> names = {};  // files of names of the items, per mode
};

// A file that holds an array: .npy, or .npz where it is sparse.
struct ArrayRecord {
  std::string name;
  Shape shape;
  bool is_sparse = false;
  std::string file() const { return name + (is_sparse ? ".npz" : ".npy"); }
};
ArrayRecord record_of(const NamedArray& array);

struct StoredResult {
  Result result;                          // arrays, memberships and labels are not in the JSON
  std::vector<std::vector<Index>> sizes;  // per component, per membership: as written
  std::vector<std::string> size_keys;     // the memberships' keys
  std::vector<ArrayRecord> arrays;
  double objective = 0.0;  // as written; result.terms has the parts
  ReadingRecord reading;
  std::vector<AttachedRecord> attached;  // files of options; result.options has only their paths
  std::vector<std::string> changed_parameters;  // keys whose number used is not what was requested
};

// `write_seconds`: what writing the other files took.
std::string to_json(const Result& result, const ReadingRecord& reading, double write_seconds = 0.0);
// Throws Error{input} with the place when the text is not a result. `where` names the file.
StoredResult from_json(const std::string& text, const std::string& where);

ReadingRecord record_of(const DataFiles& input);
DataFiles files_of(const ReadingRecord& record);

}  // namespace gingham
