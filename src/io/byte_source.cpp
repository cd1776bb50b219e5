#include "gingham/io/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <vector>

#include "gingham/base/text.hpp"

namespace gingham {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;
constexpr std::size_t kMaxShownPath = 4096;

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

class PlainSource final : public ByteSource {
 public:
  PlainSource(std::unique_ptr<InputFile> file, const Limits& limits)
      : ByteSource(file->name(), file->size()), file_(std::move(file)) {
    if (file_->size() > limits.max_bytes) {
      throw Error(ErrorCode::input, name(),
                  fmt::format("{} bytes; expected at most {} (max_bytes)", file_->size(),
                              limits.max_bytes));
    }
  }

 private:
  std::size_t read_some(char* out, std::size_t size) override {
    const Index left = file_->size() - offset();
    if (left == 0) {
      file_->check_unchanged();
      return 0;
    }
    const std::size_t wanted = std::min(size, static_cast<std::size_t>(left));
    file_->read_at(out, wanted, offset());
    return wanted;
  }
  std::unique_ptr<InputFile> file_;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string name, std::span<const char> bytes)
      : ByteSource(std::move(name), static_cast<Index>(bytes.size())), bytes_(bytes) {}

 private:
  std::size_t read_some(char* out, std::size_t size) override {
    const std::size_t wanted = std::min(size, bytes_.size());
    if (wanted > 0) std::memcpy(out, bytes_.data(), wanted);
    bytes_ = bytes_.subspan(wanted);
    return wanted;
  }
  std::span<const char> bytes_;
};

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> compressed, const Limits& limits)
      : ByteSource(compressed->name(), std::nullopt), compressed_(std::move(compressed)) {
    input_.resize(
        std::min(kChunk, static_cast<std::size_t>(compressed_->remaining().value_or(kChunk)) + 1));
    const Index size = compressed_->remaining().value_or(0);
    Index allowed = 0;
    if (__builtin_mul_overflow(size, limits.max_expansion, &allowed)) allowed = limits.max_bytes;
    max_output_ = std::min(limits.max_bytes, std::max(kFreeExpansionBytes, allowed));
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();  // 16: gzip framing only
  }
  ~GzipSource() override { inflateEnd(&stream_); }

 private:
  // Where in the compressed file the decoder stands.
  Index position() const { return compressed_->offset() - static_cast<Index>(stream_.avail_in); }

  // Hands out all bytes before a failure first, so that it does not matter how many are asked for
  // at a time.
  std::size_t read_some(char* out, std::size_t size) override {
    if (failure_) std::rethrow_exception(failure_);
    if (size == 0 || finished_) return 0;
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    const auto allowed = static_cast<std::size_t>(std::max<Index>(1, max_output_ - offset()));
    stream_.avail_out = static_cast<uInt>(std::min({size, allowed, std::size_t{1} << 30}));
    const uInt room = stream_.avail_out;
    while (stream_.avail_out == room && !finished_) {
      const bool at_end = !has_input();
      // Without input there may still be output, the rest of a repetition.
      if (!at_end || !between_members_) {
        try {
          decode();
        } catch (const Error&) {
          if (stream_.avail_out == room) throw;
          failure_ = std::current_exception();
        }
      }
      if (at_end && stream_.avail_out == room) at_end_of_input();
    }
    const std::size_t got = room - stream_.avail_out;
    if (static_cast<Index>(got) > max_output_ - offset()) {
      refuse_at(position(),
                fmt::format("unpacks to more than {} bytes; expected less for a file of this "
                            "size (max_expansion, max_bytes)",
                            max_output_));
    }
    return got;
  }

  bool has_input() {
    if (stream_.avail_in == 0) {
      stream_.avail_in = static_cast<uInt>(compressed_->read(input_.data(), input_.size()));
      stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    }
    return stream_.avail_in > 0;
  }

  void at_end_of_input() {
    if (between_members_ && members_ > 0) {
      finished_ = true;
    } else if (position() == 0) {
      refuse_at(0, "the file is empty; expected gzip data");
    } else {
      refuse_at(position(),
                "the gzip data end early; expected the rest of a compressed member (is the file "
                "truncated?)");
    }
  }

  void decode() {
    if (between_members_) member_ = position();
    between_members_ = false;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    const bool at_start = stream_.total_out == 0;
    if (status == Z_STREAM_END) {
      between_members_ = true;
      ++members_;
      if (inflateReset(&stream_) != Z_OK) refuse_at(position(), "the gzip decoder could not go on");
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      if (at_start && members_ > 0) {
        refuse_at(member_,
                  "found other data after the end of the gzip data; expected the end of the file");
      }
      refuse_at(
          at_start ? member_ : position(),
          fmt::format("damaged gzip data ({}); expected a gzip file (is it compressed at all?)",
                      stream_.msg != nullptr ? stream_.msg : "no preset dictionary is known"));
    }
  }

  std::unique_ptr<ByteSource> compressed_;
  std::vector<char> input_;
  z_stream stream_{};
  Index max_output_ = 0;
  Index members_ = 0;
  Index member_ = 0;  // where the current one starts
  bool between_members_ = true;
  bool finished_ = false;
  std::exception_ptr failure_;
};

}  // namespace

std::string shown_path(const std::string& path) { return printable(path, kMaxShownPath); }

std::size_t ByteSource::read_full(char* out, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const std::size_t got = read(out + done, size - done);
    if (got == 0) break;
    done += got;
  }
  return done;
}

std::string ByteSource::where_byte(Index byte) const {
  return fmt::format("{}: byte {}", name_, byte);
}

void ByteSource::refuse_at(Index byte, const std::string& message) const {
  throw Error(ErrorCode::input, where_byte(byte), message);
}

InputFile::InputFile(const std::string& path) : name_(shown_path(path)) {
  if (path.find('\0') != std::string::npos) {
    throw Error(ErrorCode::input, name_,
                "the file name contains a NUL character; no file can be called so");
  }
  // O_NONBLOCK: opening a pipe must not wait for somebody to write into it.
  do {
    descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  } while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) {
    throw Error(ErrorCode::input, name_,
                fmt::format("cannot open the file: {}", std::strerror(errno)));
  }
  struct stat status {};
  const int failed = fstat(descriptor_, &status);
  const std::string problem =
      failed != 0 ? fmt::format("cannot look at the file: {}", std::strerror(errno))
      : !S_ISREG(status.st_mode)
          ? fmt::format("this is {}; expected a regular file", kind_of(status.st_mode))
          : "";
  if (!problem.empty()) {
    close(descriptor_);
    throw Error(ErrorCode::input, name_, problem);
  }
  size_ = status.st_size;
  changed_seconds_ = status.st_mtim.tv_sec;
  changed_nanoseconds_ = status.st_mtim.tv_nsec;
}

InputFile::~InputFile() { close(descriptor_); }

void InputFile::read_at(char* out, std::size_t size, Index offset) const {
  std::size_t done = 0;
  while (done < size) {
    const Index at = offset + static_cast<Index>(done);
    const ssize_t got = pread(descriptor_, out + done, size - done, at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw Error(ErrorCode::input, fmt::format("{}: byte {}", name_, at),
                  fmt::format("cannot read the file: {}", std::strerror(errno)));
    }
    if (got == 0) {
      throw Error(
          ErrorCode::input, fmt::format("{}: byte {}", name_, at),
          fmt::format("the file became shorter while it was read; expected {} bytes", size_));
    }
    done += static_cast<std::size_t>(got);
  }
}

void InputFile::check_unchanged() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) {
    throw Error(ErrorCode::input, name_,
                fmt::format("cannot look at the file: {}", std::strerror(errno)));
  }
  if (status.st_size != size_) {
    throw Error(ErrorCode::input, fmt::format("{}: byte {}", name_, size_),
                fmt::format("the file changed its size while it was read: {} bytes, expected {}",
                            status.st_size, size_));
  }
  if (status.st_mtim.tv_sec != changed_seconds_ || status.st_mtim.tv_nsec != changed_nanoseconds_) {
    throw Error(ErrorCode::input, name_,
                "the file was written to while it was read; read it again when nobody changes it");
  }
}

std::unique_ptr<ByteSource> memory_bytes(std::string name, std::span<const char> bytes) {
  return std::make_unique<MemorySource>(std::move(name), bytes);
}

std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> compressed, const Limits& limits) {
  return std::make_unique<GzipSource>(std::move(compressed), limits);
}

std::unique_ptr<ByteSource> open_bytes(const std::string& path, const Limits& limits) {
  auto plain = std::make_unique<PlainSource>(std::make_unique<InputFile>(path), limits);
  const std::size_t size = path.size();
  const bool is_gzip = size >= 3 && path[size - 3] == '.' && (path[size - 2] | 32) == 'g' &&
                       (path[size - 1] | 32) == 'z';  // in lower or upper case
  if (is_gzip) return gunzip(std::move(plain), limits);
  return plain;
}

}  // namespace gingham
