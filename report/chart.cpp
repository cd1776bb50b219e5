#include "report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/escape.hpp"

namespace gingham::report {
namespace {

constexpr std::size_t kMaxPoints = 500;
constexpr double kLeast = 1e-17;  // below what doubles can tell apart; drawn at the foot
constexpr double kLeft = 64, kRight = 744, kTop = 14, kBottom = 226;

struct Point {
  Index component = 0;
  double at = 0.0;      // number of the record, from 0
  double excess = 0.0;  // |objective - last| / |last|
  double gap = 0.0;
};

std::vector<Point> points_of(const std::vector<Record>& trace) {
  std::vector<Point> points(trace.size());
  for (std::size_t end = trace.size(); end > 0;) {
    const double last = trace[end - 1].objective;
    const Index component = trace[end - 1].component;
    for (; end > 0 && trace[end - 1].component == component; --end) {
      const Record& record = trace[end - 1];
      const double scale = last != 0.0 ? std::abs(last) : 1.0;
      points[end - 1] = {component, static_cast<double>(end - 1),
                         std::abs(record.objective - last) / scale, record.gap};
    }
  }
  if (points.size() <= kMaxPoints) return points;
  std::vector<Point> thinned;  // evenly, with the last one of each component
  const double stride = static_cast<double>(points.size()) / static_cast<double>(kMaxPoints);
  double next = 0.0;
  for (std::size_t i = 0; i < points.size() && thinned.size() < 2 * kMaxPoints; ++i) {
    const bool is_last = i + 1 == points.size() || points[i + 1].component != points[i].component;
    if (static_cast<double>(i) < next && !is_last) continue;
    thinned.push_back(points[i]);
    if (static_cast<double>(i) >= next) next += stride;
  }
  return thinned;
}

struct Frame {
  double last = 1.0;              // number of the last record
  double low = -8.0, high = 0.0;  // powers of ten
  double x(double at) const {
    return last > 0.0 ? kLeft + (kRight - kLeft) * at / last : 0.5 * (kLeft + kRight);
  }
  double y(double value) const {
    const double power = std::clamp(std::log10(std::max(value, kLeast)), low, high);
    return kBottom - (kBottom - kTop) * (power - low) / (high - low);
  }
};

bool is_drawn(double value) { return std::isfinite(value) && value > 0.0; }

std::string line(const std::vector<Point>& points, const Frame& frame, double Point::*what,
                 const char* name) {
  std::string path, dots;
  bool is_open = false;
  Index component = -1;
  for (const Point& point : points) {
    const double value = point.*what;
    if (!is_drawn(value)) {
      is_open = false;
      continue;
    }
    const bool goes_on = is_open && point.component == component;
    path += fmt::format("{}{:.1f} {:.1f}", goes_on ? 'L' : 'M', frame.x(point.at), frame.y(value));
    if (points.size() <= 60) {
      dots += fmt::format("<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\"/>", name,
                          frame.x(point.at), frame.y(value));
    }
    is_open = true;
    component = point.component;
  }
  return path.empty() ? "" : fmt::format("<path class=\"line {}\" d=\"{}\"/>{}", name, path, dots);
}

std::string grid_lines(const Frame& frame) {
  std::string svg;
  const int step = std::max(1, static_cast<int>(std::ceil((frame.high - frame.low) / 6.0)));
  for (int power = static_cast<int>(frame.low); power <= static_cast<int>(frame.high);
       power += step) {
    const double y = frame.y(std::pow(10.0, power));
    svg += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
                       kLeft, kRight, y, y);
    svg += fmt::format("<text class=\"tick end\" x=\"{}\" y=\"{:.1f}\">1e{}</text>", kLeft - 8,
                       y + 4, power);
  }
  return svg;
}

// Where one component ends and the next begins; at most 40 of them.
std::string component_marks(const std::vector<Point>& points, const Frame& frame) {
  std::string svg;
  int n = 0;
  for (std::size_t i = 0; i < points.size() && n < 40; ++i) {
    if (i > 0 && points[i].component == points[i - 1].component) continue;
    const double x = frame.x(points[i].at);
    if (i > 0) {
      const double middle = 0.5 * (x + frame.x(points[i - 1].at));
      svg += fmt::format("<line class=\"mark\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{}\" y2=\"{}\"/>",
                         middle, middle, kTop, kBottom);
    }
    svg += fmt::format("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\">component {}</text>", x + 4,
                       kTop + 10, points[i].component);
    ++n;
  }
  return n > 1 && n < 13 ? svg : "";
}

}  // namespace

std::string trace_section(const Result& result) {
  std::string html = "<section><h2>How it went</h2>";
  const std::vector<Point> points = points_of(result.trace);
  double least = 1.0, largest = 0.0;
  for (const Point& point : points) {
    for (const double value : {point.excess, point.gap}) {
      if (!is_drawn(value)) continue;
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
  }
  if (largest == 0.0) {
    return html +
           "<p>There is nothing to draw: no iteration was recorded with a gap or a change of the "
           "objective.</p></section>";
  }
  Frame frame;
  frame.last = static_cast<double>(result.trace.size() - 1);
  frame.high = std::min(std::ceil(std::log10(largest)), 300.0);
  frame.low = std::floor(std::log10(std::max(least, kLeast)));
  double tolerance = 0.0;
  if (result.options.has("tolerance") && result.options.given("tolerance"))
    tolerance = result.options.real("tolerance");
  if (is_drawn(tolerance)) {
    frame.low = std::min(frame.low, std::floor(std::log10(std::max(tolerance, kLeast))));
    frame.high = std::max(frame.high, std::ceil(std::log10(tolerance)));
  }
  if (frame.high <= frame.low) frame.high = frame.low + 1.0;
  html +=
      "<div class=\"key\"><span><span class=\"dash gap\"></span>largest relative gap</span>"
      "<span><span class=\"dash excess\"></span>objective, relative distance from its last "
      "value</span>";
  if (is_drawn(tolerance)) html += "<span><span class=\"dash tolerance\"></span>tolerance</span>";
  html +=
      "</div><svg class=\"chart\" viewBox=\"0 0 760 262\" role=\"img\" aria-label=\"Gap and "
      "objective by iteration\">";
  html += grid_lines(frame) + component_marks(points, frame);
  if (is_drawn(tolerance)) {
    const double y = frame.y(tolerance);
    html +=
        fmt::format("<line class=\"tolerance\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>",
                    kLeft, kRight, y, y);
  }
  html += line(points, frame, &Point::excess, "excess") + line(points, frame, &Point::gap, "gap");
  html += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\">1</text>", kLeft, kBottom + 18);
  html += fmt::format("<text class=\"tick end\" x=\"{}\" y=\"{}\">{}</text>", kRight, kBottom + 18,
                      count(static_cast<long long>(result.trace.size())));
  html += fmt::format("<text class=\"tick middle\" x=\"{}\" y=\"{}\">iteration</text></svg>",
                      0.5 * (kLeft + kRight), kBottom + 18);
  return html + "</section>";
}

}  // namespace gingham::report
