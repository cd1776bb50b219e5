// Numbers for the page's script: a zlib stream (RFC 1950) of little-endian values, in base64.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "report/json.hpp"

namespace gingham::report {

Json packed(std::span<const float> values);
Json packed(std::span<const std::int32_t> values);
Json packed(std::span<const std::uint8_t> values);
std::size_t packed_bytes(const Json& packed);  // what it takes on the page

std::string base64(const std::string& bytes);

}  // namespace gingham::report
