#include "look.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "gingham/base/text.hpp"

namespace gingham::cli {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool says_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = variable(name);
    if (value.empty()) continue;  // the first that is set decides
    std::transform(value.begin(), value.end(), value.begin(),
                   [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

Index width_of(int descriptor) {
  constexpr Index kUsual = 80, kNarrowest = 20;
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::max<Index>(size.ws_col, kNarrowest);
  const auto columns = parse_integer(variable("COLUMNS"));
  return columns && *columns > 0 ? std::max(*columns, kNarrowest) : kUsual;
}

// The code point that begins at `at`, and how many bytes it takes; the text is valid UTF-8.
std::pair<std::uint32_t, std::size_t> decode(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  std::uint32_t point = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length && at + i < text.size(); ++i)
    point = point << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  return {point, std::min(length, text.size() - at)};
}

struct Range {
  std::uint32_t first, last;
};
constexpr std::array<Range, 4> kMarks{
    {{0x300, 0x36F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};
constexpr std::array<Range, 8> kWide{{{0x1100, 0x115F},
                                      {0x2E80, 0xA4CF},
                                      {0xAC00, 0xD7A3},
                                      {0xF900, 0xFAFF},
                                      {0xFE30, 0xFE6F},
                                      {0xFF00, 0xFF60},
                                      {0x1F300, 0x1FAFF},
                                      {0x20000, 0x3FFFD}}};

Index point_width(std::uint32_t point) {
  const auto holds = [&](const Range& r) { return point >= r.first && point <= r.last; };
  if (std::any_of(kMarks.begin(), kMarks.end(), holds)) return 0;
  return std::any_of(kWide.begin(), kWide.end(), holds) ? 2 : 1;
}

std::string painted(const char* code, std::string_view text) {
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

}  // namespace

Look Look::of(int descriptor) {
  if (isatty(descriptor) == 0) return {};
  const std::string term = variable("TERM");
  const bool is_able = !term.empty() && term != "dumb";
  return {.has_colours = is_able && variable("NO_COLOR").empty(),
          .has_unicode = says_utf8(),
          .can_rewrite = is_able,
          .columns = width_of(descriptor)};
}

std::string Look::paint(Ink ink, std::string_view text) const {
  static constexpr std::array<const char*, 6> kCodes{"0", "1", "2", "32", "33", "31"};
  if (!has_colours || ink == Ink::plain || text.empty()) return std::string(text);
  return painted(kCodes[static_cast<std::size_t>(ink)], text);
}

std::string Look::paint_component(Index component, std::string_view text) const {
  static constexpr std::array<const char*, 6> kCodes{"34", "35", "36", "32", "33", "31"};
  if (!has_colours || text.empty()) return std::string(text);
  return painted(kCodes[component % std::ssize(kCodes)], text);
}

std::string Look::cut(const std::string& text, Index width) const {
  if (width <= 0 || text_width(text) <= width) return text;
  const Index room = width - text_width(ellipsis());
  Index used = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto [point, length] = decode(text, at);
    if (used + point_width(point) > room) break;
    used += point_width(point);
    at += length;
  }
  return text.substr(0, at) + ellipsis();
}

std::string Look::bar(double share, Index width) const {
  static constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!has_unicode || !(share > 0.0)) return "";
  const auto eighths =
      static_cast<Index>(std::llround(std::min(share, 1.0) * 8.0 * static_cast<double>(width)));
  std::string text;
  for (Index i = 0; i < eighths / 8; ++i) text += "█";
  return text + kEighths[eighths % 8];
}

std::vector<std::string> Look::wrap(const std::string& text, Index indent) const {
  const std::string space(static_cast<std::size_t>(indent), ' ');
  std::vector<std::string> lines{space};
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const bool is_first = lines.back().size() == space.size();
    if (!is_first && columns > 0 && text_width(lines.back()) + 1 + text_width(word) > columns) {
      lines.push_back(space + word);
    } else {
      lines.back() += (is_first ? "" : " ") + word;
    }
    begin = end + 1;
  }
  return lines;
}

std::string Look::spark(const std::vector<double>& values, Index width) const {
  static constexpr std::array<const char*, 8> kLevels{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<double> logs;
  for (const double value : values)
    if (value > 0.0 && std::isfinite(value)) logs.push_back(std::log(value));
  if (!has_unicode || logs.size() < 2) return "";
  const auto [low, high] = std::minmax_element(logs.begin(), logs.end());
  const double range = *high > *low ? *high - *low : 1.0;
  const Index n = std::min(width, std::ssize(logs));
  std::string text;
  for (Index i = 0; i < n; ++i) {
    const double value = logs[n > 1 ? i * (std::ssize(logs) - 1) / (n - 1) : 0];
    text += kLevels[static_cast<std::size_t>(std::lround(7.0 * (value - *low) / range))];
  }
  return text;
}

Index text_width(std::string_view text) {
  Index width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [point, length] = decode(text, at);
    width += point_width(point);
    at += length;
  }
  return width;
}

std::string right(const std::string& text, Index width) {
  return std::string(static_cast<std::size_t>(std::max<Index>(width - text_width(text), 0)), ' ') +
         text;
}

std::string left(const std::string& text, Index width) {
  return text +
         std::string(static_cast<std::size_t>(std::max<Index>(width - text_width(text), 0)), ' ');
}

}  // namespace gingham::cli
