// Pictures.
//
//   X = W H + noise,      |W H|^2 / |noise|^2 = snr
//
// A column of W is a picture of side x side pixels, row by row, 0 or 1. Entries of H are uniform on
// [0, 1); the columns of group i have 0 for picture i. The noise is normal and makes entries
// negative: it is scaled to the ratio that was asked for, and does not change what is planted.
#include "gingham/methods/groupnmf/simulate.hpp"

#include <array>
#include <cmath>

namespace gingham::methods::groupnmf {
namespace {

// Whether a pixel is set; x to the right and y downwards, both between -1 and 1.
using Picture = bool (*)(double x, double y);

bool ring(double x, double y) {
  const double r = std::hypot(x, y);
  return r > 0.5 && r < 0.85;
}
bool cross(double x, double y) {
  return std::abs(std::abs(x) - std::abs(y)) < 0.15 && std::abs(x) < 0.9;
}
bool bars(double x, double y) { return std::abs(y) < 0.8 && std::abs(std::abs(x) - 0.7) < 0.15; }
bool triangle(double x, double y) { return y > -0.7 && y < 0.6 && std::abs(x) < 0.5 * (y + 0.7); }
bool corners(double x, double y) { return std::abs(x) > 0.55 && std::abs(y) > 0.55; }
bool beam(double x, double y) { return std::abs(y - 0.2) < 0.2 && std::abs(x) < 0.95; }
bool diamond(double x, double y) {
  const double r = std::abs(x) + std::abs(y);
  return r > 0.6 && r < 0.9;
}
bool wave(double x, double y) { return std::abs(y - 0.5 * std::sin(4.0 * x)) < 0.2; }

constexpr std::array<Picture, 8> kPictures{ring,    cross, bars,    triangle,
                                           corners, beam,  diamond, wave};

Matrix draw_pictures(Index side, Index count) {
  Matrix w(side * side, count);
  const auto middle = [&](Index at) {
    return (2.0 * static_cast<double>(at) + 1.0) / static_cast<double>(side) - 1.0;
  };
  for (Index y = 0; y < side; ++y) {
    for (Index x = 0; x < side; ++x) {
      for (Index k = 0; k < count; ++k)
        w(y * side + x, k) = kPictures[k](middle(x), middle(y)) ? 1.0 : 0.0;
    }
  }
  return w;
}

Matrix draw_coefficients(Index groups, Index columns, Rng& rng) {
  Matrix h(groups, groups * columns);
  for (Index k = 0; k < groups; ++k) {
    for (Index j = 0; j < h.cols(); ++j) h(k, j) = j / columns == k ? 0.0 : rng.uniform();
  }
  return h;
}

Matrix multiply(const Matrix& w, const Matrix& h) {
  Matrix x(w.rows(), h.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index k = 0; k < w.cols(); ++k) {
      for (Index j = 0; j < x.cols(); ++j) x(i, j) += w(i, k) * h(k, j);
    }
  }
  return x;
}

double squares(const Matrix& x) {
  double sum = 0.0;
  for (const double value : x.values()) sum += value * value;
  return sum;
}

void add_noise(Matrix& x, double snr, Rng& rng) {
  Matrix noise(x.rows(), x.cols());
  for (double& value : noise.values()) value = rng.normal();
  const double scale = std::sqrt(squares(x) / (squares(noise) * snr));
  for (Index at = 0; at < x.size(); ++at) x.data()[at] += scale * noise.data()[at];
}

// Columns x components: how much of a column comes from each, the pictures brought to length 1.
Matrix shares(const Matrix& w, const Matrix& h) {
  Matrix found(h.cols(), h.rows());
  for (Index k = 0; k < h.rows(); ++k) {
    double length = 0.0;
    for (Index i = 0; i < w.rows(); ++i) length += w(i, k) * w(i, k);
    for (Index j = 0; j < h.cols(); ++j) found(j, k) = h(k, j) * std::sqrt(length);
  }
  return found;
}

Simulation make(const Options& options, Rng rng) {
  const Index groups = options.integer("groups"), columns = options.integer("columns");
  Matrix w = draw_pictures(options.integer("side"), groups);
  Matrix h = draw_coefficients(groups, columns, rng);
  Matrix x = multiply(w, h);
  add_noise(x, options.real("snr"), rng);
  Matrix used(groups, groups);
  NamedLines names{"groups", {}};
  for (Index k = 0; k < groups; ++k) {
    for (Index b = 0; b < groups; ++b) used(k, b) = b == k ? 0.0 : 1.0;
  }
  for (Index j = 0; j < groups * columns; ++j)
    names.lines.push_back("group_" + std::to_string(j / columns));
  Simulation simulation;
  simulation.blocks.emplace_back("data", std::move(x));
  simulation.lines = {std::move(names)};
  simulation.memberships = {membership_of("rows", std::nullopt, w),
                            membership_of("columns", std::nullopt, shares(w, h))};
  simulation.truth = {{"W", std::move(w)}, {"H", std::move(h)}, {"used", std::move(used)}};
  return simulation;
}

}  // namespace

Simulator picture_simulator() {
  return {.name = "groupnmf",
          .title = "Pictures added up with noise; each group of columns lacks one of them",
          .options = {integer_option("side", "32", 8, 4096, "Pixels along a side of a picture."),
                      integer_option("groups", "5", 2, static_cast<double>(kPictures.size()),
                                     "Pictures, and as many groups of columns."),
                      integer_option("columns", "30", 1, 1e6, "Columns of each group."),
                      real_option("snr", "0.3", 1e-12, 1e100,
                                  "Sum of squares of the signal over that of the noise.")},
          .make = make};
}

}  // namespace gingham::methods::groupnmf
