// How a user names a penalty: words joined by +, `nonneg+l1:20%`, `fused:3`, `top:12`.
//
// A word either says what single entries obey (adjust), or what holds several entries together
// (make); a sum has at most one of the latter. Each header in members/ defines one penalty and its
// word; the list of all is generated from that folder.
#pragma once
#include <functional>
#include <string>

#include "gingham/penalties/entry_rule.hpp"
#include "gingham/penalties/groups.hpp"

namespace gingham {

struct PenaltyArguments {
  double weight = 0.0;                        // of a weight
  Index count = 0;                            // of a count
  std::shared_ptr<const Groups> groups = {};  // of groups
};

struct PenaltyWord {
  enum class Takes { nothing, weight, optional_weight, count, groups };

  std::string word = {};  // "smooth"
  Takes takes = Takes::nothing;
  std::string example = {};  // "smooth:20%"
  std::string help = {};     // one sentence
  // Exactly one of these two. make throws Error{usage} with the reason where the entries' rule does
  // not go with it.
  std::function<void(const PenaltyArguments&, EntryRule&)> adjust = {};
  std::function<std::unique_ptr<Penalty>(const PenaltyArguments&, const EntryRule&)> make = {};
};

// All of them, in order of word.
const std::vector<PenaltyWord>& penalty_words();

// The refusal of make: "`fused` and `ridge` cannot be added: reason".
[[noreturn]] void refuse_sum(const std::string& word, const std::string& with,
                             const std::string& reason);

// What most members say: a rule of entries with a ridge, or with a box, does not go with them.
void require_no_ridge(const std::string& word, const EntryRule& entry);
void require_no_box(const std::string& word, const EntryRule& entry);

}  // namespace gingham
