#pragma once

namespace gingham {

// Bytes that a new program could take without pushing others out, as the system sees it; a
// container's limit counts. Infinity when nobody can tell.
double free_memory_bytes();

// What a run may use: `asked`, or four fifths of what is free when that is 0.
double memory_limit(double asked);

}  // namespace gingham
