#include "report/block_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/text.hpp"

namespace gingham::report {
namespace {

constexpr std::size_t kMaxStretches = 1500;  // per side of a picture
constexpr Index kLongestSide = 8192;         // browsers refuse much larger canvases
constexpr Index kShortestSide = 40;

std::string axis_words(const Axis& axis, std::string_view items) {
  std::string text;
  if (axis.is_squeezed)
    text += fmt::format(" The {}s in no component are squeezed together.", items);
  if (axis.n_several > 0) {
    text += fmt::format(" {} {} to several components and {} at {} strongest.",
                        counted(axis.n_several, items), axis.n_several == 1 ? "belongs" : "belong",
                        axis.n_several == 1 ? "stands" : "stand",
                        axis.n_several == 1 ? "its" : "their");
  }
  return text;
}

}  // namespace

Side make_side(const Membership* membership, Index n_items, bool is_exact, Index bins,
               const std::string& title, std::optional<Index> labels, Shared& shared) {
  const Index most = std::max<Index>(is_exact ? n_items : bins, 4);
  Side side{make_axis(membership, n_items, most), make_axis(nullptr, n_items, most)};
  side.number = shared.add_axis(side.ordered, side.given, title, labels);
  return side;
}

std::vector<Stretch> places(const Side& side, const Membership* membership, Index n_components) {
  const Index shown = std::min(n_components, kMaxComponents);
  if (membership != nullptr && membership->n_items == side.ordered.items())
    return stretches(side.ordered, *membership, shown, kMaxStretches);
  std::vector<Stretch> everywhere;
  for (Index k = 0; k < shown; ++k) everywhere.push_back({k, 0, side.ordered.bins()});
  return everywhere;
}

Json block_json(const BlockPicture& picture) {
  return {{"name", picture.name},
          {"caption", picture.caption},
          {"rows", picture.rows->number},
          {"columns", picture.columns->number},
          {"row_stretches", stretches_json(picture.row_stretches)},
          {"column_stretches", stretches_json(picture.column_stretches)},
          {"field", picture.field},
          {"arranged", picture.given_field.has_value()},
          {"given_field", picture.given_field ? Json(*picture.given_field) : Json(nullptr)}};
}

Index side_for(double n_pictures) {
  return std::clamp(static_cast<Index>(std::sqrt(kMeanCells / std::max(n_pictures, 1.0))),
                    kShortestSide, kMaxSide);
}

bool may_be_exact(Index rows, Index columns, Index n_pictures) {
  return rows <= kLongestSide && columns <= kLongestSide &&
         rows * columns <= kExactCells / std::max<Index>(n_pictures, 1);
}

std::string caption_of(const Axis& rows, const Axis& columns, const char* row_word,
                       const char* column_word) {
  const bool is_mean = rows.bins() < rows.items() || columns.bins() < columns.items();
  std::string text = fmt::format("{} \u00d7 {}", counted(rows.items(), row_word),
                                 counted(columns.items(), column_word));
  text += is_mean ? "; a square is the mean of several cells." : "; a square is a cell.";
  if (rows.has_components || columns.has_components) {
    text += fmt::format(
        " {} ordered by component; outlines and the numbers at the sides are the "
        "components.",
        rows.has_components && columns.has_components ? "Both sides are"
        : rows.has_components                         ? fmt::format("The {}s are", row_word)
                                                      : fmt::format("The {}s are", column_word));
  } else if (rows.is_crowded || columns.is_crowded) {
    text += " There are more components than a picture can tell apart, so nothing is reordered.";
  } else {
    text += " No component has members here, so nothing is reordered.";
  }
  return text + axis_words(rows, row_word) + axis_words(columns, column_word);
}

}  // namespace gingham::report
