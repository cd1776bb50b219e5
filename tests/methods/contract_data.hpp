// Small problems that every method must take, made to fit what it says it takes.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "gingham/base/rng.hpp"
#include "gingham/engine/registry.hpp"

namespace gingham::testing {

// Positive noise with two raised blocks: a matrix that any method can find something in.
inline Matrix planted_matrix(Index rows, Index cols, std::uint64_t seed) {
  Rng rng = Rng::named(seed, "contract");
  Matrix x(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      const bool first = i < rows / 3 && j < cols / 2;
      const bool second = i >= rows / 2 && j >= cols / 2;
      x(i, j) = 0.1 + rng.uniform() + (first ? 3.0 : 0.0) + (second ? 5.0 : 0.0);
    }
  }
  return x;
}

inline Matrix scaled(Matrix x, double factor) {
  for (double& value : x.values()) value *= factor;
  return x;
}

// One matrix as whatever the method takes: itself, two of it over time, or as two views.
inline Dataset dataset_for(const MethodInfo& info, const Matrix& x, bool sparse = false) {
  const auto block = [&](const char* name) {
    return sparse ? Block(name, SparseMatrix::from_dense(x)) : Block(name, x);
  };
  if (info.input == InputKind::series || info.input == InputKind::views)
    return Dataset({block("A"), block("B")});
  return Dataset(block("X"));
}

// What files of names can hold: nothing, too few lines, and one per item of each of these sizes,
// with one name, several, a tree, no name or the same everywhere.
inline std::vector<std::vector<std::string>> awkward_lines(const std::vector<Index>& sizes) {
  std::vector<std::vector<std::string>> all{{}, {""}, {"a"}, {"a 2", "b 1e300"}, {"a\t0"}};
  const std::vector<std::vector<std::string>> patterns{
      {"a"}, {""}, {"a", "b"}, {"a", "a,b", "", "b"}, {"a/b", "a/c/d", "a"}, {",", "/", "a,,a"}};
  for (const Index size : sizes) {
    for (const std::vector<std::string>& pattern : patterns) {
      all.emplace_back();
      for (Index i = 0; i < size; ++i) all.back().push_back(pattern[i % std::ssize(pattern)]);
    }
    all.emplace_back();
    for (Index i = 0; i < size; ++i) all.back().push_back(std::to_string(i));
  }
  return all;
}

// Matrices of many shapes: zeros, ones, and values of every size.
inline std::vector<Matrix> awkward_matrices(const std::vector<Index>& sizes) {
  std::vector<Matrix> all;
  for (const Index rows : sizes) {
    for (const Index cols : {Index{1}, Index{2}, sizes.front(), sizes.back(), Index{40}}) {
      all.emplace_back(rows, cols);
      all.push_back(planted_matrix(rows, cols, 11));
      Matrix wide = planted_matrix(rows, cols, 12);
      for (Index i = 0; i < wide.size(); ++i) wide.data()[i] *= i % 3 == 0 ? 1e150 : -1e-150;
      all.push_back(std::move(wide));
    }
  }
  all.emplace_back(1, 1);
  return all;
}

}  // namespace gingham::testing
