// The data of a page read back: the JSON block, and in it numbers in base64 of a zlib stream.
#pragma once
#include <zlib.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gingham::test {

using Json = nlohmann::ordered_json;

inline std::string from_base64(std::string_view text) {
  std::string bytes;
  unsigned bits = 0, n = 0;
  for (const char c : text) {
    unsigned digit = 0;
    if (c == '=') break;
    if (c >= 'A' && c <= 'Z')
      digit = static_cast<unsigned>(c - 'A');
    else if (c >= 'a' && c <= 'z')
      digit = static_cast<unsigned>(c - 'a') + 26;
    else if (c >= '0' && c <= '9')
      digit = static_cast<unsigned>(c - '0') + 52;
    else if (c == '+')
      digit = 62;
    else if (c == '/')
      digit = 63;
    else
      throw std::runtime_error("not base64");
    bits = (bits << 6) | digit;
    n += 6;
    if (n >= 8) {
      n -= 8;
      bytes += static_cast<char>((bits >> n) & 0xFFu);
    }
  }
  return bytes;
}

template <class T>
std::vector<T> unpacked(const Json& packed) {
  std::vector<T> values(packed.at("length").get<std::size_t>());
  const std::string stream = from_base64(packed.at("data").get<std::string>());
  std::vector<Bytef> bytes(values.size() * sizeof(T) + 1);
  uLongf size = bytes.size();
  if (uncompress(bytes.data(), &size, reinterpret_cast<const Bytef*>(stream.data()),
                 static_cast<uLong>(stream.size())) != Z_OK ||
      size != values.size() * sizeof(T)) {
    throw std::runtime_error("packed numbers do not have the length they say");
  }
  std::memcpy(values.data(), bytes.data(), size);
  return values;
}

inline Json data_of(std::string_view page) {
  constexpr std::string_view kStart = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(kStart);
  if (begin == std::string_view::npos) throw std::runtime_error("no data on the page");
  const std::string_view text = page.substr(begin + kStart.size());
  return Json::parse(text.substr(0, text.find("</script>")));
}

}  // namespace gingham::test
