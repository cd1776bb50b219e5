// Output that is there whole or not at all.
//
// Everything is written beside the target under a temporary name, each file synced and closed with
// all errors checked, and then put in place by one rename; the parent directory is synced after it.
// A failure leaves what was there before and no temporary files. When two processes write the same
// target, one of them wins whole and the other gets an Error{output}.
#pragma once
#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gingham/io/sink.hpp"

namespace gingham {

// What lies at a path, told by its device and inode.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};

class GINGHAM_API AtomicDirectory {
 public:
  // Makes the temporary directory. Throws Error{output} when the target exists and `replace` is
  // false, when it is not a directory, or, where `marker` is given, when it is neither empty nor
  // holds a file of this name: a directory that is not an earlier result is never replaced.
  AtomicDirectory(const std::string& target, bool replace, const std::string& marker = "");
  ~AtomicDirectory();  // without commit(): removes what was written
  AtomicDirectory(const AtomicDirectory&) = delete;
  AtomicDirectory& operator=(const AtomicDirectory&) = delete;

  // Where the files lie until commit().
  const std::string& path() const { return temporary_; }
  // Opens a new file for writing, compressed when the name ends in ".gz". `name` is relative and
  // may have folders in it, which are made. The sink must be finished before commit() and must not
  // outlive this.
  std::unique_ptr<ByteSink> open(const std::string& name);
  void write(const std::string& name, std::string_view bytes);

  // Syncs all directories and puts the whole in place; may be called once.
  void commit();

 private:
  void make_folders(const std::string& name);
  std::string target_, temporary_;
  std::optional<FileIdentity> before_;  // what was at the target when this was made
  std::vector<std::string> folders_;    // made inside, relative
  bool committed_ = false;
};

// One file, the same way.
class GINGHAM_API AtomicFile {
 public:
  // An existing file is replaced unless `replace` is false; anything else than a file is refused.
  AtomicFile(const std::string& target, bool replace, bool compressed);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  ByteSink& sink() { return *sink_; }
  void commit();

 private:
  std::string target_, temporary_;
  std::optional<FileIdentity> before_;
  std::unique_ptr<ByteSink> sink_;
  bool committed_ = false;
};

// The bytes as they are, whatever the path ends in.
GINGHAM_API void write_file_atomically(const std::string& path, std::string_view bytes,
                                       bool replace = true);

}  // namespace gingham
