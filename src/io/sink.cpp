#include "gingham/io/sink.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "gingham/base/error.hpp"
#include "gingham/io/file_ops.hpp"
#include "gingham/io/output_error.hpp"

namespace gingham {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

}  // namespace

FileOps system_file_ops() {
  return {
      .open = [](const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); },
      .write = ::write,
      .fsync = ::fsync,
      .close = ::close,
      .rename = [](const char* from, const char* to,
                   unsigned flags) { return ::renameat2(AT_FDCWD, from, AT_FDCWD, to, flags); },
      .mkdir = ::mkdir};
}

FileOps& file_ops() {
  static FileOps ops = system_file_ops();
  return ops;
}

void refuse_output(const std::string& shown, const char* what, int cause) {
  throw Error(ErrorCode::output, shown, fmt::format("cannot {}: {}", what, std::strerror(cause)));
}

FileSink::FileSink(const std::string& path, std::string shown) : shown_(std::move(shown)) {
  descriptor_ = uninterrupted([&] {
    return file_ops().open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                           0666);
  });
  if (descriptor_ < 0) refuse_output(shown_, "create the file", errno);
}

FileSink::~FileSink() {
  if (descriptor_ >= 0) file_ops().close(descriptor_);
}

void FileSink::write_out(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done =
        uninterrupted([&] { return file_ops().write(descriptor_, bytes.data(), bytes.size()); });
    if (done <= 0) refuse_output(shown_, "write", done < 0 ? errno : EIO);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void FileSink::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() < kBufferBytes) {
    buffer_ += bytes;
    return;
  }
  write_out(buffer_);
  buffer_.clear();
  if (bytes.size() < kBufferBytes) {
    buffer_ = bytes;
  } else {
    write_out(bytes);
  }
}

void FileSink::finish() {
  if (descriptor_ < 0) return;
  write_out(buffer_);
  buffer_.clear();
  if (uninterrupted([&] { return file_ops().fsync(descriptor_); }) != 0) {
    refuse_output(shown_, "make the file safe on disk", errno);
  }
  const int closed = file_ops().close(std::exchange(descriptor_, -1));
  // An interrupted close has closed the file all the same.
  if (closed != 0 && errno != EINTR) refuse_output(shown_, "close the file", errno);
}

struct GzipSink::State {
  z_stream stream{};
  std::vector<char> buffer = std::vector<char>(kBufferBytes);
};

GzipSink::GzipSink(ByteSink& target) : target_(target), state_(std::make_unique<State>()) {
  if (deflateInit2(&state_->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}

GzipSink::~GzipSink() { deflateEnd(&state_->stream); }

void GzipSink::deflate_all(std::string_view bytes, bool last) {
  z_stream& stream = state_->stream;
  constexpr std::size_t kPiece = std::size_t{1} << 30;
  do {
    const std::string_view piece = bytes.substr(0, kPiece);
    bytes.remove_prefix(piece.size());
    const bool flush = last && bytes.empty();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(state_->buffer.data());
      stream.avail_out = static_cast<uInt>(state_->buffer.size());
      deflate(&stream, flush ? Z_FINISH : Z_NO_FLUSH);
      target_.write({state_->buffer.data(), state_->buffer.size() - stream.avail_out});
    } while (stream.avail_out == 0);
  } while (!bytes.empty());
}

void GzipSink::write(std::string_view bytes) {
  if (!bytes.empty()) deflate_all(bytes, false);
}

void GzipSink::finish() {
  deflate_all({}, true);
  target_.finish();
}

}  // namespace gingham
