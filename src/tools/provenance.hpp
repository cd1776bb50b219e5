// How an output of several results came about, as a small JSON file beside them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gingham/data/dataset.hpp"
#include "gingham/engine/options.hpp"

namespace gingham {

class Provenance {
 public:
  // Starts with the version, the blocks' names and digests, and the command as typed.
  Provenance(const Dataset& data, const std::string& command);

  // What must agree for an unfinished output to go on. A key "a.b" lies within the object "a".
  void set(const std::string& key, const std::string& value) { add(key, {value}, false, true); }
  void set(const std::string& key, const std::vector<std::string>& values) {
    add(key, values, true, true);
  }
  // Every option that has a value and can change a result, within `key`; files of lines may lie
  // elsewhere as long as their digests agree.
  void set(const std::string& key, const Options& options,
           const std::vector<std::string>& except = {});

  std::string json() const;
  // The first thing that differs from what the file says; nothing when all agree. Throws
  // Error{input} when the file cannot be understood.
  std::optional<std::string> difference(const std::string& file) const;

 private:
  struct Field {
    std::string key;
    std::vector<std::string> values;
    bool is_list = false;
    bool must_agree = false;
  };
  void add(const std::string& key, const std::vector<std::string>& values, bool is_list,
           bool must_agree) {
    fields_.push_back({key, values, is_list, must_agree});
  }
  std::vector<Field> fields_;
};

}  // namespace gingham
