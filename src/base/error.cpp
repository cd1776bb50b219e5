#include "gingham/base/error.hpp"

namespace gingham {

Error::Error(ErrorCode code, const std::string& where, const std::string& message)
    : std::runtime_error(where.empty() ? message : where + ": " + message),
      code_(code),
      where_(where),
      message_(message) {}

Error::~Error() = default;

}  // namespace gingham
