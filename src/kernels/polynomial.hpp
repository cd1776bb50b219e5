// Polynomials of low degree in one variable: p(s) = sum_i p_i s^i, the constant first.
#pragma once
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham::polynomial {

using Coefficients = std::vector<double>;

double value(const Coefficients& p, double s);
Coefficients derivative(const Coefficients& p);
Coefficients product(const Coefficients& p, const Coefficients& q);
void add(double factor, const Coefficients& p, Coefficients& sum);  // sum += factor p

// The polynomial of lowest degree through these points; the places must differ.
Coefficients through(ConstVec places, ConstVec values);
// L_j: 1 at place j, 0 at the others.
std::vector<Coefficients> lagrange(ConstVec places);

// The roots in [low, high], rising, each once; roots closer together than rounding can tell may be
// found as one or none. Roots of the derivative cut the interval into parts where p is monotone.
std::vector<double> roots(const Coefficients& p, double low, double high);
// Where p is least in [low, high]; the lowest of equal places.
double least(const Coefficients& p, double low, double high);

}  // namespace gingham::polynomial
