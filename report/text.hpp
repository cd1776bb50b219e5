// Text from outside, made harmless and short; numbers in words.
#pragma once
#include <string>
#include <string_view>

namespace gingham::report {

// `text` without control characters, marks that turn the direction of writing and other invisible
// ones; bytes that are not UTF-8 as U+FFFD; at most `limit` characters, then an ellipsis.
std::string clean(std::string_view text, std::size_t limit = 200);
// The same for an element's content or a quoted attribute: & < > " ' as entities.
std::string escape(std::string_view text, std::size_t limit = 200);

// A number in a sentence: `digits` significant ones; a word for what is not finite.
std::string number(double value, int digits = 6);
// A count with thin spaces between thousands: 12 345.
std::string count(long long value);
// "1 row", "12 345 rows".
std::string counted(long long value, std::string_view singular);

}  // namespace gingham::report
