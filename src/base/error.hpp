// The one exception type: misuse, bad files, lack of memory. Numerical outcomes are statuses, not
// errors.
#pragma once
#include <stdexcept>
#include <string>

#include "gingham/base/api.hpp"

namespace gingham {

enum class ErrorCode {
  usage,     // an option or call that makes no sense
  input,     // data that cannot be read or used
  memory,    // more memory would be needed than is allowed
  output,    // a result that could not be written
  internal,  // a broken promise of our own
};

class GINGHAM_API Error : public std::runtime_error {
 public:
  // `where` names the file and line, or the option; empty when there is no such place.
  // what() reads "where: message".
  Error(ErrorCode code, const std::string& where, const std::string& message);
  ~Error() override;

  ErrorCode code() const { return code_; }
  const std::string& where() const { return where_; }
  const std::string& message() const { return message_; }

 private:
  ErrorCode code_;
  std::string where_;
  std::string message_;
};

}  // namespace gingham
