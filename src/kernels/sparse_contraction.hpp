// Single-threaded pieces of the sparse contractions: items begin ... end-1 of the grouping mode,
// whose entries these pointers say: those of the array, or of parts of its items.
#pragma once
#include "gingham/data/sparse_tensor.hpp"

namespace gingham::sparse {

// The modes other than the grouping one: where their indices are and what they index.
struct OtherMode {
  const std::int32_t* index = nullptr;
  const double* values = nullptr;  // a vector, or a factor whose rows lie `stride` values apart
  Index stride = 1;
};

// y_i = sum over the entries of item i of value times the product of the vectors.
void contract_items(const SparseTensor::Grouped& x, const Index* pointers, Index begin, Index end,
                    std::span<const OtherMode> others, double* y);

// Row i of Y (k values per row) = the same with rows of factors, padded to a multiple of
// kFactorUnit.
inline constexpr Index kFactorUnit = 8;
void mttkrp_items(const SparseTensor::Grouped& x, const Index* pointers, Index begin, Index end,
                  std::span<const OtherMode> others, Index k, double* y);

}  // namespace gingham::sparse
