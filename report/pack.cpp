#include "report/pack.hpp"

#include <zlib.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <string_view>

#include "gingham/base/error.hpp"

namespace gingham::report {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are packed as they lie");

template <class T>
Json pack(const char* encoding, std::span<const T> values) {
  uLongf size = compressBound(static_cast<uLong>(values.size_bytes()));
  std::string stream(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(stream.data()), &size,
                reinterpret_cast<const Bytef*>(values.data()),
                static_cast<uLong>(values.size_bytes()), Z_DEFAULT_COMPRESSION) != Z_OK) {
    throw Error(ErrorCode::memory, "", "a picture could not be compressed");
  }
  stream.resize(size);
  return {{"encoding", encoding}, {"length", values.size()}, {"data", base64(stream)}};
}

}  // namespace

Json packed(std::span<const float> values) { return pack("f32", values); }
Json packed(std::span<const std::int32_t> values) { return pack("i32", values); }
Json packed(std::span<const std::uint8_t> values) { return pack("u8", values); }

std::size_t packed_bytes(const Json& packed) {
  return packed["data"].get_ref<const std::string&>().size();
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      three =
          (three << 8) | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    }
    for (std::size_t i = 0; i < 4; ++i)
      text += at + i <= bytes.size() ? kDigits[(three >> (18 - 6 * i)) & 63u] : '=';
  }
  return text;
}

}  // namespace gingham::report
