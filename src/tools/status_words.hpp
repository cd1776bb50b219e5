// How a run ended, in words for people: on the terminal and on a page.
#pragma once
#include "gingham/engine/status.hpp"

namespace gingham {

enum class Tone { good, fair, bad };

struct StatusWords {
  Tone tone;
  const char* brief;    // "converged", in the middle of a line
  const char* title;    // the same as a title
  const char* meaning;  // what it means for the reader, a sentence or two
};
StatusWords status_words(Status status);

}  // namespace gingham
