#include "gingham/io/whole_file.hpp"

#include "gingham/io/byte_source.hpp"

namespace gingham {

std::string read_whole_file(const std::string& path, const Limits& limits) {
  const std::unique_ptr<ByteSource> source = open_bytes(path, limits);
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::string bytes;
  for (;;) {
    const std::size_t size = bytes.size();
    bytes.resize(size + kPiece);
    const std::size_t got = source->read(bytes.data() + size, kPiece);
    bytes.resize(size + got);
    if (got == 0) return bytes;
  }
}

}  // namespace gingham
