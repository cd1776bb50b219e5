// Sums over one vector: lanes added up in a fixed order, so the same vectors give the same bits on
// every call. Sizes must agree where two vectors are named; Error{internal} otherwise.
#pragma once
#include "gingham/base/index.hpp"

namespace gingham {

double dot(ConstVec x, ConstVec y);  // sum of x_i y_i
double sum(ConstVec x);              // sum of x_i
double sum_abs(ConstVec x);          // sum of |x_i|
double max_abs(ConstVec x);          // largest |x_i|, 0 for an empty vector; NaN if there is one
double squared_distance(ConstVec x, ConstVec y);  // sum of (x_i - y_i)^2, may overflow or underflow
bool is_zero(ConstVec x);                         // every x_i is 0
double sum_squares(ConstVec x);                   // sum of x_i^2, may overflow or underflow

// Euclidean norm. Entries are scaled by a power of two where the plain sum of squares would
// overflow or lose digits to underflow, so the result is right whenever it can be represented. NaN
// if there is one.
double norm2(ConstVec x);

void axpy(double factor, ConstVec x, Vec y);  // y += factor x
void scale(double factor, Vec x);             // x *= factor

}  // namespace gingham
