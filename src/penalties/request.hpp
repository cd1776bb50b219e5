// A penalty as it was asked for in words, before the data are known: `nonneg+l1:20%`.
//
//   words joined by +;  word  |  word:NUMBER  |  word:PERCENT%  |  top:COUNT  |  group:FILE,WEIGHT
//
// A percentage is one of what smallest_zero says, with the other parts of the sum at their numbers
// and other percentages at 0.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "gingham/penalties/value.hpp"
#include "gingham/penalties/word.hpp"

namespace gingham {

class PenaltyRequest {
 public:
  // free
  PenaltyRequest() = default;
  // Throws Error{usage} at `where` that names the position, what was found and what was expected.
  static PenaltyRequest parse(std::string_view text, const std::string& where);

  // In one canonical form, as asked for or with these numbers.
  std::string text() const;
  std::string text(const std::vector<double>& numbers) const;
  const std::string& file() const { return file_; }  // that names the groups; empty: none
  bool has_percentages() const;
  std::vector<PenaltyValue> values() const;  // of the parts, as they were asked for
  Index n_weights() const { return static_cast<Index>(parts_.size()); }

  // What 100 % of each part is for this column; 0 where a part has no percentage. `groups`: of
  // file(), may be null where there is none.
  std::vector<double> maxima(ConstVec b, Curvature h,
                             const std::shared_ptr<const Groups>& groups = {}) const;
  // The weight or count of each part, given maxima (those of several columns: the largest of each);
  // none are needed where there are no percentages.
  std::vector<double> numbers(const std::vector<double>& maxima = {}) const;
  // The penalty with these numbers, of entries within the bounds of a rule. Throws Error{usage}
  // where the sum makes no sense.
  std::unique_ptr<Penalty> make(const std::vector<double>& numbers,
                                const std::shared_ptr<const Groups>& groups = {},
                                const EntryRule& within = {}) const;
  std::unique_ptr<Penalty> make() const { return make(numbers()); }

 private:
  struct Part {
    const PenaltyWord* word;
    PenaltyValue value;  // number, percentage, or count
  };
  EntryRule entry(const std::vector<double>& numbers, const EntryRule& within = {}) const;

  std::vector<Part> parts_;
  std::string file_;
};

// What --penalty holds: requests by mode, `rows=nonneg+l1:3 columns=top:12`.
struct ModePenalty {
  std::string mode;
  PenaltyRequest penalty;
};
// Separated by blanks. Throws Error{usage} for a mode that is named twice.
std::vector<ModePenalty> parse_mode_penalties(std::string_view text, const std::string& where);
std::string to_text(const std::vector<ModePenalty>& penalties);
// With the numbers of all parts, one request after the other.
std::string to_text(const std::vector<ModePenalty>& penalties, const std::vector<double>& numbers);

}  // namespace gingham
