// Short words for the records of a command's options.
#pragma once
#include "commands.hpp"

namespace gingham::cli {

CommandOption flag(const std::string& name, const std::string& help);
CommandOption choice(const std::string& name, const std::string& initial,
                     const std::vector<std::string>& words, const std::string& help);
CommandOption text(const std::string& name, const std::string& value, const std::string& help);
CommandOption list(const std::string& name, const std::string& value, const std::string& help);
CommandOption word(CommandOption option);
CommandOption required(CommandOption option);
CommandOption with_letter(char letter, CommandOption option);
CommandOption output(const std::string& help);
CommandOption quiet(const std::string& help);
std::vector<CommandOption> joined(std::vector<CommandOption> first,
                                  const std::vector<CommandOption>& second);

}  // namespace gingham::cli
