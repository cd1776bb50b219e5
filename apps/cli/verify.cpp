#include "gingham/tools/verify.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "gingham/base/text.hpp"
#include "terminal.hpp"

namespace gingham::cli {

int run_verify(const VerifyArguments& arguments) {
  const Verification verification = verify_directory(arguments.directory, arguments.inputs);
  constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < verification.differences.size() && i < kMost; ++i) {
    print_line("differs: " + printable(verification.differences[i], 400));
  }
  if (verification.differences.size() > kMost) {
    print_line(fmt::format("and {} more", verification.differences.size() - kMost));
  }
  if (!verification.passed()) return kDifference;
  if (!arguments.quiet) {
    print_line(fmt::format("{}: {} numbers recomputed, all agree", printable(arguments.directory),
                           verification.n_checked));
  }
  return kDone;
}

}  // namespace gingham::cli
