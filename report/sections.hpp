// The parts of the page below the picture, each a whole <section>.
#pragma once
#include <string>

#include "gingham/engine/result.hpp"

namespace gingham::report {

std::string components_section(
    const Result& result);  // table of all, and the strongest members of each
std::string numbers_section(const Result& result);  // scores, terms, gaps, restarts
// What is needed to make the result again: method, command, inputs, parameters, time.
std::string provenance_section(const Result& result, const std::string& command);

// One sentence on how the run ended, and one on what that means for the reader.
struct StatusWords {
  const char* tone;  // good, fair or bad: the class of the badge
  const char* title;
  const char* meaning;  // HTML
};
StatusWords status_words(Status status);

const char* style_sheet();

}  // namespace gingham::report
