// Label files: one label per line, or a one-dimensional .npy of integers.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gingham/base/function_ref.hpp"
#include "gingham/io/limits.hpp"

namespace gingham {

// The labels in order; the same label may come often. Blank lines are refused but at the end; LF or
// CRLF, with or without a UTF-8 mark, also .gz. Throws Error{input} with file and line.
GINGHAM_API std::vector<std::string> read_label_file(const std::string& path,
                                                     const Limits& limits = {});
// The same, one by one.
void for_each_label(const std::string& path, FunctionRef<void(std::string_view)> visit,
                    const Limits& limits = {});

}  // namespace gingham
