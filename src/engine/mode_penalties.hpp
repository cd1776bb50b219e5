// What methods need of --penalty MODE=...
#pragma once
#include <optional>

#include "gingham/engine/model.hpp"
#include "gingham/engine/options.hpp"

namespace gingham {

// What was asked for a mode, null where nothing was.
const PenaltyRequest* asked_penalty(const Options& options, std::string_view mode);

// Throws Error{usage} for a mode that is not one of these, for one that has `own[i]` (the method's
// own option for that mode, empty: none) given as well, and where a penalty's groups name another
// number of items. `sizes`: of the modes.
void check_mode_penalties(const Options& options, const std::vector<std::string>& modes,
                          const std::vector<Index>& sizes, const std::vector<std::string>& own);

// The groups that the penalty of a mode names; null where it names none.
std::shared_ptr<const Groups> penalty_groups(const Options& options, std::string_view mode,
                                             Index n_items);

// The numbers of all parts of all modes, in the order they were typed, as a finished fit has them:
// percentages at what they came to. Throws Error{input} where the result does not say.
std::vector<double> fitted_numbers(const Options& options, const Model& fitted);
// The penalty of a mode with those, of entries within the bounds of a rule; null where none was
// asked for.
std::unique_ptr<Penalty> fitted_penalty(const Options& options, const Model& fitted,
                                        std::string_view mode, const EntryRule& within = {});

// The penalties of all modes, made when the columns of a first update are known: of several columns
// a percentage takes the largest maximum.
class ModePenalties {
 public:
  ModePenalties() = default;
  ModePenalties(const Options& options, std::vector<std::string> modes, std::vector<Index> sizes);

  bool is_asked(Index mode) const { return requests_[mode].has_value(); }
  bool has_percentages(Index mode) const {
    return requests_[mode] && requests_[mode]->has_percentages();
  }
  // One more column of the first update of a mode, of an objective that is `times` what b and h are
  // of. Maxima are a rounding above what it takes, so that 100 % leaves nothing.
  void see(Index mode, ConstVec b, Curvature h, double times = 1.0);
  // What another object for the same options has seen; nothing where it is an empty one.
  void take_maxima(const ModePenalties& other) {
    if (other.maxima_.size() == maxima_.size()) maxima_ = other.maxima_;
  }
  // The penalty of a mode with what was seen; free where nothing was asked.
  std::shared_ptr<const Penalty> make(Index mode) const;
  // Of all parts of all modes, in the order they were typed.
  UsedValues used() const;

  template <class Archive>
  void state(Archive& ar) {
    ar("maxima", maxima_);
  }

 private:
  std::vector<std::optional<PenaltyRequest>> requests_;  // per mode
  std::vector<std::shared_ptr<const Groups>> groups_;
  std::vector<std::vector<double>> maxima_;
  std::vector<Index> typed_;  // modes in the order they were typed
};

}  // namespace gingham
