#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "commands.hpp"
#include "gingham/base/text.hpp"

namespace gingham::cli {
namespace {

constexpr const char* kProgram = "gingham-annotate";

bool can_run(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// Beside this program, then on the path; empty where it is in neither place.
std::string find_program() {
  std::error_code error;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string beside = (own.parent_path() / kProgram).string();
  if (!error && can_run(beside)) return beside;
  const char* variable = std::getenv("PATH");
  const std::string path = variable != nullptr ? variable : "";
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string folder = path.substr(begin, end - begin);
    // A folder that is not named from the root depends on where one happens to be.
    if (folder.starts_with('/') && can_run(folder + "/" + kProgram)) return folder + "/" + kProgram;
    begin = end + 1;
  }
  return "";
}

}  // namespace

int run_elsewhere(const Arguments& arguments) {
  const std::string where = "gingham " + arguments.typed.at(1);
  const std::string program = find_program();
  if (program.empty())
    throw Error(ErrorCode::usage, where,
                std::string("needs the program ") + kProgram +
                    ", which is neither beside gingham nor on the path; make annotate builds it");
  std::vector<std::string> words = arguments.typed;
  words.front() = program;
  std::vector<char*> argv;
  for (std::string& one : words) argv.push_back(one.data());
  argv.push_back(nullptr);
  std::fflush(nullptr);
  execv(program.c_str(), argv.data());
  throw Error(ErrorCode::usage, where,
              "cannot run " + printable(program) + ": " + std::strerror(errno));
}

}  // namespace gingham::cli
