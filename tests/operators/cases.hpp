// Matrices and arrays in every storage, cell by cell, with factors: what operators are held
// against.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gingham/operators/factor_view.hpp"
#include "gingham/operators/observed.hpp"
#include "support/arrays.hpp"

namespace gingham::test {

using Real = long double;
using Place = std::vector<Index>;

enum class Store { dense, sparse_zero, sparse_missing, dense_with_gaps, mostly_missing };
inline constexpr Store kStores[] = {Store::dense, Store::sparse_zero, Store::sparse_missing,
                                    Store::dense_with_gaps, Store::mostly_missing};

struct Case {
  Shape shape;
  std::vector<double> cells;  // in order, NaN: missing
  Store store;
  std::vector<Matrix> factors;
  std::vector<double> weights;
  Block block{"X", Matrix(1, 1)};
  std::string what;

  FactorView model() const { return {factors, weights}; }
  Index rank() const { return factors[0].cols(); }

  void for_each(FunctionRef<void(const Place&, double)> visit) const {
    Place at(shape.size(), 0);
    for (const double x : cells) {
      visit(at, x);
      for (std::size_t n = at.size(); n-- > 0;) {
        if (++at[n] < shape[n]) break;
        at[n] = 0;
      }
    }
  }
  template <class Visit>
  void for_observed(const Visit& visit) const {
    for_each([&](const Place& at, double x) {
      if (!std::isnan(x)) visit(at, x);
    });
  }
  bool is_listed(double x) const { return store == Store::sparse_zero ? x != 0.0 : true; }
  Real z(const Place& at, Index k, Index except = -1) const {
    Real product = 1;
    for (std::size_t n = 0; n < at.size(); ++n) {
      if (static_cast<Index>(n) != except) product *= factors[n](at[n], k);
    }
    return product;
  }
  Real model_at(const Place& at) const {
    Real sum = 0;
    for (Index k = 0; k < rank(); ++k) sum += static_cast<Real>(weights[k]) * z(at, k);
    return sum;
  }
  Real loss() const {
    Real sum = 0;
    for_observed([&](const Place& at, double x) {
      const Real left = x - model_at(at);
      sum += left * left;
    });
    return sum;
  }
  // The block from the cells: sparse ones list zeros where these are not what unlisted means, and
  // some missing cells.
  void make_block() {
    const bool is_matrix = shape.size() == 2;
    if (store != Store::sparse_zero && store != Store::sparse_missing) {
      if (is_matrix) {
        Matrix x(shape[0], shape[1]);
        std::copy(cells.begin(), cells.end(), x.data());
        block = Block("X", std::move(x));
      } else {
        Tensor x(shape);
        std::copy(cells.begin(), cells.end(), x.data());
        block = Block("X", std::move(x));
      }
      return;
    }
    std::vector<std::vector<std::int32_t>> at_mode(shape.size());
    std::vector<double> values;
    Index n = 0;
    for_each([&](const Place& at, double x) {
      ++n;
      if (store == Store::sparse_zero && x == 0.0) return;
      if (store == Store::sparse_missing && std::isnan(x) && n % 5 != 0) return;
      for (std::size_t m = 0; m < at.size(); ++m)
        at_mode[m].push_back(static_cast<std::int32_t>(at[m]));
      values.push_back(x);
    });
    const Unlisted unlisted = store == Store::sparse_zero ? Unlisted::zero : Unlisted::missing;
    if (is_matrix) {
      block = Block(
          "X",
          SparseMatrix::from_triplets(shape[0], shape[1], to_array(at_mode[0]),
                                      to_array(at_mode[1]), to_array(values), Duplicates::error),
          {}, unlisted);
      return;
    }
    std::vector<Array<std::int32_t>> coordinates;
    for (const auto& one : at_mode) coordinates.push_back(to_array(one));
    block = Block("X",
                  SparseTensor::from_coordinates(shape, std::move(coordinates), to_array(values),
                                                 Duplicates::error),
                  {}, unlisted);
  }
};

// share: of the cells that are missing.
inline Case make_case(const Shape& shape, Store store, Index rank, double share, Rng& rng) {
  Case made{.shape = shape, .cells = {}, .store = store, .factors = {}, .weights = {}, .what = {}};
  Index n = 1;
  for (const Index size : shape) {
    n *= size;
    made.what += std::to_string(size) + " ";
    Matrix a(size, rank);
    for (double& x : a.values()) x = rng.uniform() < 0.3 ? 0.0 : rng.normal();
    made.factors.push_back(std::move(a));
  }
  made.what += "store " + std::to_string(static_cast<int>(store)) + " K " + std::to_string(rank);
  for (Index k = 0; k < rank; ++k) made.weights.push_back(rng.uniform());
  for (Index e = 0; e < n; ++e) {
    const double u = rng.uniform();
    made.cells.push_back(u < share ? std::nan("") : u < 0.5 * (1.0 + share) ? 0.0 : rng.normal());
  }
  made.make_block();
  return made;
}

inline std::vector<Case> all_cases() {
  std::vector<Case> all;
  Rng rng = Rng::named(1, "operators");
  const Shape shapes[] = {{7, 9}, {1, 8}, {40, 70}, {1, 1}, {6, 5, 4}, {5, 1, 37}, {3, 4, 2, 5}};
  for (const Shape& shape : shapes) {
    for (const Store store : kStores) {
      for (const Index rank : {1, 3, 9}) {
        const double share = store == Store::dense            ? 0.0
                             : store == Store::mostly_missing ? 0.8
                             : store == Store::sparse_missing ? 0.5
                                                              : 0.2;
        all.push_back(make_case(shape, store, rank, share, rng));
      }
    }
    // Nothing observed at all, and of a sparse block nothing missing.
    all.push_back(make_case(shape, Store::dense_with_gaps, 2, 1.0, rng));
    all.push_back(make_case(shape, Store::sparse_missing, 2, 1.0, rng));
    all.push_back(make_case(shape, Store::sparse_zero, 2, 0.0, rng));
  }
  return all;
}

}  // namespace gingham::test
