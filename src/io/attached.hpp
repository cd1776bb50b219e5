// Options whose value is a file of lines or of a matrix: reading the files, when a run is asked for
// and when it is looked at again.
#pragma once
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "gingham/data/tensor.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/io/limits.hpp"

namespace gingham {

class AtomicDirectory;

// The lines of a text file, blanks at their ends left out; an empty line is an empty entry. LF or
// CRLF, with or without a UTF-8 mark, the last line with or without its end, also .gz. Throws
// Error{input} with file and line for anything that is not UTF-8 text: control characters but tabs
// are not.
GINGHAM_API std::vector<std::string> read_line_file(const std::string& path,
                                                    const Limits& limits = {});

// Reads every file that an option names and that is not attached yet. Throws Error{input} that
// names the option, also for a file of a matrix that is sparse, no matrix, or has missing values.
GINGHAM_API void attach_files(Options& options, const Limits& limits = {});

// Content of options that is there already, by the options' names.
using MemoryContents = std::map<std::string, std::variant<std::vector<std::string>, Matrix>>;
// Throws as Options::attach and attach_matrix do, and Error{usage} for an option that names a file
// too.
GINGHAM_API void attach_contents(Options& options, const MemoryContents& contents);

// What a result says of the lines or the matrix that an option was given.
struct GINGHAM_API AttachedRecord {
  std::string option;
  std::string path;  // as typed; empty: it came from memory
  std::string digest;
  Index n_lines = 0;  // of lines
  Shape shape = {};   // of a matrix

  std::string size_text() const;  // "3 lines", "128 x 256"
};
GINGHAM_API std::vector<AttachedRecord> attached_records(const Options& options);
// The path as typed, or words for what came from memory.
GINGHAM_API std::string shown_name(const Options& options, const AttachedRecord& one);

// Where a result directory keeps content that came from memory: attached/groups.txt,
// attached/dictionary.npy.
std::string attached_file(const OptionRecord& record);
// Puts all such content there. Throws Error{output}.
void write_attached(AtomicDirectory& directory, const Options& options);

// The options of a result stored in `directory` with the files read again, from where the record
// says, from within the directory where they came from memory, or from where `moved` (option, path)
// says they are now. Throws Error{input} when one cannot be read.
void attach_again(Options& options, const std::vector<AttachedRecord>& records,
                  const std::string& directory,
                  const std::map<std::string, std::string>& moved = {});
// One sentence for each option whose lines or matrix are not those of the record.
std::vector<std::string> changed_files(const Options& options,
                                       const std::vector<AttachedRecord>& records);

}  // namespace gingham
