// A zip archive written from its beginning to its end into a sink: members stored as they are, with
// the 64-bit fields where sizes or places need them, and all with the first day a zip file can
// name, so that the same content gives the same bytes. For use inside io.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gingham/io/sink.hpp"

namespace gingham {

class ZipWriter {
 public:
  // Numbers above `largest` take the 64-bit fields; a test makes it small.
  explicit ZipWriter(ByteSink& sink, std::uint64_t largest = 0xFFFFFFFE)
      : sink_(sink), largest_(largest) {}

  // A member whose content is the pieces one after the other. They are gone through twice: for the
  // checksum that comes before them, and to be written.
  void add(const std::string& name, const std::vector<std::string_view>& pieces);
  // The directory; nothing can be added afterwards. Does not finish the sink.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint32_t checksum = 0;
    std::uint64_t size = 0, place = 0;
  };
  void write(std::string_view bytes);
  void write_end(std::uint64_t start);

  ByteSink& sink_;
  std::uint64_t largest_;
  std::uint64_t written_ = 0;
  std::vector<Member> members_;
};

// The bytes of plain values.
template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace gingham
