// What a reader accepts at most before it gives up. Files are untrusted: these bounds hold whatever
// a header claims and whatever a compressed stream unpacks to.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham {

struct Limits {
  Index max_bytes = Index{1} << 40;       // of one file, after decompression
  Index max_entries = Index{1} << 37;     // cells of a dense block, listed entries of a sparse one
  Index max_line_bytes = Index{1} << 26;  // of one line of text, or one quoted record
  Index max_expansion = 200;  // decompressed bytes per compressed byte, beyond the first 16 MiB
  Index max_modes = 32;
};

// A compressed file may always unpack to this much, however small it is.
inline constexpr Index kFreeExpansionBytes = Index{1} << 24;

inline constexpr Index kMaxLabelBytes = 4096;

// Longer runs of digits say nothing more about a double; they are damage, not data.
inline constexpr Index kMaxNumberBytes = 384;

}  // namespace gingham
