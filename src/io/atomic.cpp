#include "gingham/io/atomic.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>

#include "gingham/base/error.hpp"
#include "gingham/io/byte_source.hpp"
#include "gingham/io/file_ops.hpp"
#include "gingham/io/output_error.hpp"

namespace gingham {
namespace {

constexpr int kMaxNames = 100;  // temporary names tried before giving up

// A file and the compression in front of it, as one sink.
class CompressedFile final : public ByteSink {
 public:
  CompressedFile(const std::string& path, const std::string& shown)
      : file_(path, shown), gzip_(file_) {}
  void write(std::string_view bytes) override { gzip_.write(bytes); }
  void finish() override { gzip_.finish(); }

 private:
  FileSink file_;
  GzipSink gzip_;
};

std::unique_ptr<ByteSink> open_sink(const std::string& path, const std::string& shown,
                                    bool compressed) {
  if (compressed) return std::make_unique<CompressedFile>(path, shown);
  return std::make_unique<FileSink>(path, shown);
}

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string base_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// A hidden name beside the target that nobody else uses.
std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  constexpr std::size_t kMaxBase = 180;  // a file name has at most 255 bytes
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  return fmt::format("{}/.{}.{}.{:x}.{}.partial", parent_of(target),
                     base_of(target).substr(0, kMaxBase), getpid(),
                     static_cast<unsigned long long>(ticks), counter++);
}

std::optional<struct stat> look_at(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0) return status;
  if (errno != ENOENT) refuse_output(shown_path(path), "look at the target", errno);
  return std::nullopt;
}

std::optional<FileIdentity> identity_at(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

void check_target(const std::string& target) {
  const std::string base = base_of(target);
  if (target.empty() || base.empty() || base == "." || base == ".." ||
      target.find('\0') != std::string::npos) {
    throw Error(ErrorCode::output, shown_path(target),
                "not a name to write to; expected the name of a file or "
                "directory");
  }
}

[[noreturn]] void refuse_existing(const std::string& target) {
  throw Error(ErrorCode::output, shown_path(target),
              "it exists already and is left as it is; expected a new name "
              "(or --force to replace it)");
}
[[noreturn]] void refuse_rival(const std::string& target) {
  throw Error(ErrorCode::output, shown_path(target),
              "another process has written it in the meantime; its output is "
              "left as it is");
}

int open_directory(const std::string& path) {
  return uninterrupted(
      [&] { return file_ops().open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); });
}

// Whether the directory is safe on disk; some file systems cannot sync directories and say EINVAL.
bool synced(int descriptor) {
  return uninterrupted([&] { return file_ops().fsync(descriptor); }) == 0 || errno == EINVAL;
}

int renamed(const std::string& from, const std::string& to, unsigned flags) {
  return uninterrupted([&] { return file_ops().rename(from.c_str(), to.c_str(), flags); });
}

bool is_unsupported(int cause) { return cause == EINVAL || cause == ENOSYS || cause == ENOTSUP; }

// Puts `temporary` at the free name `target`.
void place_new(const std::string& temporary, const std::string& target) {
  int failed = renamed(temporary, target, RENAME_NOREPLACE);
  if (failed != 0 && is_unsupported(errno)) {
    if (identity_at(target)) refuse_rival(target);
    failed = renamed(temporary, target, 0);
  }
  if (failed == 0) return;
  if (errno == EEXIST || errno == ENOTEMPTY) refuse_rival(target);
  refuse_output(shown_path(target), "put the output in place", errno);
}

// Swaps the two, so that the old one lies at the temporary name.
void swap_places(const std::string& temporary, const std::string& target) {
  if (renamed(temporary, target, RENAME_EXCHANGE) == 0) return;
  if (!is_unsupported(errno)) refuse_output(shown_path(target), "put the output in place", errno);
  // File systems that cannot swap: the old one moves aside for a moment.
  const std::string aside = temporary_name(target);
  if (renamed(target, aside, 0) != 0)
    refuse_output(shown_path(target), "move the old output aside", errno);
  if (renamed(temporary, target, 0) != 0) {
    const int cause = errno;
    renamed(aside, target, 0);
    refuse_output(shown_path(target), "put the output in place", cause);
  }
  if (renamed(aside, temporary, 0) != 0) {
    std::error_code ignored;
    std::filesystem::remove_all(aside, ignored);
  }
}

// The last step of all: temporary becomes target, durably. Afterwards the temporary name is free,
// or holds what the target was before.
void publish(const std::string& temporary, const std::string& target,
             const std::optional<FileIdentity>& before) {
  const int parent = open_directory(parent_of(target));
  if (parent < 0) refuse_output(shown_path(target), "open the directory above", errno);
  const struct Closer {
    int descriptor;
    ~Closer() { file_ops().close(descriptor); }
  } closer{parent};
  const bool swap = before && identity_at(target);
  if (swap) {
    swap_places(temporary, target);
    if (identity_at(temporary) != before) {
      swap_places(temporary, target);
      refuse_rival(target);
    }
  } else {
    place_new(temporary, target);
  }
  if (synced(parent)) return;
  const int cause = errno;
  const int undone = swap ? renamed(temporary, target, RENAME_EXCHANGE)
                          : renamed(target, temporary, RENAME_NOREPLACE);
  if (undone != 0) {
    refuse_output(shown_path(target),
                  "be sure that the new output, which is in place, survives a power failure",
                  cause);
  }
  refuse_output(shown_path(target), "make the output safe on disk", cause);
}

void remove_quietly(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

}  // namespace

AtomicDirectory::AtomicDirectory(const std::string& target, bool replace, const std::string& marker)
    : target_(without_slashes(target)) {
  check_target(target_);
  if (const auto status = look_at(target_)) {
    if (!replace) refuse_existing(target_);
    if (!S_ISDIR(status->st_mode)) {
      throw Error(ErrorCode::output, shown_path(target_),
                  "it exists and is not a directory; expected one to replace");
    }
    std::error_code failed;
    const bool is_empty = std::filesystem::is_empty(target_, failed);
    if (!marker.empty() && !is_empty && !identity_at(target_ + "/" + marker)) {
      throw Error(
          ErrorCode::output, shown_path(target_),
          fmt::format(
              "the directory holds other things and no {}; expected an earlier result to replace",
              marker));
    }
    before_ = FileIdentity{status->st_dev, status->st_ino};
  }
  for (int tries = 0;; ++tries) {
    temporary_ = temporary_name(target_);
    if (uninterrupted([&] { return file_ops().mkdir(temporary_.c_str(), 0777); }) == 0) return;
    if (errno != EEXIST || tries == kMaxNames)
      refuse_output(shown_path(target_), "make the directory", errno);
  }
}

AtomicDirectory::~AtomicDirectory() { remove_quietly(temporary_); }

void AtomicDirectory::make_folders(const std::string& name) {
  for (std::size_t slash = name.find('/'); slash != std::string::npos;
       slash = name.find('/', slash + 1)) {
    const std::string folder = name.substr(0, slash);
    if (identity_at(temporary_ + "/" + folder)) continue;
    if (uninterrupted(
            [&] { return file_ops().mkdir((temporary_ + "/" + folder).c_str(), 0777); }) != 0) {
      refuse_output(shown_path(target_ + "/" + folder), "make the directory", errno);
    }
    folders_.push_back(folder);
  }
}

std::unique_ptr<ByteSink> AtomicDirectory::open(const std::string& name) {
  make_folders(name);
  return open_sink(temporary_ + "/" + name, shown_path(target_ + "/" + name),
                   name.ends_with(".gz"));
}

void AtomicDirectory::write(const std::string& name, std::string_view bytes) {
  const auto sink = open(name);
  sink->write(bytes);
  sink->finish();
}

void AtomicDirectory::commit() {
  if (committed_) throw Error(ErrorCode::internal, shown_path(target_), "committed twice");
  std::vector<std::string> directories{temporary_};
  for (const std::string& folder : folders_) directories.push_back(temporary_ + "/" + folder);
  for (const std::string& directory : directories) {
    const int descriptor = open_directory(directory);
    if (descriptor < 0) refuse_output(shown_path(target_), "open the new directory", errno);
    const bool safe = synced(descriptor);
    const int cause = errno;
    file_ops().close(descriptor);
    if (!safe) refuse_output(shown_path(target_), "make the directory safe on disk", cause);
  }
  publish(temporary_, target_, before_);
  committed_ = true;
}

AtomicFile::AtomicFile(const std::string& target, bool replace, bool compressed) : target_(target) {
  check_target(target_);
  if (const auto status = look_at(target_)) {
    if (!replace) refuse_existing(target_);
    if (!S_ISREG(status->st_mode) && !S_ISLNK(status->st_mode)) {
      throw Error(ErrorCode::output, shown_path(target_),
                  "it exists and is not a file; expected a file to replace");
    }
    before_ = FileIdentity{status->st_dev, status->st_ino};
  }
  temporary_ = temporary_name(target_);
  sink_ = open_sink(temporary_, shown_path(target_), compressed);
}

AtomicFile::~AtomicFile() {
  sink_.reset();
  remove_quietly(temporary_);
}

void AtomicFile::commit() {
  if (committed_) throw Error(ErrorCode::internal, shown_path(target_), "committed twice");
  sink_->finish();
  publish(temporary_, target_, before_);
  committed_ = true;
}

void write_file_atomically(const std::string& path, std::string_view bytes, bool replace) {
  AtomicFile file(path, replace, /*compressed=*/false);
  file.sink().write(bytes);
  file.commit();
}

}  // namespace gingham
