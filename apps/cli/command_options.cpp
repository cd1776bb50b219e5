#include "command_options.hpp"

#include <set>

#include "gingham/engine/registry.hpp"

namespace gingham::cli {

CommandOption flag(const std::string& name, const std::string& help) {
  return {.record = {.name = name, .type = OptionType::flag, .initial = "no", .help = help}};
}

CommandOption choice(const std::string& name, const std::string& initial,
                     const std::vector<std::string>& words, const std::string& help) {
  return {.record = {.name = name,
                     .type = OptionType::choice,
                     .initial = initial,
                     .words = words,
                     .help = help}};
}

CommandOption text(const std::string& name, const std::string& value, const std::string& help) {
  return {.record = {.name = name, .help = help}, .value = value};
}

CommandOption list(const std::string& name, const std::string& value, const std::string& help) {
  CommandOption option = text(name, value, help);
  option.is_list = true;
  return option;
}

CommandOption word(CommandOption option) {
  option.is_word = true;
  return option;
}

CommandOption required(CommandOption option) {
  option.is_required = true;
  return option;
}

CommandOption with_letter(char letter, CommandOption option) {
  option.letter = letter;
  return option;
}

CommandOption output(const std::string& help) {
  return with_letter('o', text("output", "DIR", help));
}

CommandOption quiet(const std::string& help) { return with_letter('q', flag("quiet", help)); }

std::vector<CommandOption> joined(std::vector<CommandOption> first,
                                  const std::vector<CommandOption>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const Command& find_command(const std::string& name) {
  for (const Command& command : all_commands()) {
    if (command.name == name) return command;
  }
  throw Error(ErrorCode::internal, "", "no command '" + name + "'");
}

std::vector<OptionRecord> method_options(const Command& command) {
  std::vector<OptionRecord> all;
  std::set<std::string> known;
  for (const CommandOption& option : command.options) known.insert(option.record.name);
  for (const MethodInfo& info : all_methods()) {
    for (const OptionRecord& record : info.all_options()) {
      if (known.insert(record.name).second) all.push_back(record);
    }
  }
  return all;
}

std::string Arguments::text(const std::string& name) const {
  return own.given(name) ? own.text(name) : std::string();
}

}  // namespace gingham::cli
