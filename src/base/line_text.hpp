// What a line of a text file can hold.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace gingham {

// Why this is no line of UTF-8 text, as a sentence about the line; nothing where it is one. Control
// characters but tabs are none of it, line ends among them.
std::optional<std::string> line_fault(std::string_view line);

// Blanks and tabs at the end of a line mean nothing.
std::string_view without_end_blanks(std::string_view line);

}  // namespace gingham
