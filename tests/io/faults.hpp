// Makes the n-th file operation fail: ENOSPC, EIO, EINTR, or a short write; once or from then on.
// Nothing is really synced, which is what takes the time.
#pragma once
#include <cerrno>
#include <cstdint>

#include "gingham/io/file_ops.hpp"

namespace gingham {

struct Fault {
  int cause = 0;  // an errno; 0: a write takes only half of what it is given
  bool persistent = false;
};

class FaultyFiles {
 public:
  FaultyFiles(long at, Fault fault) {
    state() = {at, 0, fault, 0};
    file_ops() = {
        .open =
            [](const char* path, int flags, mode_t mode) {
              return fails() ? -1 : system_file_ops().open(path, flags, mode);
            },
        .write = [](int file, const void* bytes, std::size_t size) -> ssize_t {
          if (!hit()) return system_file_ops().write(file, bytes, size);
          if (state().fault.cause == 0) return system_file_ops().write(file, bytes, (size + 1) / 2);
          errno = state().fault.cause;
          return -1;
        },
        .fsync = [](int) { return fails() ? -1 : 0; },
        // A close that fails has closed the file all the same.
        .close =
            [](int file) {
              const bool failed = fails();
              const int cause = errno;
              const int closed = system_file_ops().close(file);
              errno = cause;
              return failed ? -1 : closed;
            },
        .rename =
            [](const char* from, const char* to, unsigned flags) {
              return fails() ? -1 : system_file_ops().rename(from, to, flags);
            },
        .mkdir = [](const char* path,
                    mode_t mode) { return fails() ? -1 : system_file_ops().mkdir(path, mode); }};
  }
  ~FaultyFiles() { file_ops() = before_; }
  FaultyFiles(const FaultyFiles&) = delete;
  FaultyFiles& operator=(const FaultyFiles&) = delete;

  long operations() const { return state().operations; }
  bool was_hit() const { return state().hits > 0; }

 private:
  const FileOps before_ = file_ops();
  struct State {
    long at = -1;
    long operations = 0;
    Fault fault;
    long hits = 0;
  };
  static State& state() {
    static State only;
    return only;
  }
  static bool hit() {
    const long number = state().operations++;
    const bool is_hit = state().fault.persistent ? number >= state().at : number == state().at;
    if (state().at >= 0 && is_hit) ++state().hits;
    return state().at >= 0 && is_hit;
  }
  static bool fails() {
    if (!hit() || state().fault.cause == 0) return false;
    errno = state().fault.cause;
    return true;
  }
};

}  // namespace gingham
