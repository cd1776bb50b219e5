#include <fmt/format.h>

#include "commands.hpp"
#include "gingham/engine/registry.hpp"
#include "terminal.hpp"

namespace gingham::cli {
namespace {

std::string option_words(const std::vector<OptionRecord>& records) {
  std::string words;
  for (const OptionRecord& record : records) words += " --" + record.name;
  return words;
}

// What may follow a command besides a file: its options, and the words it is limited to.
std::string own_words(const Command& command) {
  std::string words;
  for (const CommandOption& option : command.options) {
    if (!option.is_word) {
      words += " --" + option.record.name;
    } else {
      for (const std::string& word : option.record.words) words += " " + word;
      if (option.record.name == "METHOD")
        for (const MethodInfo& info : all_methods()) words += " " + info.name;
    }
  }
  if (command.takes_method_options) words += option_words(method_options(command));
  return words;
}

// One line of the script's `case` for a command: its words, or by the topic that follows it.
std::string case_of(const Command& command) {
  if (command.topic == Topic::none)
    return fmt::format("    {}) words=\"{}\" ;;\n", command.name, own_words(command));
  std::string topics, cases;
  const auto add = [&](const std::string& topic, const std::vector<OptionRecord>& records) {
    topics += " " + topic;
    cases += fmt::format("        {}) words=\"{}{}\" ;;\n", topic, own_words(command),
                         option_words(records));
  };
  for (const MethodInfo& info : all_methods()) {
    if (command.topic == Topic::method) add(info.name, info.all_options());
    if (command.topic == Topic::problem)
      for (const Simulator& problem : info.simulators) add(problem.name, problem.options);
  }
  return fmt::format(
      "    {})\n      if [ \"$COMP_CWORD\" -eq 2 ]; then words=\"{}\"; else case \"$what\" in\n{}"
      "      esac; fi ;;\n",
      command.name, topics, cases);
}

}  // namespace

int run_completion(const Arguments&) {
  std::string commands, cases;
  for (const Command& command : all_commands()) {
    commands += command.name + " ";
    cases += case_of(command);
  }
  print_line(fmt::format(
      R"(# bash completion for gingham; source it, or put it where your system keeps completions.
_gingham() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" command="${{COMP_WORDS[1]}}" what="${{COMP_WORDS[2]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{0}--help --version" -- "$current"))
    return
  fi
  case "$command" in
{1}  esac
  COMPREPLY=($(compgen -W "$words --help" -- "$current"))
  case "$current" in -*) ;; *) COMPREPLY+=($(compgen -f -- "$current")) ;; esac
}}
complete -o filenames -F _gingham gingham)",
      commands, cases));
  return kDone;
}

}  // namespace gingham::cli
