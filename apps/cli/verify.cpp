#include "gingham/tools/verify.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "gingham/base/text.hpp"
#include "terminal.hpp"
#include "verification.hpp"

namespace gingham::cli {

int show_verification(const std::string& directory, const Verification& verification, bool quiet) {
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < verification.differences.size() && i < kMost; ++i) {
    print_line("differs: " + printable(verification.differences[i], 400));
  }
  if (verification.differences.size() > kMost) {
    print_line(fmt::format("and {} more", verification.differences.size() - kMost));
  }
  if (!verification.passed()) return kDifference;
  if (!quiet) {
    print_line(fmt::format("{}: {} numbers recomputed, all agree", printable(directory),
                           verification.n_checked));
  }
  return kDone;
}

int run_verify(const Arguments& arguments) {
  const std::string directory = arguments.text("DIR");
  const Depth depth = arguments.own.flag("deep") ? Depth::run_again : Depth::numbers;
  return show_verification(
      directory,
      verify_directory(directory, arguments.list("input"), attached_files(arguments), depth),
      arguments.own.flag("quiet"));
}

}  // namespace gingham::cli
