#include "gingham/methods/dictionary/embryo_patterns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gingham::methods::dictionary {
namespace {

using std::numbers::pi;

// Borders are this wide along the axis and around it: about two pixels of the usual picture.
constexpr double kAxisBorder = 0.016;
constexpr double kAngleBorder = 0.045;

// 0 far below zero, 1 far above, a border as wide as `width` between.
double rise(double x, double width) { return 1.0 / (1.0 + std::exp(-x / width)); }

double between(double x, double low, double high, double width) {
  return rise(x - low, width) * rise(high - x, width);
}

// Distance from a place on the surface in units of the axis; the embryo is 0.4 times as wide as
// long, so that an angle of one is about as far as this.
constexpr double kAnglePerAxis = 2.6;
double distance(double u, double angle, double at_u, double at_angle) {
  return std::hypot(u - at_u, (angle - at_angle) / kAnglePerAxis);
}

double anterior_cap(double u, double, const Variant& v) {
  return rise(-0.52 * v.size + v.shift - u, 2.5 * kAxisBorder * v.softness);
}
double posterior_cap(double u, double, const Variant& v) {
  return rise(u - 0.58 * v.size - v.shift, 2.5 * kAxisBorder * v.softness);
}
double ventral_band(double u, double angle, const Variant& v) {
  return rise(angle - 2.2 / v.size, kAngleBorder * v.softness) *
         between(u, -0.85 + v.shift, 0.85 + v.shift, kAxisBorder);
}
double dorsal_band(double u, double angle, const Variant& v) {
  return rise(0.8 * v.size - angle, kAngleBorder * v.softness) *
         between(u, -0.7 + v.shift, 0.7 + v.shift, kAxisBorder);
}

double stripes(double u, const Variant& v, double count, double share) {
  const double from = -0.56 + v.shift, to = 0.64 + v.shift;
  const double period = (to - from) / count;
  const double place = (u - from) / period - std::floor((u - from) / period);
  return between(place, 0.5 - 0.5 * share * v.size, 0.5 + 0.5 * share * v.size,
                 kAxisBorder * v.softness / period) *
         between(u, from, to, kAxisBorder);
}
double stripes_7(double u, double, const Variant& v) { return stripes(u, v, 7.0, 0.5); }
double stripes_14(double u, double, const Variant& v) { return stripes(u, v, 14.0, 0.5); }

double ring_mid(double u, double, const Variant& v) {
  return between(u, v.shift - 0.055 * v.size, v.shift + 0.055 * v.size,
                 0.7 * kAxisBorder * v.softness);
}

double blob(double far, double radius, const Variant& v) {
  return rise(radius * v.size - far, kAxisBorder * v.softness);
}
double head_patch(double u, double angle, const Variant& v) {
  return blob(distance(u, angle, -0.58 + v.shift, 1.35), 0.11, v);
}

// The nearest of places in a row along the axis.
double nearest(double u, double from, double to, double period) {
  return std::clamp(from + period * std::round((u - from) / period), from, to);
}
double nerve_dots(double u, double angle, const Variant& v) {
  const double at = nearest(u, -0.5 + v.shift, 0.7 + v.shift, 0.1);
  const double upper = distance(u, angle, at, 1.75), lower = distance(u, angle, at, 2.1);
  return blob(std::min(upper, lower), 0.028, v);
}
double tracheal_pits(double u, double angle, const Variant& v) {
  const double at = nearest(u, -0.4 + v.shift, 0.5 + v.shift, 0.15);
  const double far = distance(u, angle, at, 1.3);
  return between(far, 0.032 * v.size, 0.062 * v.size, 0.7 * kAxisBorder * v.softness);
}
double lateral_line(double u, double angle, const Variant& v) {
  return between(angle, 1.5 - 0.075 * v.size, 1.5 + 0.075 * v.size,
                 kAngleBorder * v.softness / 1.5) *
         between(u, -0.6 + v.shift, 0.75 + v.shift, kAxisBorder);
}
double gut_loop(double u, double angle, const Variant& v) {
  const double far = distance(u, angle, 0.3 + v.shift, 1.6);
  return between(far, 0.13 * v.size, 0.18 * v.size, kAxisBorder * v.softness);
}
double lateral_net(double u, double angle, const Variant& v) {
  const double side = 0.11 * v.size, y = angle / kAnglePerAxis;
  const double first = std::abs(std::sin(pi * (u + y) / side));
  const double second = std::abs(std::sin(pi * (u - y) / side));
  return rise(0.3 - std::min(first, second), 0.12 * v.softness) *
         between(u, -0.35 + v.shift, 0.45 + v.shift, kAxisBorder) *
         between(angle, 0.7, 2.4, kAngleBorder);
}

// One spot in about every second cell of a grid, somewhere in it.
double yolk_speckle(double u, double angle, const Variant& v) {
  constexpr double kCell = 0.1;
  const double y = angle / kAnglePerAxis;
  const double cell_u = std::floor(u / kCell), cell_y = std::floor(y / kCell);
  Rng rng(v.seed, static_cast<std::uint64_t>((cell_u + 64.0) * 128.0 + cell_y));
  if (rng.uniform() < 0.5) return 0.0;
  const double at_u = (cell_u + rng.uniform(0.3, 0.7)) * kCell;
  const double at_y = (cell_y + rng.uniform(0.3, 0.7)) * kCell;
  return rise(0.02 * v.size - std::hypot(u - at_u, y - at_y), 0.5 * kAxisBorder) *
         between(u, -0.6, 0.6, kAxisBorder);
}
double posterior_hooks(double u, double angle, const Variant& v) {
  // Teeth: slanted short bars near the tail.
  const double place = (u - 0.45 - v.shift) * 10.0 + angle * 1.6;
  const double part = place - std::floor(place);
  return between(part, 0.25, 0.25 + 0.4 * v.size, 0.06 * v.softness) *
         between(u, 0.4 + v.shift, 0.8 + v.shift, kAxisBorder) *
         between(angle, 0.5, 2.6, kAngleBorder);
}

constexpr std::array<Pattern, 15> kPatterns{{{"stripes_7", stripes_7},
                                             {"anterior_cap", anterior_cap},
                                             {"ventral_band", ventral_band},
                                             {"ring_mid", ring_mid},
                                             {"posterior_cap", posterior_cap},
                                             {"nerve_dots", nerve_dots},
                                             {"dorsal_band", dorsal_band},
                                             {"head_patch", head_patch},
                                             {"stripes_14", stripes_14},
                                             {"tracheal_pits", tracheal_pits},
                                             {"lateral_line", lateral_line},
                                             {"gut_loop", gut_loop},
                                             {"lateral_net", lateral_net},
                                             {"yolk_speckle", yolk_speckle},
                                             {"posterior_hooks", posterior_hooks}}};

}  // namespace

Variant draw_variant(Rng& rng) {
  Variant variant;
  variant.shift = rng.uniform(-0.05, 0.05);
  variant.size = rng.uniform(0.85, 1.15);
  variant.softness = rng.uniform(0.8, 1.6);
  variant.seed = rng.bits();
  return variant;
}

std::span<const Pattern> all_patterns() { return kPatterns; }

}  // namespace gingham::methods::dictionary
