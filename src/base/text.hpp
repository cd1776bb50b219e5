// Numbers to and from text without a locale, and text that is safe to show.
#pragma once
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "gingham/base/index.hpp"

namespace gingham {

// The whole of `text` as a number, or nothing. A leading '+' is allowed; hexadecimal, spaces and
// trailing characters are not. parse_real reads "nan" and "inf" in any case as these; out of range
// is nothing.
std::optional<double> parse_real(std::string_view text);
std::optional<Index> parse_integer(std::string_view text);

// The shortest text that reads back as the same number.
GINGHAM_API std::string to_text(double value);
inline std::string to_text(Index value) { return std::to_string(value); }

// "12.3 MB": for people, powers of 1000.
std::string human_bytes(double bytes);

// `text` with control characters and invalid UTF-8 replaced by '?', cut to `limit` characters: fit
// for a terminal or an error message.
GINGHAM_API std::string printable(std::string_view text, std::size_t limit = 200);

// The byte where `text` stops being valid UTF-8, or nothing.
std::optional<std::size_t> invalid_utf8(std::string_view text);

}  // namespace gingham
