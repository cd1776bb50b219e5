#include <cstdio>
#include <new>

#include "gingham/base/error.hpp"
#include "parser.hpp"

namespace {

int exit_code(gingham::ErrorCode code) {
  using gingham::ErrorCode;
  return code == ErrorCode::output ? gingham::cli::kNotWritten : gingham::cli::kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = gingham::cli::parse_and_run(argc, argv);
    // Output that did not get through a full disk or a closed pipe is an error, not a detail.
    if (std::fflush(stdout) != 0 && code == gingham::cli::kDone) return gingham::cli::kNotWritten;
    return code;
  } catch (const gingham::Error& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "gingham: %s%s\n",
                 error.code() == gingham::ErrorCode::internal ? "internal error: " : "",
                 error.what());
    return exit_code(error.code());
  } catch (const std::bad_alloc&) {
    std::fprintf(
        stderr,
        "gingham: out of memory; use smaller data or --memory-limit to be told beforehand\n");
    return gingham::cli::kBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gingham: %s\n", error.what());
    return gingham::cli::kBadInput;
  }
}
