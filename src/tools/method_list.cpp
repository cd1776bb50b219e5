#include "gingham/tools/method_list.hpp"

#include <algorithm>

#include "gingham/base/text.hpp"

namespace gingham {
namespace {

// The next piece of `text` up to one of `ends`, which stays; `text` loses the piece.
std::string take(std::string_view& text, std::string_view ends) {
  const std::size_t end = std::min(text.find_first_of(ends), text.size());
  const std::string piece(text.substr(0, end));
  text.remove_prefix(end);
  return piece;
}

const MethodInfo* find(const std::vector<MethodInfo>& known, const std::string& name) {
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const MethodInfo& info) { return info.name == name; });
  return found == known.end() ? nullptr : &*found;
}

bool takes_commas(const MethodChoice& choice) {
  if (choice.settings.empty()) return false;
  const OptionType type = choice.info->make_options().record(choice.settings.back().first).type;
  return type == OptionType::penalties || type == OptionType::text || type == OptionType::lines ||
         type == OptionType::matrix;
}

void add_setting(MethodChoice& choice, const std::string& piece) {
  const std::size_t equals = piece.find('=');
  if (equals == std::string::npos && !choice.settings.empty()) {
    choice.settings.back().second += ":" + piece;
    return;
  }
  if (equals == std::string::npos || equals == 0) {
    throw Error(ErrorCode::usage, "--methods",
                "'" + printable(piece, 60) + "' after " + choice.info->name +
                    " is not an option, as in " + choice.info->name + ":option=value");
  }
  const std::string name = piece.substr(0, equals);
  const Options options = choice.info->make_options();
  if (!options.has(name)) {
    std::string there;
    for (const OptionRecord& record : options.records()) there += " " + record.name;
    throw Error(
        ErrorCode::usage, "--methods",
        choice.info->name + " has no option '" + printable(name, 60) + "'; there are" + there);
  }
  choice.settings.emplace_back(options.record(name).name, piece.substr(equals + 1));
}

}  // namespace

std::vector<MethodChoice> parse_method_list(const std::string& text,
                                            const std::vector<MethodInfo>& known) {
  std::vector<MethodChoice> choices;
  std::string_view rest = text;
  char before = ',';  // the separator that the next piece follows
  for (;;) {
    if (before == ':') {
      add_setting(choices.back(), take(rest, ":,"));
    } else {
      const std::string piece = take(rest, ":,");
      const MethodInfo* info = find(known, piece);
      if (info != nullptr) {
        choices.push_back({.info = info});
      } else if (!choices.empty() && takes_commas(choices.back())) {
        choices.back().settings.back().second += "," + piece;
      } else {
        std::string there;
        for (const MethodInfo& one : known) there += " " + one.name;
        throw Error(ErrorCode::usage, "--methods",
                    "there is no method '" + printable(piece, 60) + "'; there are" + there);
      }
    }
    if (rest.empty()) return choices;
    before = rest.front();
    rest.remove_prefix(1);
  }
}

}  // namespace gingham
