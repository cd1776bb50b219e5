// How output fails. For use inside io.
#pragma once
#include <cerrno>
#include <string>

namespace gingham {

// Throws Error{output}: "shown: cannot <what>: <cause>".
[[noreturn]] void refuse_output(const std::string& shown, const char* what, int cause);

// call() again while a signal interrupts it, but not for ever.
template <class Call>
auto uninterrupted(Call&& call) {
  constexpr int kMaxTries = 100;
  auto result = call();
  for (int tries = 1; result < 0 && errno == EINTR && tries < kMaxTries; ++tries) result = call();
  return result;
}

}  // namespace gingham
