// The innermost loops of sparse coding, over padded rows: vectors of atoms.stride() values, with
// zeros at the end.
#pragma once
#include <vector>

#include "gingham/kernels/atoms.hpp"

namespace gingham::lasso {

double dot(const double* x, const double* y, Index stride);
double distance(const double* x, const double* y, Index stride);  // |x - y|
double largest_size(const double* values, Index n);               // max |values_j|
// y -= sum_i factors_i d_j over the listed atoms j.
void subtract(const Atoms<double>& atoms, const Index* list, const double* factors, Index n,
              double* y);

// out_i = d_j'x for the listed atoms j.
void listed_dots(const Atoms<double>& atoms, const Index* list, Index n, const double* x,
                 double* out);

// The j with |values_j| + factor * slopes_j > threshold.
void list_above(const double* values, const std::vector<double>& slopes, double factor,
                double threshold, std::vector<Index>& list);

// One pass of coordinate descent over the listed atoms; values[i] belongs to list[i], residual is
// kept up to date. Atoms with a value of 0 come in while there is room for them.
void descend(const Atoms<double>& atoms, const Index* list, Index n, double lambda, Index room,
             double* values, double* residual);

}  // namespace gingham::lasso
