// How a run ended, in words for people: on the terminal and on a page.
#pragma once
#include "gingham/engine/result.hpp"

namespace gingham {

enum class Tone { good, fair, bad };

struct StatusWords {
  Tone tone;
  const char* brief;    // "converged", in the middle of a line
  const char* title;    // the same as a title
  const char* meaning;  // what it means for the reader, a sentence or two
};
StatusWords status_words(Status status);
// A method that counts epochs does as many as it was asked for: that is its ordinary end, though
// its status is iteration_limit.
StatusWords status_words(const Result& result);

}  // namespace gingham
