#include "gingham/tools/read_again.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "gingham/base/parallel.hpp"
#include "gingham/base/text.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/read_within.hpp"

namespace gingham {

Dataset read_data_again(const StoredResult& stored, const std::vector<std::string>& inputs) {
  DataFiles input = files_of(stored.reading);
  if (!inputs.empty()) {
    if (inputs.size() != input.files.size()) {
      throw Error(ErrorCode::usage, "--input",
                  fmt::format("{} were given, the result was made from {}", inputs.size(),
                              input.files.size()));
    }
    input.files = inputs;
  }
  for (const std::string& file : inputs.empty() ? input.files : std::vector<std::string>()) {
    std::error_code ignored;
    const bool has_ending = std::filesystem::path(file).has_extension();
    if (!has_ending && !std::filesystem::exists(file, ignored))
      throw Error(ErrorCode::input, printable(file),
                  "came from memory, not from a file; write it to one and name it with --input");
  }
  for (std::string& file : input.names) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) file.clear();
  }
  const Result& result = stored.result;
  input.stream_beyond_bytes =
      stream_beyond(memory_limit(0.0), rows_for(find_method(result.method), result.options));
  ThreadPool pool(static_cast<int>(result.options.integer("threads")));
  return read_dataset(input, &pool);
}

}  // namespace gingham
