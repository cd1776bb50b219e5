// The few system calls that output goes through, in one table, so that tests can make any of them
// fail.
#pragma once
#include <sys/types.h>

#include <cstddef>

namespace gingham {

// Each behaves like the system call of its name: -1 and errno on failure. rename takes the flags of
// renameat2 (RENAME_NOREPLACE, RENAME_EXCHANGE).
struct FileOps {
  int (*open)(const char* path, int flags, mode_t mode);
  ssize_t (*write)(int descriptor, const void* bytes, std::size_t size);
  int (*fsync)(int descriptor);
  int (*close)(int descriptor);
  int (*rename)(const char* from, const char* to, unsigned flags);
  int (*mkdir)(const char* path, mode_t mode);
};

// The table in use; a test may assign to it while nothing is written.
FileOps& file_ops();
FileOps system_file_ops();

}  // namespace gingham
