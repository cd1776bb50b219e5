// The points of all variations of a path together, the last varying fastest.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gingham/engine/model.hpp"
#include "gingham/tools/variation.hpp"

namespace gingham {

class Grid {
 public:
  // Throws Error{usage}: see parse_variation; also for an option that is varied twice, for no
  // variation at all, and for more points than anybody means.
  Grid(const std::vector<std::string>& variations, const Options& options);

  Index size() const { return size_; }
  const std::vector<Variation>& axes() const { return axes_; }
  bool varies(const std::string& option) const;
  // The last axis on which the point is not at its beginning; -1 for the first point.
  Index moved_axis(Index point) const;
  Options options_at(Index point, Options options) const;
  std::string folder(Index point) const;  // "07": the same width for all

 private:
  std::vector<Index> at(Index point) const;  // the place on each axis
  std::vector<Variation> axes_;
  Index size_ = 1;
};

// The models that later points begin from, when points are done in order: that of the point before
// along the axis that moved, whose later axes are all at their beginning, as the point's own are.
class Predecessors {
 public:
  explicit Predecessors(const Grid& grid) : models_(grid.axes().size()) {}
  const std::optional<Model>& of(Index moved_axis) const {
    static const std::optional<Model> none;
    return moved_axis < 0 ? none : models_[moved_axis];
  }
  void done(Index moved_axis, const Model& model);

 private:
  std::vector<std::optional<Model>> models_;  // per axis
};

}  // namespace gingham
