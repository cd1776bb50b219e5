#pragma once

namespace gingham {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace gingham
