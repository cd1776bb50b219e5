// Every number of a dictionary and its codes from the data, by plain loops that share no code with
// the learners.
#include "gingham/methods/sparse_coding/recompute.hpp"

#include <algorithm>
#include <cmath>

namespace gingham::methods::sparse_coding {
namespace {

using Real = long double;

const SparseMatrix& find_codes(const Model& model, Index n, Index m) {
  for (const NamedArray& array : model.arrays) {
    const SparseMatrix* found = std::get_if<SparseMatrix>(&array.values);
    if (array.name == "codes" && found != nullptr && found->rows() == n && found->cols() == m)
      return *found;
  }
  throw Error(ErrorCode::input, "codes", "is missing or does not fit the data");
}

double lambda_of(const Options& options, const Model& model, Index p) {
  const PenaltyValue& asked = options.penalty("lambda");
  if (asked.is("auto")) return 1.2 / std::sqrt(static_cast<double>(p));
  if (asked.kind == PenaltyValue::Kind::number) return asked.number;
  for (const UsedValues& used : model.used) {
    if (used.option == "lambda" && !used.values.empty()) return used.values[0];
  }
  throw Error(ErrorCode::input, "lambda", "the value that was used is missing");
}

// Zero mean, unit norm; false for a constant sample.
bool normalize(std::vector<double>& x) {
  double most = 0.0;
  for (const double value : x) most = std::max(most, std::abs(value));
  if (!(most > 0.0)) return false;
  Real mean = 0, squares = 0;
  for (double& value : x) mean += value /= most;
  mean /= static_cast<Real>(x.size());
  for (const double value : x) squares += (value - mean) * (value - mean);
  if (!(squares > 1e-24L * static_cast<Real>(x.size()))) return false;
  for (double& value : x) value = static_cast<double>((value - mean) / std::sqrt(squares));
  return true;
}

class Sums {
 public:
  Sums(const Matrix& dictionary, const SparseMatrix& codes, double lambda)
      : d_(dictionary),
        codes_(codes),
        lambda_(lambda),
        gradient_(dictionary.cols(), dictionary.rows()),
        h_(static_cast<std::size_t>(dictionary.cols()), 0),
        r_(static_cast<std::size_t>(dictionary.rows())),
        lost_(h_.size(), 0) {
    for (Index t = 0; t < d_.rows(); ++t) {
      for (Index j = 0; j < d_.cols(); ++j) atoms_.push_back(0.0);
    }
    for (Index j = 0; j < d_.cols(); ++j) {
      for (Index t = 0; t < d_.rows(); ++t) atoms_[j * d_.rows() + t] = d_(t, j);
    }
  }

  void add(Index i, const std::vector<double>& x) {
    ++n;
    const Index p = d_.rows();
    r_ = x;
    Real size = 0, inner = 0, squares = 0, most = 0, of_x = 0;
    for (Index k = codes_.pointers()[i]; k < codes_.pointers()[i + 1]; ++k) {
      const double z = codes_.values()[k];
      size += std::abs(z);
      for (Index t = 0; t < p; ++t) r_[t] -= z * atoms_[codes_.columns()[k] * p + t];
    }
    for (Index t = 0; t < p; ++t) {
      squares += static_cast<Real>(r_[t]) * r_[t];
      inner += static_cast<Real>(x[t]) * r_[t];
      of_x += static_cast<Real>(x[t]) * x[t];
    }
    for (Index j = 0; j < d_.cols(); ++j) {
      double product = 0.0;
      for (Index t = 0; t < p; ++t) product += atoms_[j * p + t] * r_[t];
      most = std::max<Real>(most, std::abs(product));
    }
    Real dual = 0;
    if (squares > 0) {
      Real s = inner / squares;
      if (most > 0) s = std::clamp<Real>(s, -lambda_ / most, lambda_ / most);
      dual = s * inner - s * s * squares / 2;
    }
    loss += squares / 2;
    sizes += size;
    half_squares += of_x / 2;
    gap += squares / 2 + lambda_ * size - dual;
    for (Index k = codes_.pointers()[i]; k < codes_.pointers()[i + 1]; ++k) {
      const Index j = codes_.columns()[k];
      const double z = codes_.values()[k];
      h_[j] += static_cast<Real>(z) * z;
      for (Index t = 0; t < p; ++t) {
        const Real without = r_[t] + static_cast<Real>(z) * atoms_[j * p + t];
        lost_[j] += without * without - static_cast<Real>(r_[t]) * r_[t];
      }
      for (Index t = 0; t < p; ++t) gradient_(j, t) += z * r_[t];
    }
  }

  // sum_j h_j |best_j - d_j|^2
  Real dictionary_gap() const {
    Real total = 0;
    const Index p = d_.rows();
    for (Index j = 0; j < d_.cols(); ++j) {
      if (!(h_[j] > 0)) continue;
      std::vector<Real> best(static_cast<std::size_t>(p));
      Real length = 0, distance = 0;
      for (Index t = 0; t < p; ++t) {
        best[t] = atoms_[j * p + t] + gradient_(j, t) / h_[j];
        length += best[t] * best[t];
      }
      const Real factor = length > 1 ? 1 / std::sqrt(length) : 1;
      for (Index t = 0; t < p; ++t) distance += std::pow(factor * best[t] - atoms_[j * p + t], 2);
      total += h_[j] * distance;
    }
    return total;
  }

  Real squared_codes(Index j) const { return h_[j]; }
  Real lost_without(Index j) const { return lost_[j]; }  // of the sum of |r|^2

  Index n = 0;
  Real loss = 0, sizes = 0, gap = 0, half_squares = 0;

 private:
  const Matrix& d_;
  const SparseMatrix& codes_;
  double lambda_;
  std::vector<double> atoms_;  // one after the other
  Matrix gradient_;
  std::vector<Real> h_;
  std::vector<double> r_;
  std::vector<Real> lost_;
};

// Sample after sample, normalised as the options say; dropped ones are left out.
template <class Visit>
void for_each_sample(const Block& block, const Options& options, Visit visit) {
  const bool are_columns = options.text("samples") == "columns";
  const bool is_normalized = options.text("normalize") == "yes";
  const auto look = [&](Index i, std::vector<double> x) {
    if (!is_normalized || normalize(x)) visit(i, x);
  };
  if (!are_columns) {
    for_each_row(block, [&](Index i, ConstVec row) { look(i, {row.begin(), row.end()}); });
    return;
  }
  const Index p = block.shape()[0], n = block.shape()[1];
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(n),
                                           std::vector<double>(static_cast<std::size_t>(p)));
  for_each_row(block, [&](Index t, ConstVec row) {
    for (Index i = 0; i < n; ++i) columns[i][t] = row[i];
  });
  for (Index i = 0; i < n; ++i) look(i, columns[i]);
}

Membership strongest_atoms(const std::string& mode, const SparseMatrix& codes) {
  std::vector<Member> members;
  for (Index i = 0; i < codes.rows(); ++i) {
    Member best{-1, i, 0.0};
    for (Index k = codes.pointers()[i]; k < codes.pointers()[i + 1]; ++k) {
      if (std::abs(codes.values()[k]) > std::abs(best.value))
        best = {codes.columns()[k], i, codes.values()[k]};
    }
    if (best.component >= 0) members.push_back(best);
  }
  std::stable_sort(members.begin(), members.end(),
                   [](const Member& a, const Member& b) { return a.component < b.component; });
  return {mode, std::nullopt, codes.rows(), std::move(members)};
}

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  const Block& block = data.block(0);
  const bool are_columns = options.text("samples") == "columns";
  const Index n = block.shape()[are_columns ? 1 : 0], p = block.shape()[are_columns ? 0 : 1];
  const Index m = options.integer("atoms");
  const Matrix& dictionary = find_matrix(model, "dictionary", p, m);
  const SparseMatrix& codes = find_codes(model, n, m);
  const double lambda = lambda_of(options, model, p);
  Sums sums(dictionary, codes, lambda);
  for_each_sample(block, options, [&](Index i, const std::vector<double>& x) { sums.add(i, x); });
  const Real count = static_cast<Real>(std::max<Index>(sums.n, 1));
  Recomputed result;
  result.terms.loss = static_cast<double>(sums.loss / count);
  result.terms.penalties = {{"sparsity", static_cast<double>(lambda * sums.sizes / count)}};
  const bool has_squares = sums.half_squares > 0;
  result.terms.gaps = {
      {"codes",
       has_squares ? static_cast<double>(std::max<Real>(sums.gap, 0) / sums.half_squares) : 0.0},
      {"dictionary",
       has_squares ? static_cast<double>(std::sqrt(sums.dictionary_gap() / (2 * sums.half_squares)))
                   : 0.0}};
  std::vector<Real> size(static_cast<std::size_t>(m), 0);
  RecomputedArray usage{"usage", std::vector<double>(static_cast<std::size_t>(m), 0.0)};
  RecomputedArray curvature{"curvature", {}};
  for (Index k = 0; k < codes.entries(); ++k) {
    size[codes.columns()[k]] += std::abs(codes.values()[k]);
    usage.values[codes.columns()[k]] += 1.0;
  }
  for (Index j = 0; j < m; ++j) {
    const Real explained = has_squares ? sums.lost_without(j) / (2 * sums.half_squares) : 0;
    result.components.push_back(
        {static_cast<double>(size[j] / count), static_cast<double>(explained)});
    curvature.values.push_back(static_cast<double>(sums.squared_codes(j)));
  }
  result.arrays = {std::move(usage), std::move(curvature)};
  if (has_squares) result.explained = static_cast<double>(1 - sums.loss / sums.half_squares);
  result.memberships = {strongest_atoms(are_columns ? "columns" : "rows", codes)};
  result.measures = {
      {"samples", static_cast<double>(sums.n)},
      {"nonzeros_per_sample", static_cast<double>(codes.entries()) / static_cast<double>(count)}};
  if (options.penalty("lambda").kind != PenaltyValue::Kind::percent)
    result.used = {{"lambda", {lambda}}};
  result.squares = static_cast<double>(2 * sums.half_squares / count);
  result.ends = {result.terms.objective()};  // its last pass ends beside it
  return result;
}

}  // namespace gingham::methods::sparse_coding
