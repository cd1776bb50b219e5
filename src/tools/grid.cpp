#include "gingham/tools/grid.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gingham {

Grid::Grid(const std::vector<std::string>& variations, const Options& options) {
  constexpr Index kMaxPoints = 100000;
  for (const std::string& text : variations) {
    Variation axis = parse_variation(text, options);
    if (varies(axis.option))
      throw Error(ErrorCode::usage, "--vary", axis.option + " is varied twice");
    size_ *= std::ssize(axis.values);
    if (size_ > kMaxPoints) {
      throw Error(ErrorCode::usage, "--vary",
                  fmt::format("these are more than {} points", kMaxPoints));
    }
    axes_.push_back(std::move(axis));
  }
  if (axes_.empty()) throw Error(ErrorCode::usage, "--vary", "an option to vary is needed");
}

bool Grid::varies(const std::string& option) const {
  return std::any_of(axes_.begin(), axes_.end(),
                     [&](const Variation& axis) { return axis.option == option; });
}

std::vector<Index> Grid::at(Index point) const {
  std::vector<Index> places(axes_.size());
  for (Index a = std::ssize(axes_) - 1; a >= 0; --a) {
    places[a] = point % std::ssize(axes_[a].values);
    point /= std::ssize(axes_[a].values);
  }
  return places;
}

Index Grid::moved_axis(Index point) const {
  const std::vector<Index> places = at(point);
  Index axis = std::ssize(places) - 1;
  while (axis >= 0 && places[axis] == 0) --axis;
  return axis;
}

Options Grid::options_at(Index point, Options options) const {
  const std::vector<Index> places = at(point);
  for (std::size_t a = 0; a < axes_.size(); ++a)
    options.set(axes_[a].option, axes_[a].values[places[a]]);
  return options;
}

std::string Grid::folder(Index point) const {
  return fmt::format("{:0{}}", point, std::max<std::size_t>(std::to_string(size_ - 1).size(), 2));
}

void Predecessors::done(Index moved_axis, const Model& model) {
  for (Index a = std::max<Index>(moved_axis, 0); a < std::ssize(models_); ++a) models_[a] = model;
}

}  // namespace gingham
