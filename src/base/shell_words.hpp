#pragma once
#include <string>
#include <vector>

namespace gingham {

// The words as one line that a shell reads back as the same words.
std::string shell_command(const std::vector<std::string>& words);

}  // namespace gingham
