// Sparse codes by a few passes of coordinate descent, many samples at a time:
//
//   minimise  f(z) = 1/2 |x - D z|^2 + lambda |z|_1      z_j <- soft(d_j^T r + |d_j|^2 z_j, lambda)
//   / |d_j|^2
//
// A pass never raises f, but by rounding. The bits of a sample's code depend on that sample, the
// code it begins from and the atoms alone.
#pragma once
#include <utility>
#include <vector>

#include "gingham/kernels/atoms.hpp"

namespace gingham {

template <class T>
struct CodingRules {
  T lambda = 0;
  Index steps = 3;  // passes; the first one finds the support
  // Which atoms outside of the present support the first pass looks at: those whose correlation
  // with the residual is above lambda and above this share of the largest, the strongest first, at
  // most so many.
  T share = static_cast<T>(0.45);
  Index most = 64;
};

// One code: atoms and their values, neither sorted nor zero.
template <class T>
struct CodeView {
  const std::int32_t* atoms = nullptr;
  const T* values = nullptr;
  Index size = 0;
};

// Codes of several samples, one after the other.
template <class T>
struct CodeList {
  std::vector<std::int32_t> atoms;
  std::vector<T> values;
  std::vector<Index> ends;  // of each code in the two lists

  Index count() const { return static_cast<Index>(ends.size()); }
  CodeView<T> code(Index i) const {
    const Index begin = i == 0 ? 0 : ends[i - 1];
    return {atoms.data() + begin, values.data() + begin, ends[i] - begin};
  }
  void add(const CodeView<T>& code) {
    atoms.insert(atoms.end(), code.atoms, code.atoms + code.size);
    values.insert(values.end(), code.values, code.values + code.size);
    ends.push_back(static_cast<Index>(atoms.size()));
  }
  void reserve(Index n_codes, Index n_entries) {
    atoms.reserve(static_cast<std::size_t>(n_entries));
    values.reserve(static_cast<std::size_t>(n_entries));
    ends.reserve(static_cast<std::size_t>(n_codes));
  }
  // Without the entries of atoms whose mark is not 0.
  void remove(const std::vector<char>& marks);
  // Whether the parts belong together and name atoms below n_atoms: not so in a damaged file.
  bool fits(Index n_atoms) const;
  template <class Archive>
  void state(Archive& ar) {
    ar("atoms", atoms)("values", values)("ends", ends);
  }
};

// Sums over samples: of 1/2 |x - D z|^2 and |z|_1 of the codes found, and of the duality gap of
// those begun from.
struct CodingSums {
  double loss = 0.0, size = 0.0, gap = 0.0;

  CodingSums& operator+=(const CodingSums& other) {
    loss += other.loss;
    size += other.size;
    gap += other.gap;
    return *this;
  }
};

// s maximises the dual of f along r = x - D z within |s d_j^T r| <= lambda; the duality gap is
// f(z) - (s x^T r - 1/2 s^2 |r|^2).
double duality_gap(double x_dot_r, double squares_of_r, double largest_correlation, double lambda,
                   double size_of_z);

// Codes tiles of samples; memory of its own, one per thread.
template <class T>
class TileCoder {
 public:
  static constexpr Index kTile = 32;  // samples whose correlations with 1000 atoms stay in L2

  TileCoder(const Atoms<T>& atoms, const CodingRules<T>& rules);

  // `rows` are n <= kTile samples, atoms.stride() values apart with zeros behind the samples; they
  // become the residuals x - D z. begin[i] is what code i begins from. Appends n codes.
  CodingSums code(T* rows, Index n, const CodeView<T>* begin, CodeList<T>& codes);

 private:
  const Atoms<T>& atoms_;
  CodingRules<T> rules_;
  std::vector<T> products_, blocks_;
  std::vector<std::int32_t> atom_;  // lists of the samples in work, capacity_ entries each
  std::vector<T> value_;
  std::vector<std::pair<T, std::int32_t>> sorted_;
  Index capacity_ = 0;
};

// Coordinate descent to the letter, one sample after the other: the first pass goes through all
// atoms in order, with the residual as it is when an atom's turn comes.
template <class T>
class SampleCoder {
 public:
  explicit SampleCoder(Index n_atoms) : code_(static_cast<std::size_t>(n_atoms)) {}
  // `row` as above becomes the residual. The code found replaces `support` and `values`. Returns f
  // of the code begun from. Needs the atoms' squares, not their packed form.
  double code(const Atoms<T>& atoms, const CodingRules<T>& rules, T* row, const CodeView<T>& begin,
              std::vector<std::int32_t>& support, std::vector<T>& values);

 private:
  std::vector<T> code_;  // dense, zero between calls
};

}  // namespace gingham
