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

}  // namespace

int run_completion() {
  std::string methods, problems, fit_cases, simulate_cases;
  const std::string input = "--unlisted --index-base --duplicates --labels --shape --memory-limit";
  for (const MethodInfo& info : all_methods()) {
    methods += " " + info.name;
    fit_cases += fmt::format(
        "        {}) words=\"--output --truth --force --resume --checkpoint-interval --quiet "
        "{}{}\" ;;\n",
        info.name, input, option_words(info.all_options()));
    for (const Simulator& problem : info.simulators) {
      problems += " " + problem.name;
      simulate_cases += fmt::format("        {}) words=\"--output --seed --format --force{}\" ;;\n",
                                    problem.name, option_words(problem.options));
    }
  }
  print_line(fmt::format(
      R"(# bash completion for gingham; source it, or put it where your system keeps completions.
_gingham() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" command="${{COMP_WORDS[1]}}" what="${{COMP_WORDS[2]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "fit methods info evaluate verify simulate demo completion --help --version" -- "$current"))
    return
  fi
  case "$command" in
    fit)
      if [ "$COMP_CWORD" -eq 2 ]; then words="{0}"; else case "$what" in
{1}      esac; fi ;;
    simulate)
      if [ "$COMP_CWORD" -eq 2 ]; then words="{2}"; else case "$what" in
{3}      esac; fi ;;
    methods) words="{0} --markdown" ;;
    info) words="{4} --json" ;;
    evaluate) words="--truth --mode --json" ;;
    verify) words="--input --quiet" ;;
    demo) words="--output --force" ;;
    completion) words="bash" ;;
  esac
  COMPREPLY=($(compgen -W "$words --help" -- "$current"))
  case "$current" in -*) ;; *) COMPREPLY+=($(compgen -f -- "$current")) ;; esac
}}
complete -o filenames -F _gingham gingham)",
      methods, fit_cases, problems, simulate_cases, input));
  return kDone;
}

}  // namespace gingham::cli
