// Fields by their names in PKWARE's APPNOTE 6.3, sections 4.3 and 4.5.3.
#include "gingham/io/zip_writer.hpp"

#include <zlib.h>

#include <algorithm>

namespace gingham {
namespace {

constexpr std::uint32_t kElsewhere = 0xFFFFFFFF;  // the number is in a 64-bit field
constexpr unsigned kPlainVersion = 20, kZip64Version = 45;
constexpr unsigned kFirstDay = (1 << 5) | 1;

// Little-endian numbers one after the other.
class Fields {
 public:
  Fields& two(std::uint64_t value) { return put(value, 2); }
  Fields& four(std::uint64_t value) { return put(value, 4); }
  Fields& eight(std::uint64_t value) { return put(value, 8); }
  Fields& text(std::string_view value) {
    bytes_ += value;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }

 private:
  Fields& put(std::uint64_t value, int n_bytes) {
    for (int i = 0; i < n_bytes; ++i) bytes_ += static_cast<char>(value >> (8 * i) & 0xFF);
    return *this;
  }
  std::string bytes_;
};

// The extra field with the numbers that did not fit, if there are any.
std::string zip64_extra(const Fields& numbers) {
  if (numbers.size() == 0) return "";
  return Fields().two(1).two(numbers.size()).text(numbers.bytes()).bytes();
}

std::uint32_t checksum_of(const std::vector<std::string_view>& pieces) {
  uLong sum = crc32(0, nullptr, 0);
  for (const std::string_view piece : pieces) {
    if (piece.empty()) continue;  // of null zlib would begin anew
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  }
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

void ZipWriter::write(std::string_view bytes) {
  sink_.write(bytes);
  written_ += bytes.size();
}

void ZipWriter::add(const std::string& name, const std::vector<std::string_view>& pieces) {
  Member member{.name = name, .checksum = checksum_of(pieces), .place = written_};
  for (const std::string_view piece : pieces) member.size += piece.size();
  const bool is_large = member.size > largest_;
  Fields numbers;
  if (is_large) numbers.eight(member.size).eight(member.size);
  const std::string extra = zip64_extra(numbers);
  const std::uint64_t size = is_large ? kElsewhere : member.size;
  Fields header;
  header.four(0x04034b50).two(is_large ? kZip64Version : kPlainVersion).two(0);
  header.two(0).two(0).two(kFirstDay);  // stored, time, day
  header.four(member.checksum).four(size).four(size).two(name.size()).two(extra.size());
  write(header.text(name).text(extra).bytes());
  for (const std::string_view piece : pieces) write(piece);
  members_.push_back(std::move(member));
}

void ZipWriter::finish() {
  const std::uint64_t start = written_;
  for (const Member& member : members_) {
    const bool is_large = member.size > largest_, is_far = member.place > largest_;
    Fields numbers;
    if (is_large) numbers.eight(member.size).eight(member.size);
    if (is_far) numbers.eight(member.place);
    const std::string extra = zip64_extra(numbers);
    const std::uint64_t size = is_large ? kElsewhere : member.size;
    const unsigned version = extra.empty() ? kPlainVersion : kZip64Version;
    Fields entry;
    entry.four(0x02014b50).two(version).two(version).two(0);
    entry.two(0).two(0).two(kFirstDay);
    entry.four(member.checksum).four(size).four(size);
    entry.two(member.name.size()).two(extra.size()).two(0);  // no comment
    entry.two(0).two(0).four(0);                             // disk, attributes
    entry.four(is_far ? kElsewhere : member.place);
    write(entry.text(member.name).text(extra).bytes());
  }
  write_end(start);
}

void ZipWriter::write_end(std::uint64_t start) {
  const std::uint64_t size = written_ - start, end = written_, count = members_.size();
  const bool is_large = std::max(start, size) > largest_;
  if (is_large) {
    constexpr std::uint64_t kRest = 44;  // bytes of the record that follow its size
    Fields record;
    record.four(0x06064b50).eight(kRest).two(kZip64Version).two(kZip64Version).four(0).four(0);
    record.eight(count).eight(count).eight(size).eight(start);
    write(record.bytes());
    write(Fields().four(0x07064b50).four(0).eight(end).four(1).bytes());
  }
  Fields last;
  last.four(0x06054b50).two(0).two(0).two(count).two(count);
  last.four(is_large ? kElsewhere : size).four(is_large ? kElsewhere : start).two(0);
  write(last.bytes());
}

}  // namespace gingham
