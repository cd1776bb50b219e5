// Reads the pictures of a page back: base64, then PNG with a palette, chunk by chunk.
#pragma once
#include <zlib.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "report/png.hpp"

namespace gingham::test {

struct Picture {
  Index rows = 0, columns = 0;
  std::vector<report::Colour> pixels;
};

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

inline std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = (value << 8) | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

inline Picture read_png(std::string_view file) {
  if (file.substr(0, 8) != std::string_view("\x89PNG\r\n\x1a\n", 8))
    throw std::runtime_error("no signature");
  std::string header, palette, packed;
  bool ended = false;
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t size = big_endian(file, at);
    const std::string type(file.substr(at + 4, 4)), data(file.substr(at + 8, size));
    const std::string_view body = file.substr(at + 4, size + 4);
    if (crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())) !=
        big_endian(file, at + 8 + size)) {
      throw std::runtime_error("wrong checksum of " + type);
    }
    if (type == "IHDR") header = data;
    if (type == "PLTE") palette = data;
    if (type == "IDAT") packed += data;
    ended = type == "IEND";
    at += size + 12;
  }
  if (!ended || header.size() != 13 || header.substr(8) != std::string("\x08\x03\0\0\0", 5))
    throw std::runtime_error("odd header");
  Picture picture;
  picture.columns = big_endian(header, 0);
  picture.rows = big_endian(header, 4);
  std::string lines(static_cast<std::size_t>(picture.rows * (picture.columns + 1)), '\0');
  uLongf size = lines.size();
  if (uncompress(reinterpret_cast<Bytef*>(lines.data()), &size,
                 reinterpret_cast<const Bytef*>(packed.data()), packed.size()) != Z_OK ||
      size != lines.size()) {
    throw std::runtime_error("the lines do not fit the header");
  }
  for (Index i = 0; i < picture.rows; ++i) {
    const std::string_view line =
        std::string_view(lines).substr(static_cast<std::size_t>(i * (picture.columns + 1)));
    if (line[0] != 0) throw std::runtime_error("a filter");
    for (Index j = 0; j < picture.columns; ++j) {
      const std::size_t entry =
          3u * static_cast<unsigned char>(line[static_cast<std::size_t>(j) + 1]);
      const auto part = [&](std::size_t k) {
        return static_cast<std::uint8_t>(palette.at(entry + k));
      };
      picture.pixels.push_back({part(0), part(1), part(2)});
    }
  }
  return picture;
}

// All pictures of a page, in order.
inline std::vector<Picture> pictures_of(std::string_view page) {
  constexpr std::string_view kStart = "src=\"data:image/png;base64,";
  std::vector<Picture> pictures;
  for (std::size_t at = page.find(kStart); at != std::string_view::npos;
       at = page.find(kStart, at + 1)) {
    const std::size_t begin = at + kStart.size();
    pictures.push_back(read_png(from_base64(page.substr(begin, page.find('"', begin) - begin))));
  }
  return pictures;
}

}  // namespace gingham::test
