#include "gingham/kernels/kmeans_distances.hpp"

#include <algorithm>

#include "gingham/kernels/isa.hpp"

namespace gingham::kmeans {
namespace {

// Vectors of the compiler's: split into what the instruction set has.
using Floats = float __attribute__((vector_size(64), may_alias));
using Doubles = double __attribute__((vector_size(64), aligned(8), may_alias));
constexpr Index kDoubles = 8;

inline __attribute__((always_inline)) void load(Floats& into, const float* from) {
  into = *reinterpret_cast<const Floats*>(from);
}
inline __attribute__((always_inline)) double total(const Floats& lanes) {
  double sum = 0.0;
  for (Index l = 0; l < kLanes; ++l) sum += static_cast<double>(lanes[l]);
  return sum;
}

}  // namespace

GINGHAM_MULTIARCH
void dots(const float* const rows[kTile], const float* centers, Index stride, Index n_centers,
          double* out) {
  std::fill_n(out, kTile * n_centers, 0.0);
  for (Index from = 0; from < stride; from += kSegment) {
    const Index to = std::min(stride, from + kSegment);
    for (Index c = 0; c < n_centers; c += kTile) {
      const float* center = centers + c * stride;
      Floats sum[kTile][kTile] = {};
      for (Index j = from; j < to; j += kLanes) {
        Floats x[kTile], y;
#pragma GCC unroll 4
        for (Index r = 0; r < kTile; ++r) load(x[r], rows[r] + j);
#pragma GCC unroll 4
        for (Index s = 0; s < kTile; ++s) {
          load(y, center + s * stride + j);
#pragma GCC unroll 4
          for (Index r = 0; r < kTile; ++r) sum[r][s] += x[r] * y;
        }
      }
      for (Index r = 0; r < kTile; ++r) {
        for (Index s = 0; s < kTile; ++s) out[r * n_centers + c + s] += total(sum[r][s]);
      }
    }
  }
}

GINGHAM_MULTIARCH
void differences(const float* const rows[kTile], const float* const others[kTile], Index stride,
                 double* out) {
  std::fill_n(out, kTile * kTile, 0.0);
  for (Index from = 0; from < stride; from += kSegment) {
    const Index to = std::min(stride, from + kSegment);
    Floats sum[kTile][kTile] = {};
    for (Index j = from; j < to; j += kLanes) {
      Floats x[kTile], y;
#pragma GCC unroll 4
      for (Index r = 0; r < kTile; ++r) load(x[r], rows[r] + j);
#pragma GCC unroll 4
      for (Index s = 0; s < kTile; ++s) {
        load(y, others[s] + j);
#pragma GCC unroll 4
        for (Index r = 0; r < kTile; ++r) sum[r][s] += (x[r] - y) * (x[r] - y);
      }
    }
    for (Index r = 0; r < kTile; ++r) {
      for (Index s = 0; s < kTile; ++s) out[r * kTile + s] += total(sum[r][s]);
    }
  }
}

GINGHAM_MULTIARCH
double squared_distance(const double* x, const double* c, Index d, double scale) {
  Doubles sum[2] = {};
  Index j = 0;
  for (; j + 2 * kDoubles <= d; j += 2 * kDoubles) {
#pragma GCC unroll 2
    for (Index h = 0; h < 2; ++h) {
      const Doubles a = *reinterpret_cast<const Doubles*>(x + j + h * kDoubles);
      const Doubles b = *reinterpret_cast<const Doubles*>(c + j + h * kDoubles);
      const Doubles difference = (a - b) * scale;
      sum[h] += difference * difference;
    }
  }
  double result = 0.0;
  for (; j < d; ++j) {
    const double difference = (x[j] - c[j]) * scale;
    result += difference * difference;
  }
  for (Index l = 0; l < kDoubles; ++l) result += sum[0][l] + sum[1][l];
  return result;
}

GINGHAM_MULTIARCH
void squared_distances(const double* x, const double* transposed, Index d, Index k, double scale,
                       double* out) {
  std::fill_n(out, k, 0.0);
  for (Index t = 0; t < d; ++t) {
    const double mine = x[t];
    const double* theirs = transposed + t * k;
    for (Index j = 0; j < k; ++j) {
      const double difference = (mine - theirs[j]) * scale;
      out[j] += difference * difference;
    }
  }
}

GINGHAM_MULTIARCH
void add_shifted(const double* x, const double* shift, Index d, double sign, double* total) {
  for (Index j = 0; j < d; ++j) total[j] += sign * (x[j] - shift[j]);
}

}  // namespace gingham::kmeans
