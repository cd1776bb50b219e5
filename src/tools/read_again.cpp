#include "gingham/tools/read_again.hpp"

#include <fmt/format.h>

#include <filesystem>

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
  for (std::string& file : input.names) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) file.clear();
  }
  const Result& result = stored.result;
  input.stream_beyond_bytes =
      stream_beyond(memory_limit(0.0), rows_for(find_method(result.method), result.options));
  return read_dataset(input);
}

}  // namespace gingham
