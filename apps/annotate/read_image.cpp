#include "annotate/read_image.hpp"

#include <fmt/format.h>

#include "annotate/image_formats.hpp"
#include "gingham/base/digest.hpp"
#include "gingham/base/text.hpp"
#include "gingham/io/whole_file.hpp"

namespace gingham::annotate {

void ImageFile::refuse(const std::string& message) const {
  throw Error(ErrorCode::input, name, message);
}

Index ImageFile::little(Index offset, int count) const {
  if (offset < 0 || offset + count > size())
    refuse(fmt::format("ends at byte {} within its headers; the file is cut off", size()));
  Index value = 0;
  for (int i = count; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(offset + i)]);
  return value;
}

Index ImageFile::big(Index offset, int count) const {
  const Index turned = little(offset, count);
  Index value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | (turned >> (8 * i) & 0xFF);
  return value;
}

void ImageFile::check_size(Index height, Index width) const {
  if (height < 1 || width < 1)
    refuse(fmt::format("has {} x {} pixels; expected at least one", height, width));
  if (height > limits.max_pixels / width)
    refuse(fmt::format("has {} x {} pixels; expected at most {} in all", height, width,
                       limits.max_pixels));
}

std::uint8_t grey_of(Index red, Index green, Index blue) {
  return static_cast<std::uint8_t>((299 * red + 587 * green + 114 * blue + 500) / 1000);
}

Image decode_image(const std::string& name, std::span<const char> bytes,
                   const ImageLimits& limits) {
  const ImageFile file{name, bytes, limits};
  const std::string_view start(bytes.data(), std::min<std::size_t>(bytes.size(), 8));
  if (bytes.empty()) file.refuse("is empty; expected a picture");
  if (start.starts_with("BM")) return decode_bmp(file);
  if (start == "\x89PNG\r\n\x1a\n") return decode_png(file);
  if (start.starts_with("\xFF\xD8\xFF")) return decode_jpeg(file);
  file.refuse("is no picture that can be read; expected .png, .jpg or .bmp");
}

ReadImage read_image(const std::string& path, const ImageLimits& limits) {
  Limits bytes_at_most;
  bytes_at_most.max_bytes = limits.max_bytes;
  const std::string bytes = read_whole_file(path, bytes_at_most);
  Digest digest;
  digest.add(std::string_view(bytes));
  return {decode_image(printable(path), bytes, limits), digest.hex()};
}

}  // namespace gingham::annotate
