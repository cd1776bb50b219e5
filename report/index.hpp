// A page that leads to several reports.
#pragma once
#include <string>
#include <vector>

#include "gingham/engine/result.hpp"

namespace gingham {

// One report; data and result outlive the call. Without them it has no picture.
struct IndexEntry {
  std::string question;                // what it answers
  std::string title;                   // what the data are
  std::vector<std::string> sentences;  // what was found
  std::string command;                 // that makes it
  std::string link;                    // to the report, from the page
  const Dataset* data = nullptr;
  const Result* result = nullptr;
};

struct IndexPage {
  std::string title, lead;
  std::vector<IndexEntry> entries;
  std::vector<std::string> next;  // commands to try
};

// Self-contained HTML; texts may hold anything and are shown as text.
std::string index_page(const IndexPage& page);

}  // namespace gingham
