// Each matrix as an image of one pixel per cell (or per mean of several), rows and columns ordered
// so that the members of a component stand together; outlines, strips and numbers of the components
// lie over and beside it.
#include "report/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/escape.hpp"
#include "report/grid.hpp"
#include "report/names.hpp"

namespace gingham::report {
namespace {

constexpr Index kMaxFigures = 12;
constexpr Index kMaxSide = 600;
constexpr double kMaxPixels = 1.2e6;  // of all figures together: the page stays small
constexpr Index kGivenSide = 240;
constexpr std::size_t kMaxOutlines = 150;  // per panel
constexpr double kRoomForNumber = 3.0;  // per cent of a side below which a segment is not numbered
constexpr double kWorthACloserLook =
    0.6;  // share of the picture that the members may fill without one

// The box a panel should fill on a laptop, in CSS pixels, and the least extent that can still be
// looked at.
struct Box {
  double width, height;
};
constexpr Box kHalf{400.0, 460.0}, kWhole{640.0, 600.0}, kSmall{150.0, 240.0};
constexpr double kLeastShare = 0.35;  // of the box, in either direction

// Cells are square where that fits the box and does not leave a thin line.
Box extent_of(Index rows, Index columns, Box box) {
  const auto m = static_cast<double>(rows), n = static_cast<double>(columns);
  double side = std::min(box.width / n, box.height / m);
  if (side >= 1.0) side = std::min(std::floor(side), 40.0);
  return {std::max(n * side, kLeastShare * box.width),
          std::max(m * side, kLeastShare * box.height)};
}

std::string image(const Grid& grid, const Scale& scale, const std::string& description) {
  const std::string file =
      encode_png(grid.rows, grid.columns, pixels_of(grid, scale), palette_of(scale));
  return fmt::format("<img class=\"cells\" alt=\"{}\" src=\"data:image/png;base64,{}\">",
                     description, base64(file));
}

double percent(Index part, Index whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// Strips and numbers along one side: top or left of the field.
std::string strips(const Axis& axis, bool is_top) {
  std::string html;
  std::size_t shown = 0;
  for (const Segment& segment : axis.segments) {
    if (segment.component < 0 || shown++ == kMaxOutlines) break;
    const double begin = percent(segment.begin, axis.bins()),
                 length = percent(segment.end - segment.begin, axis.bins());
    const std::string place = is_top ? fmt::format("left:{:.3f}%;width:{:.3f}%", begin, length)
                                     : fmt::format("top:{:.3f}%;height:{:.3f}%", begin, length);
    html += fmt::format("<span class=\"strip {} {}\" style=\"{}\"><b>{}</b></span>",
                        is_top ? "top" : "left", colour_class(segment.component), place,
                        length >= kRoomForNumber ? std::to_string(segment.component) : "");
  }
  return html;
}

// The part of the axis that a component covers; the whole axis where the mode has no components at
// all.
bool find_segment(const Axis& axis, Index component, Segment& found) {
  if (!axis.has_components) {
    found = {component, 0, axis.bins()};
    return true;
  }
  for (const Segment& segment : axis.segments) {
    if (segment.component == component) {
      found = segment;
      return true;
    }
  }
  return false;
}

std::string outlines(const Axis& rows, const Axis& columns) {
  std::string light, dark;
  std::size_t shown = 0;
  const Axis& leading = rows.has_components ? rows : columns;
  for (const Segment& segment : leading.segments) {
    Segment row, column;
    if (segment.component < 0 || shown == kMaxOutlines) break;
    if (!find_segment(rows, segment.component, row) ||
        !find_segment(columns, segment.component, column))
      continue;
    ++shown;
    const std::string box =
        fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", column.begin, row.begin,
                    column.end - column.begin, row.end - row.begin);
    light += fmt::format("<rect class=\"halo\" {}/>", box);
    dark += fmt::format("<rect class=\"outline\" {}/>", box);
  }
  return fmt::format(
      "<svg class=\"over\" viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\">{}{}</svg>",
      columns.bins(), rows.bins(), light, dark);
}

std::string legend(const Scale& scale) {
  const Palette& palette = palette_of(scale);
  std::string stops;
  for (int level = 0; level < kLevels; level += 127 / 6) {
    const Colour& colour = palette[static_cast<std::size_t>(level)];
    stops += fmt::format(",rgb({},{},{}) {:.1f}%", colour.red, colour.green, colour.blue,
                         100.0 * level / (kLevels - 1));
  }
  std::string html = fmt::format(
      "<div class=\"legend\"><span class=\"ramp\" style=\"background:linear-gradient(to "
      "right{})\"></span>"
      "<span class=\"ticks\"><span>{}{}</span><span>{}</span><span>{}{}</span></span>",
      stops, scale.has_below ? "\u2264 " : "", number(scale.low, 3),
      number(0.5 * scale.low + 0.5 * scale.high, 3), scale.has_above ? "\u2265 " : "",
      number(scale.high, 3));
  if (scale.has_missing)
    html += "<span class=\"missing\"><span class=\"swatch\"></span>missing</span>";
  return html + "</div>";
}

std::string axis_words(const Axis& axis, std::string_view items) {
  std::string text;
  if (axis.is_squeezed)
    text += fmt::format(" The {}s in no component are squeezed together.", items);
  if (axis.n_several > 0) {
    text += fmt::format(" {} {} to several components and {} drawn at {} strongest.",
                        counted(axis.n_several, items), axis.n_several == 1 ? "belongs" : "belong",
                        axis.n_several == 1 ? "is" : "are", axis.n_several == 1 ? "its" : "their");
  }
  return text;
}

std::string caption(const Block& block, const Axis& rows, const Axis& columns) {
  const Summary& summary = block.summary();
  std::string text = fmt::format("{} \u00d7 {}", counted(summary.shape[0], "row"),
                                 counted(summary.shape[1], "column"));
  const bool aggregated = rows.bins() < summary.shape[0] || columns.bins() < summary.shape[1];
  text += aggregated ? "; a pixel is the mean of several cells." : "; a pixel is a cell.";
  if (rows.has_components || columns.has_components) {
    text += fmt::format(
        " {} ordered by component, then by value; outlines and the numbers at the sides are the "
        "components.",
        rows.has_components && columns.has_components ? "Rows and columns are"
        : rows.has_components                         ? "Rows are"
                                                      : "Columns are");
  } else if (rows.is_crowded || columns.is_crowded) {
    text += " There are more components than a picture can tell apart, so nothing is reordered.";
  } else {
    text += " No component has members here, so nothing is reordered.";
  }
  text += axis_words(rows, "row") + axis_words(columns, "column");
  if (summary.missing < summary.shape[0] * summary.shape[1]) {
    text +=
        fmt::format(" Values range from {} to {}.", number(summary.min, 4), number(summary.max, 4));
  } else {
    text += " Every cell is missing.";
  }
  return text;
}

// One view of the block: which rows and columns, and their means.
struct View {
  Axis rows, columns;
  Grid grid;

  View(const Block& block, const Membership* row_members, const Membership* column_members,
       Index side, Rest rest)
      : rows(make_axis(row_members, block.shape()[0], side, rest)),
        columns(make_axis(column_members, block.shape()[1], side, rest)),
        grid(average(block, rows, columns)) {}
};

std::string panel(const View& view, const Scale& scale, Box box, const char* title,
                  const char* description) {
  const Box extent = extent_of(view.grid.rows, view.grid.columns, box);
  std::string html = fmt::format(
      "<div class=\"panel\"><p>{}</p><div class=\"field\" "
      "style=\"width:{:.0f}px;aspect-ratio:{:.0f}/{:.0f}\">",
      title, extent.width, extent.width, extent.height);
  html += image(view.grid, scale, description) + outlines(view.rows, view.columns);
  return html + strips(view.columns, true) + strips(view.rows, false) + "</div></div>";
}

std::string figure(const Block& block, const Result& result, Index index, Index side,
                   bool is_named) {
  const Membership* rows = membership_of_block(result, index, 0);
  const Membership* columns = membership_of_block(result, index, 1);
  const View all(block, rows, columns, side, Rest::last);
  const View members(block, rows, columns, side, Rest::left_out);
  const View given(block, nullptr, nullptr, std::min(side, kGivenSide), Rest::last);
  const bool has_members = all.rows.has_components || all.columns.has_components;
  const bool is_closer =
      has_members && static_cast<double>(members.grid.mean.size()) <
                         kWorthACloserLook * static_cast<double>(all.grid.mean.size());
  const Scale scale = is_closer ? scale_of({&all.grid, &members.grid}) : scale_of({&all.grid});

  std::string html = "<figure>";
  if (is_named)
    html += fmt::format("<h3>Block {}: <span class=\"label\">{}</span></h3>", index,
                        file_name(block.name()));
  html += has_members ? "<div class=\"pair sided\">" : "<div class=\"pair\">";
  html += panel(all, scale, is_closer || is_named ? kHalf : kWhole,
                has_members ? "Ordered by component" : "As given",
                "The data, rows and columns ordered by component");
  if (is_closer)
    html +=
        panel(members, scale, kHalf, "Members only, closer", "The members of the components alone");
  if (has_members)
    html += panel(given, scale, kSmall, "As given", "The same data in the order of the file");
  return html + "</div>" + legend(scale) + "<figcaption>" + caption(block, all.rows, all.columns) +
         "</figcaption></figure>";
}

// What is read by rows is read once more for nothing else.
bool is_drawn(const Block& block) { return block.is_matrix() && block.row_source() == nullptr; }

}  // namespace

std::string picture_section(const Dataset& data, const Result& result) {
  Index matrices = 0;
  for (const Block& block : data.blocks()) matrices += is_drawn(block) ? 1 : 0;
  std::string html = "<section><h2>The picture</h2>";
  if (data.size() == 1 && data.block(0).row_source() != nullptr) {
    return html +
           "<p>These data are large and were read piece by piece; there is no picture of them. "
           "Their members are listed below.</p></section>";
  }
  if (matrices == 0) {
    return html +
           "<p>The picture is for matrices. These data have more than two modes; their members are "
           "listed below, "
           "mode by mode.</p></section>";
  }
  const Index drawn = std::min(matrices, kMaxFigures);
  const auto side = static_cast<Index>(std::sqrt(kMaxPixels / 3.0 / static_cast<double>(drawn)));
  Index done = 0;
  for (Index index = 0; index < data.size() && done < drawn; ++index) {
    if (!is_drawn(data.block(index))) continue;
    html += figure(data.block(index), result, index, std::min(side, kMaxSide), data.size() > 1);
    ++done;
  }
  if (drawn < matrices)
    html += fmt::format("<p>{} are not drawn.</p>", counted(matrices - drawn, "more block"));
  if (matrices < data.size())
    html += "<p>The picture is for matrices; blocks with more modes are not drawn.</p>";
  return html + "</section>";
}

}  // namespace gingham::report
