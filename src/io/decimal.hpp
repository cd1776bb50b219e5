// Numbers in decimal notation, as fast as they can be read, to the same bits as std::from_chars:
//
//   -? digits [. digits] [(e|E) [+-] digits]      (or -? . digits ...)      =  w * 10^q
//
// with w a whole number.
//
// For w <= 2^53 and |q| <= 22 both w and 10^|q| are doubles, so that one multiplication or division
// rounds once (Clinger 1990). For w of up to 19 digits and |q| <= 55 the product of w with the
// first 128 bits of 5^q tells the nearest double unless the rest of the product could decide (the
// idea of Lemire 2021); then, and for all else, std::from_chars is asked.
#pragma once

namespace gingham {

// The finite number that starts at `begin`: where it ends, or null where there is none of this
// notation, none that a double can hold or one of more than kMaxNumberBytes characters. What is
// there must be looked at by parse_value then. A character that can be part of no number must lie
// before `end`: reading does not look at `end` as long as there is more of the number.
const char* read_decimal(const char* begin, const char* end, double& value);

}  // namespace gingham
