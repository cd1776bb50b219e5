// Texts made from the registry and the table of commands: help, tables, hints.
#pragma once
#include <string>

#include "commands.hpp"
#include "gingham/engine/registry.hpp"

namespace gingham::cli {

// "[auto] a number of at least 0, a percentage, or auto"
std::string option_range(const OptionRecord& record);
// One sentence, and the range where there is one to tell.
std::string option_text(const OptionRecord& record);
// What `gingham COMMAND METHOD --help` shows.
std::string method_help(const MethodInfo& info, const Command& command);
// docs/methods.md, whole.
std::string methods_markdown();
// Throws Error{usage} when the words name a command, method, problem or option that does not exist:
// with the nearest one that does.
void explain_unknown(int argc, char** argv);

}  // namespace gingham::cli
