// The inner loops of k-means: squared distances and dot products of one or a few points with
// centres.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham::kmeans {

inline constexpr Index kLanes = 16;  // floats in the longest vector register; rows are padded to it
inline constexpr Index kTile = 4;    // points, and centres, whose products are taken together
inline constexpr Index kSegment = 2048;  // values summed in single precision before going to double

// |dots() - exact| <= kDotError * ||x|| * ||c||: each lane adds kSegment / kLanes products, in
// double after.
inline constexpr double kDotError = (static_cast<double>(kSegment / kLanes) + 3) * 0x1.0p-24;

// out[r * n_centers + c] = rows[r] . centers[c], r < kTile. n_centers is a multiple of kTile,
// stride (the length of a row) one of kLanes; everything aligned to 64 bytes.
void dots(const float* const rows[kTile], const float* centers, Index stride, Index n_centers,
          double* out);

// out[r * kTile + c] = ||rows[r] - others[c]||^2 from single-precision differences; exactly 0 where
// they are equal.
void differences(const float* const rows[kTile], const float* const others[kTile], Index stride,
                 double* out);

// ||(x - c) * scale||^2
double squared_distance(const double* x, const double* c, Index d, double scale);

// out[j] = ||(x - c_j) * scale||^2 for few dimensions: transposed[t * k + j] is value t of centre
// j.
void squared_distances(const double* x, const double* transposed, Index d, Index k, double scale,
                       double* out);

// total[t] += sign * (x[t] - shift[t])
void add_shifted(const double* x, const double* shift, Index d, double sign, double* total);

}  // namespace gingham::kmeans
