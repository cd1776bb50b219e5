#pragma once

namespace gingham {

// Bytes that a new program could take without pushing others out, as the system sees it; a
// container's limit counts. Infinity when nobody can tell.
double free_memory_bytes();

// What a run may use: `asked`, or four fifths of what is free when that is 0.
double memory_limit(double asked);
// The same where `held_bytes` of what is to be used are taken already.
double memory_limit(double asked, double held_bytes);

}  // namespace gingham
