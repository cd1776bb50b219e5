// PNG (ISO/IEC 15948): a signature, then chunks of length, type, data and CRC-32. Colour type 3
// (palette), eight bits, no interlacing; every line starts with its filter, here always 0 (none),
// and all lines are one zlib stream.
#include "report/png.hpp"

#include <zlib.h>

#include <string_view>

namespace gingham::report {
namespace {

void append_big_endian(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>((value >> shift) & 0xFFu);
}

void append_chunk(std::string& file, const char* type, const std::string& data) {
  append_big_endian(file, static_cast<std::uint32_t>(data.size()));
  const std::string body = type + data;
  file += body;
  append_big_endian(file,
                    static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(body.data()),
                                                     static_cast<uInt>(body.size()))));
}

}  // namespace

std::string encode_png(Index rows, Index columns, const std::vector<std::uint8_t>& pixels,
                       const Palette& palette) {
  if (rows < 1 || columns < 1 || static_cast<Index>(pixels.size()) != rows * columns) {
    throw Error(ErrorCode::internal, "", "a picture needs rows * columns pixels");
  }
  std::string header;
  append_big_endian(header, static_cast<std::uint32_t>(columns));
  append_big_endian(header, static_cast<std::uint32_t>(rows));
  header += std::string("\x08\x03\x00\x00\x00", 5);

  std::string colours;
  for (const Colour& one : palette) {
    colours += static_cast<char>(one.red);
    colours += static_cast<char>(one.green);
    colours += static_cast<char>(one.blue);
  }

  std::string lines;
  lines.reserve(pixels.size() + static_cast<std::size_t>(rows));
  for (Index i = 0; i < rows; ++i) {
    lines += '\0';
    lines.append(reinterpret_cast<const char*>(pixels.data()) + i * columns,
                 static_cast<std::size_t>(columns));
  }
  uLongf size = compressBound(static_cast<uLong>(lines.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(lines.data()), static_cast<uLong>(lines.size()),
                Z_BEST_COMPRESSION) != Z_OK) {
    throw Error(ErrorCode::memory, "", "a picture could not be compressed");
  }
  packed.resize(size);

  std::string file("\x89PNG\r\n\x1a\n", 8);
  append_chunk(file, "IHDR", header);
  append_chunk(file, "PLTE", colours);
  append_chunk(file, "IDAT", packed);
  append_chunk(file, "IEND", "");
  return file;
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
    for (std::size_t i = 0; i < 4; ++i) {
      text += at + i <= bytes.size() ? kDigits[(three >> (18 - 6 * i)) & 63u] : '=';
    }
  }
  return text;
}

}  // namespace gingham::report
