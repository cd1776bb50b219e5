// Readers as functions of bytes, for fuzzers and for the replay of corpora. Whatever the bytes are,
// a target returns; it aborts when a reader breaks a promise: an exception other than Error{input}
// with a place, or a block that its own writer and reader do not give back bit for bit.
#pragma once
#include <span>

namespace gingham::fuzz {

struct Target {
  const char* name;
  void (*one_input)(std::span<const char> bytes);
};

std::span<const Target> targets();

}  // namespace gingham::fuzz
