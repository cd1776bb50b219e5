#include "gingham/tools/variation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/base/text.hpp"

namespace gingham {
namespace {

constexpr Index kMaxValues = 10000;
constexpr double kWideRange = 10.0;  // from here on equal ratios say more than equal steps

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw Error(ErrorCode::usage, "--vary", "'" + printable(text, 80) + "': " + why);
}

bool can_vary(const OptionRecord& record) {
  const bool is_number = record.type == OptionType::integer || record.type == OptionType::real ||
                         record.type == OptionType::penalties;
  return is_number && !record.may_differ_on_resume;
}

std::vector<std::string> split(const std::string& text, char delimiter) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(delimiter, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

enum class Spacing { automatic, ratios, steps };

struct Range {
  double from = 0.0, to = 0.0;
  bool is_percent = false;
  Index count = 0;
  Spacing spacing = Spacing::automatic;
};

Range parse_range(const std::string& text, const std::string& body) {
  std::vector<std::string> parts = split(body, ':');
  if (parts.size() != 3) refuse(text, "expected OPTION=FROM:TO:COUNT, as in 0.01:100:13");
  Range range;
  for (const auto& [word, spacing] :
       {std::pair{"log", Spacing::ratios}, std::pair{"lin", Spacing::steps}}) {
    if (!parts[2].ends_with(word)) continue;
    parts[2].resize(parts[2].size() - 3);
    range.spacing = spacing;
  }
  range.is_percent = parts[0].ends_with('%');
  if (range.is_percent != parts[1].ends_with('%'))
    refuse(text, "one end is a percentage and the other is not");
  for (const int end : {0, 1}) {
    if (range.is_percent) parts[end].pop_back();
    const auto number = parse_real(parts[end]);
    if (!number || !std::isfinite(*number))
      refuse(text, "'" + printable(parts[end], 40) + "' is not a number");
    (end == 0 ? range.from : range.to) = *number;
  }
  const auto count = parse_integer(parts[2]);
  if (!count || *count < 2 || *count > kMaxValues) {
    refuse(text,
           fmt::format("'{}' is not a number of values from 2 to {}, with log or lin after it",
                       printable(parts[2], 40), kMaxValues));
  }
  range.count = *count;
  const double low = std::min(range.from, range.to), high = std::max(range.from, range.to);
  if (range.spacing == Spacing::ratios && !(low > 0.0))
    refuse(text, "equal ratios (log) need both ends above zero");
  if (range.spacing == Spacing::automatic) {
    const bool is_wide = low > 0.0 && high >= kWideRange * low;
    range.spacing = is_wide ? Spacing::ratios : Spacing::steps;
  }
  return range;
}

double value_at(const Range& range, Index i) {
  if (i == 0) return range.from;
  if (i == range.count - 1) return range.to;
  const double share = static_cast<double>(i) / static_cast<double>(range.count - 1);
  if (range.spacing == Spacing::steps) return range.from + (range.to - range.from) * share;
  // Powers of ten: whole decades come out as one would type them.
  const double begin = std::log10(range.from), end = std::log10(range.to);
  return std::pow(10.0, begin + (end - begin) * share);
}

std::vector<std::string> values_of(const Range& range, bool is_integer) {
  std::vector<std::string> values;
  for (Index i = 0; i < range.count; ++i) {
    const double value = value_at(range, i);
    std::string text = to_text(is_integer ? std::round(value) : value);
    if (is_integer && std::abs(value) < 9e15) text = to_text(static_cast<Index>(std::round(value)));
    if (range.is_percent) text += '%';
    if (values.empty() || values.back() != text) values.push_back(std::move(text));
  }
  return values;
}

}  // namespace

Variation parse_variation(const std::string& text, const Options& options) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    refuse(text, "expected OPTION=FROM:TO:COUNT or OPTION=VALUE,VALUE,...");
  const std::size_t begin = text.starts_with("--") ? 2 : 0;
  const std::string name = text.substr(begin, equals - begin), body = text.substr(equals + 1);
  if (!options.has(name) || !can_vary(options.record(name))) {
    std::string known;
    for (const OptionRecord& record : options.records())
      known += can_vary(record) ? " " + record.name : "";
    refuse(text, "this cannot be varied; there are" + known);
  }
  const OptionRecord& record = options.record(name);
  Variation variation{record.name, {}};
  if (body.find(':') != std::string::npos) {
    variation.values = values_of(parse_range(text, body), record.type == OptionType::integer);
  } else {
    variation.values = split(body, ',');
  }
  Options checked = options;
  for (std::string& value : variation.values) {
    checked.set(record.name, value);
    value = checked.canonical(record.name);
  }
  return variation;
}

}  // namespace gingham
