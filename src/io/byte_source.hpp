// Bytes of a file, one after the other: plain (pread), gzip (zlib) or from memory.
//
// A plain file must be regular and keep its size and time stamp while it is read. A gzip file may
// have several members; each must be whole and pass its CRC, and nothing else may follow. Whatever
// goes wrong is an Error{input} that names the file and the byte.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "gingham/io/limits.hpp"

namespace gingham {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Up to `size` of the next bytes; 0 only at the end, and only after the end was found to be in
  // order.
  std::size_t read(char* out, std::size_t size) {
    const std::size_t got = read_some(out, size);
    offset_ += static_cast<Index>(got);
    return got;
  }
  // The next `size` bytes, fewer only at the end.
  std::size_t read_full(char* out, std::size_t size);

  // Bytes handed out so far.
  Index offset() const { return offset_; }
  // Bytes still to come, where this is known for certain; a compressed stream's own word is not.
  std::optional<Index> remaining() const {
    return size_ ? std::optional<Index>(*size_ - offset_) : std::nullopt;
  }
  // The name to show in messages.
  const std::string& name() const { return name_; }

  // "name: byte N", and the error that starts with it.
  std::string where_byte(Index byte) const;
  [[noreturn]] void refuse_at(Index byte, const std::string& message) const;

 protected:
  ByteSource(std::string name, std::optional<Index> size) : name_(std::move(name)), size_(size) {}
  virtual std::size_t read_some(char* out, std::size_t size) = 0;

 private:
  std::string name_;
  std::optional<Index> size_;
  Index offset_ = 0;
};

// A regular file, opened and looked at: what all readers that need random access start from.
class InputFile {
 public:
  // Throws Error{input} when it is not there, not readable, or not a regular file.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  Index size() const { return size_; }
  const std::string& name() const { return name_; }
  int descriptor() const { return descriptor_; }
  // Exactly `size` bytes from `offset`; throws when the file has become shorter. May be called by
  // several threads at once.
  void read_at(char* out, std::size_t size, Index offset) const;
  // Throws when size or time of change are not what they were when the file was opened.
  void check_unchanged() const;

 private:
  std::string name_;
  int descriptor_ = -1;
  Index size_ = 0;
  long long changed_seconds_ = 0;
  long changed_nanoseconds_ = 0;
};

// The content of the file; decompressed when the path ends in ".gz".
std::unique_ptr<ByteSource> open_bytes(const std::string& path, const Limits& limits);

// Bytes that lie in memory; they must outlive the source.
std::unique_ptr<ByteSource> memory_bytes(std::string name, std::span<const char> bytes);

// The decompressed content of a gzip stream.
std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> compressed, const Limits& limits);

// A path as it is shown in messages.
std::string shown_path(const std::string& path);

}  // namespace gingham
