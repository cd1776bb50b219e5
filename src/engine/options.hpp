// Options as records: one record feeds the parser, the help, the documents, JSON and Python. Every
// value enters as text and is parsed in one place, against its record.
#pragma once
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gingham/data/matrix.hpp"
#include "gingham/penalties/request.hpp"

namespace gingham {

enum class OptionType {
  flag,  // yes or no
  integer,
  real,
  choice,  // one of `words`
  text,
  penalties,       // one or several, separated by commas: a number, a percentage, or one of `words`
  lines,           // the lines of a text file: typed as its path, read by who knows of files
  matrix,          // one of `words`, or the path of a file that holds a dense matrix
  mode_penalties,  // MODE=PENALTY, separated by blanks (penalties/request.hpp), or one of `words`
};

struct GINGHAM_API OptionRecord {
  std::string name = {};  // "row-sparsity"; in JSON and Python "row_sparsity"
  OptionType type = OptionType::text;
  std::string initial = {};  // the default, as a user would type it; empty: none
  double min =
      -std::numeric_limits<double>::infinity();  // of the number, or of each number of a list
  double max = std::numeric_limits<double>::infinity();
  std::vector<std::string> words = {};
  std::string help = {};              // one sentence
  bool is_single = false;             // of penalties: one value, no list
  bool takes_percent = true;          // of penalties
  bool is_for_transform = false;      // may be given anew when a fit is applied to new data
  bool may_differ_on_resume = false;  // limits and threads: what does not change the result's bits

  std::string key() const;  // with underscores
  std::string range_text()
      const;  // "a whole number from 1 to 100", "a number, a percentage or auto"
};

// The two most common kinds: a number between `min` and `max`, `initial` as a user would type it.
OptionRecord integer_option(std::string name, std::string initial, double min, double max,
                            std::string help);
OptionRecord real_option(std::string name, std::string initial, double min, double max,
                         std::string help);
// A text file that is read line by line.
OptionRecord lines_option(std::string name, std::string help);
// One of some words, or a file that holds a dense matrix. A file called like a word is "./word".
OptionRecord matrix_option(std::string name, std::string initial, std::vector<std::string> words,
                           std::string help);
// --penalty MODE=...: what a user asks of the factor of a mode. `words` are other names that the
// method knows.
OptionRecord mode_penalties_option(std::string help, std::vector<std::string> words = {});
// --allow-negative, for methods whose trait is needs_nonnegative but that could go on.
OptionRecord allow_negative_option();
// One of some words.
OptionRecord choice_option(std::string name, std::string initial, std::vector<std::string> words,
                           std::string help);

class GINGHAM_API Options {
 public:
  Options() = default;
  explicit Options(std::vector<OptionRecord> records);  // all at their defaults

  // Throws Error{usage} that names the option, what was found and what was expected. `name` may use
  // hyphens or underscores.
  void set(std::string_view name, std::string_view text);
  // The content of an option of lines, of the path set or none; blanks at line ends do not count.
  // Throws Error{usage} for an option of another type, Error{input} for what no text file can hold.
  void attach(std::string_view name, std::vector<std::string> lines);
  // The same for an option of a matrix. Throws Error{input} for a matrix that is empty or has a
  // value that is no finite number.
  void attach_matrix(std::string_view name, Matrix matrix);

  bool has(std::string_view name) const;    // is there such an option?
  bool given(std::string_view name) const;  // has it a value?
  bool flag(std::string_view name) const;
  Index integer(std::string_view name) const;
  double real(std::string_view name) const;
  const std::string& text(
      std::string_view name) const;  // also of a choice, and a matrix option's word
  const std::vector<PenaltyValue>& penalties(std::string_view name) const;
  const PenaltyValue& penalty(std::string_view name) const;  // the first of them
  // By mode; none where nothing, or one of the words, was given.
  const std::vector<ModePenalty>& mode_penalties(std::string_view name) const;
  // The names of all values that are, or hold, files: "groups", and "penalty.rows" for the groups
  // that the penalty of a mode names. What follows takes either.
  std::vector<std::string> file_names() const;
  // What was attached, its digest, and the path as typed (empty for what came from memory). Content
  // that is asked for before it is attached is Error{internal}. matrix: null where a word was
  // given.
  const std::vector<std::string>& lines(std::string_view name) const;
  const Matrix* matrix(std::string_view name) const;
  const std::string& digest(std::string_view name) const;
  const std::string& path(std::string_view name) const;
  bool is_attached(std::string_view name) const;
  bool is_file(std::string_view name) const;  // a path was set or content attached, no word

  const std::vector<OptionRecord>& records() const { return records_; }
  const OptionRecord& record(std::string_view name) const;
  // The value as one would type it, in one canonical form; empty when there is none.
  std::string canonical(std::string_view name) const;
  // What makes two runs the same: the canonical form, of a file the digest of its content.
  std::string identity(std::string_view name) const;

 private:
  struct File {
    std::string path = {};
    std::shared_ptr<const std::vector<std::string>> lines = {};  // this or
    std::shared_ptr<const Matrix> matrix = {};                   // that, once it is attached
    std::string digest = {};
  };
  struct ModePenalties {
    std::vector<ModePenalty> list = {};
    std::map<std::string, File, std::less<>> files = {};  // by mode
  };
  using Value = std::variant<std::monostate, bool, Index, double, std::string,
                             std::vector<PenaltyValue>, File, ModePenalties>;
  static Value parse(const OptionRecord& record, std::string_view text);
  const Value& value(std::string_view name) const;
  const File& attached(std::string_view name) const;
  // The file of a value, null where it is none; of "option.mode" that of the mode's penalty.
  const File* find_held(std::string_view name) const;
  std::size_t find_file(std::string_view name,
                        OptionType type) const;  // Error{usage} if it is none
  void attach_to(std::size_t at, std::string_view name, File file);
  std::size_t find(std::string_view name) const;        // records_.size() if there is none
  std::size_t find_typed(std::string_view name) const;  // Error{usage} if there is none

  std::vector<OptionRecord> records_;
  std::vector<Value> values_;
};

// Options that every method has: seed, precision, tolerance, max-iterations, restarts, race,
// threads and limits.
std::vector<OptionRecord> common_options();

}  // namespace gingham
