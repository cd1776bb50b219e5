// Sizes and counts: signed 64 bit everywhere, never narrowed without a check.
#pragma once
#include <cstdint>
#include <limits>
#include <span>

#include "gingham/base/error.hpp"

namespace gingham {

using Index = std::int64_t;
using Vec = std::span<double>;
using ConstVec = std::span<const double>;

// a * b and a + b; throws Error{memory} naming `what` when the result does not fit 64 bits.
inline Index checked_mul(Index a, Index b, const char* what) {
  Index result = 0;
  if (__builtin_mul_overflow(a, b, &result)) {
    throw Error(ErrorCode::memory, "", std::string("size overflow: ") + what);
  }
  return result;
}
inline Index checked_add(Index a, Index b, const char* what) {
  Index result = 0;
  if (__builtin_add_overflow(a, b, &result)) {
    throw Error(ErrorCode::memory, "", std::string("size overflow: ") + what);
  }
  return result;
}

// Coordinates of sparse data are stored in 32 bits; a mode may have at most this many items.
inline constexpr Index kMaxSparseModeSize = std::numeric_limits<std::int32_t>::max();

}  // namespace gingham
