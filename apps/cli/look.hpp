// How text is set where it goes: colours and bars only on a terminal that shows them, lines no
// wider than it. The words are the same everywhere.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham::cli {

enum class Ink { plain, bold, dim, good, fair, bad };

struct Look {
  bool has_colours = false;
  bool has_unicode = false;  // a terminal that says it takes UTF-8
  bool can_rewrite = false;  // a line in place
  Index columns = 0;         // 0: as long as it gets

  // Colours only on a terminal whose TERM is not "dumb", unless NO_COLOR is set and not empty. The
  // width is the terminal's own, or that of COLUMNS, or 80; anything else than a terminal has none.
  static Look of(int descriptor);

  std::string paint(Ink ink, std::string_view text) const;
  // In the colour of a component; colours repeat after six.
  std::string paint_component(Index component, std::string_view text) const;
  const char* ellipsis() const { return has_unicode ? "…" : "..."; }
  // The beginning of plain text, with an ellipsis where it is wider than `columns` (0: all of it).
  std::string cut(const std::string& text, Index width) const;
  // A share between 0 and 1 as a bar of at most `width` columns; empty without Unicode.
  std::string bar(double share, Index width) const;
  // Words in lines that fit, each with these spaces before it; one line without a width.
  std::vector<std::string> wrap(const std::string& text, Index indent) const;
  // Numbers above 0 as small columns on a logarithmic scale, their time squeezed into `width`;
  // empty without Unicode.
  std::string spark(const std::vector<double>& values, Index width) const;
};

// Columns that plain text takes: wide characters two, marks on another one none.
Index text_width(std::string_view text);
// Spaces before (or after) the text up to this width.
std::string right(const std::string& text, Index width);
std::string left(const std::string& text, Index width);

}  // namespace gingham::cli
