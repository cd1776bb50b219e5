// The entry point libFuzzer calls; the target is named by the environment variable GINGHAM_FUZZ.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "io/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const gingham::fuzz::Target* const chosen = [] {
    const char* name = std::getenv("GINGHAM_FUZZ");
    for (const auto& target : gingham::fuzz::targets()) {
      if (name != nullptr && std::string_view(name) == target.name) return &target;
    }
    std::abort();
  }();
  chosen->one_input({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
