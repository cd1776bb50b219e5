// Where bytes are written to: a file, memory, or a gzip stream in front of one of these.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "gingham/base/api.hpp"

namespace gingham {

class GINGHAM_API ByteSink {
 public:
  virtual ~ByteSink() = default;
  // Throws Error{output} when the bytes cannot be written.
  virtual void write(std::string_view bytes) = 0;
  // Whatever is still held back goes out; nothing may be written afterwards.
  virtual void finish() {}
};

class GINGHAM_API MemorySink final : public ByteSink {
 public:
  void write(std::string_view bytes) override { bytes_ += bytes; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// A new file. It must not exist; a file that is not finished is closed, not removed. Buffers,
// checks every write, fsync and close; Error{output} names `shown` and the cause.
class GINGHAM_API FileSink final : public ByteSink {
 public:
  FileSink(const std::string& path, std::string shown);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;
  void write(std::string_view bytes) override;
  void finish() override;  // flush, fsync, close

 private:
  void write_out(std::string_view bytes);
  std::string shown_;
  std::string buffer_;
  int descriptor_ = -1;
};

// Compresses into `target` (gzip, no time stamp: the same bytes give the same file) and finishes
// it.
class GINGHAM_API GzipSink final : public ByteSink {
 public:
  explicit GzipSink(ByteSink& target);
  ~GzipSink() override;
  GzipSink(const GzipSink&) = delete;
  GzipSink& operator=(const GzipSink&) = delete;
  void write(std::string_view bytes) override;
  void finish() override;

 private:
  struct State;
  void deflate_all(std::string_view bytes, bool last);
  ByteSink& target_;
  std::unique_ptr<State> state_;
};

}  // namespace gingham
