#include "summary.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "gingham/base/text.hpp"
#include "gingham/tools/evaluate.hpp"
#include "gingham/tools/status_words.hpp"
#include "look.hpp"
#include "members.hpp"
#include "terminal.hpp"

namespace gingham::cli {
namespace {

Ink ink_of(Tone tone) {
  return tone == Tone::good ? Ink::good : tone == Tone::fair ? Ink::fair : Ink::bad;
}

constexpr std::size_t kMaxRows = 20;
constexpr Index kBarWidth = 10;
constexpr std::size_t kMaxMembers = 3;  // of a component in a mode, by name

std::string share_text(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f}%", 100.0 * share) : "-";
}

// Cells in columns, each as wide as its widest cell; numbers to the right.
class Columns {
 public:
  void add(const std::string& header, bool is_number = true) {
    columns_.push_back({.is_number = is_number, .width = text_width(header), .cells = {header}});
  }
  void set(std::size_t column, const std::string& cell) {
    Column& one = columns_[column];
    one.width = std::max(one.width, text_width(cell));
    one.cells.push_back(cell);
  }
  // Row 0 is the header. `paint` is given each cell with its column, set to its width.
  template <class Paint>
  std::string row(std::size_t number, Paint paint) const {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Column& column = columns_[c];
      if (column.width == 0) continue;
      const std::string& cell = column.cells[number];
      line += (line.empty() ? "" : "  ") +
              paint(c, column.is_number ? right(cell, column.width) : left(cell, column.width));
    }
    return line;
  }

 private:
  struct Column {
    bool is_number;
    Index width;
    std::vector<std::string> cells;
  };
  std::vector<Column> columns_;
};

// Members of a component in a mode: one number, or the least and the largest over its blocks.
std::string members_text(const Result& result, const std::string& mode, Index component) {
  Index least = std::numeric_limits<Index>::max(), most = 0;
  for (const Membership& membership : result.model.memberships) {
    if (membership.mode != mode) continue;
    const Index size = size_of(membership, component);
    least = std::min(least, size);
    most = std::max(most, size);
  }
  return least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
}

// "Ada Moreno, Bruno Keller, ... | Jan 2024": the strongest few of each mode with names, the same
// people in two modes once.
std::string names_text(const Result& result, const std::vector<std::string>& modes,
                       Index component) {
  std::vector<std::string> parts;
  for (const std::string& mode : modes) {
    const std::vector<std::string> names = strongest_names(result, mode, component, kMaxMembers);
    if (names.empty()) continue;
    std::vector<std::string> shown;
    for (const std::string& name : names) shown.push_back(printable(name, 40));
    const std::string part = fmt::format("{}", fmt::join(shown, ", "));
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  }
  return fmt::format("{}", fmt::join(parts, " | "));
}

Columns table_of(const Result& result, const std::vector<std::string>& modes, const Look& look) {
  const std::vector<Component>& components = result.model.components;
  double largest = 0.0;
  bool has_levels = false;  // which say more than weights that all lie at their bound
  for (const Component& one : components) {
    if (std::isfinite(one.explained)) largest = std::max(largest, one.explained);
    has_levels = has_levels || std::isfinite(one.level);
  }
  Columns table;
  for (const char* header : {"component", has_levels ? "level" : "weight", "explained"})
    table.add(header);
  table.add("", false);
  for (const std::string& mode : modes) table.add(mode);
  for (std::size_t k = 0; k < components.size() && k < kMaxRows; ++k) {
    const Component& one = components[k];
    table.set(0, std::to_string(k));
    table.set(1, fmt::format("{:.5g}", has_levels ? one.level : one.weight));
    table.set(2, std::isnan(one.explained) ? "" : share_text(one.explained));
    table.set(3, one.explained > 0.0 ? look.bar(one.explained / largest, kBarWidth) : "");
    for (std::size_t m = 0; m < modes.size(); ++m)
      table.set(4 + m, members_text(result, modes[m], static_cast<Index>(k)));
  }
  return table;
}

// The strongest members stand below their component, as far as the line goes.
void print_components(const Result& result, const Look& look) {
  const std::size_t n = result.model.components.size();
  const std::vector<std::string> modes = modes_of(result);
  const Columns table = table_of(result, modes, look);
  constexpr Index kIndent = 11;
  print_line(look.paint(
      Ink::dim, look.cut(table.row(0, [](std::size_t, const std::string& cell) { return cell; }),
                         look.columns)));
  for (std::size_t k = 0; k < std::min(n, kMaxRows); ++k) {
    const auto component = static_cast<Index>(k);
    const auto plain = [](std::size_t, const std::string& cell) { return cell; };
    const auto paint = [&](std::size_t column, const std::string& cell) {
      return column == 0 || column == 3 ? look.paint_component(component, cell) : cell;
    };
    std::string line = table.row(k + 1, plain);
    const bool fits = look.columns == 0 || text_width(line) <= look.columns;
    print_line(fits ? table.row(k + 1, paint) : look.cut(line, look.columns));
    const std::string names = names_text(result, modes, component);
    if (names.empty()) continue;
    const Index room = look.columns == 0 ? 0 : std::max<Index>(look.columns - kIndent, 1);
    print_line(std::string(kIndent, ' ') + look.paint(Ink::dim, look.cut(names, room)));
  }
  if (n > kMaxRows) print_line(fmt::format("      ...  {} more in result.json", n - kMaxRows));
  if (n > 1 && !std::isnan(result.model.explained)) {
    print_line(fmt::format("together the {} components explain {}", n,
                           look.paint(Ink::bold, share_text(result.model.explained))));
  }
}

void print_scores(const Result& result, const Look& look) {
  for (const NamedValue& score : result.scores) {
    if (is_block_score(score.name)) continue;  // result.json has them
    print_line(fmt::format("{:<16} {}", score.name,
                           look.paint(Ink::bold, fmt::format("{:.4f}", score.value))));
  }
}

}  // namespace

std::string headline(const Result& result, const Look& look) {
  double seconds = 0.0;
  for (const NamedValue& one : result.seconds) {
    if (one.name == "fit") seconds = one.value;
  }
  const StatusWords words = status_words(result.status);
  return fmt::format("{}: {} after {} iteration{}, {}", look.paint(Ink::bold, result.method),
                     look.paint(ink_of(words.tone), words.brief), result.iterations,
                     result.iterations == 1 ? "" : "s", duration_text(seconds));
}

void print_summary(const Result& result, const std::string& directory) {
  const Look look = Look::of(STDOUT_FILENO);
  print_line(headline(result, look));
  std::string numbers = fmt::format("objective {:.8g}", result.terms.objective());
  if (!result.terms.gaps.empty())
    numbers += fmt::format(", largest gap {:.1e}", result.terms.gap());
  print_line(look.paint(Ink::dim, numbers));
  print_components(result, look);
  for (const std::string& note : result.model.notes)
    print_line(look.paint(Ink::fair, "note:") + " " + printable(note, 400));
  print_scores(result, look);
  print_line("written to " + printable(directory));
  const std::string page = directory + "/report.html";
  std::error_code ignored;
  if (std::filesystem::exists(page, ignored)) print_line("report: " + printable(page));
}

}  // namespace gingham::cli
