#include "gingham/kernels/lasso.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "gingham/kernels/lasso_working_set.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

using lasso::WorkingSet;

constexpr double kSlack = 1.0 + 1e-12;  // for bounds that must hold in spite of rounding
constexpr Index kNewAtoms = 64;         // that come in at once
constexpr double kNearLargest = 0.6;    // of the largest correlation: what comes in at first
constexpr Index kDescents = 2,
                kMostDescents = 5;  // passes over the support before its system is solved
constexpr Index kFew = 2;           // one in so many atoms is cheaper by itself
constexpr Index kInner = 30;        // times that the working set is solved between two looks
constexpr Index kLooks = 30;        // looks at other atoms between two products with all
// Gaps over the working set alone, as shares of the gap that is asked for and of that over all
// atoms.
constexpr double kInnerShare = 0.1, kEarlyShare = 0.1;

// One sample, in units in which its length lies between 1/2 and 1.
struct Problem {
  LassoCode* code = nullptr;
  double lambda = 0.0;
  double allowed = 0.0;  // gap
  int exponent = 0;
  Index row = 0;  // of the tile's samples
};

struct Candidate {
  double size;  // |d_j'r|
  Index atom;
};

}  // namespace

struct LassoTile::Impl {
  Impl(const Atoms<double>& all, const LassoSettings& chosen)
      : atoms(all),
        settings(chosen),
        set(all),
        samples(checked_mul(kRows, all.stride(), "samples")),
        residuals(checked_mul(kRows, all.stride(), "residuals")),
        products(checked_mul(kRows, all.width(), "products")),
        lengths(static_cast<std::size_t>(all.count())) {
    for (Index j = 0; j < all.count(); ++j) lengths[j] = kSlack * std::sqrt(all.square(j));
  }

  void solve_tile(const double* from, Index stride, Index rows, LassoCode* codes);
  void load(const double* from, Index row, LassoCode& code);
  bool work(Problem& problem, Index place, Index round);
  void take_candidates();
  void solve_set(double target);
  bool look_around(Index place, double& bound);
  double gap(double bound) const;
  void keep(Problem& problem, Index place);
  void finish(Problem& problem, double gap);

  const Atoms<double>& atoms;
  LassoSettings settings;
  WorkingSet set;
  Array<double> samples, residuals, products;
  std::vector<double> lengths;  // of the atoms, or a little more
  std::vector<Problem> problems;
  std::vector<Candidate> candidates;
  std::vector<Index> listed;
  std::vector<double> dots;
  double lambda = 0.0;        // of the problem at hand
  double bound_of_set = 0.0;  // its largest correlation in the working set, or lambda
};

// Zero samples are done at once.
void LassoTile::Impl::load(const double* from, Index row, LassoCode& code) {
  const auto p = static_cast<std::size_t>(atoms.length());
  const double length = norm2({from, p});
  if (!std::isfinite(length))
    throw Error(ErrorCode::internal, "", "a sample has a value that is not finite");
  Problem problem{.code = &code, .row = row};
  if (length == 0.0) {
    code = {.converged = true};
    return;
  }
  std::frexp(length, &problem.exponent);
  double* x = samples.data() + row * atoms.stride();
  double* r = residuals.data() + std::ssize(problems) * atoms.stride();
  const int half = -problem.exponent / 2;  // the whole might be no double
  const double first = std::ldexp(1.0, half), second = std::ldexp(1.0, -problem.exponent - half);
  for (std::size_t i = 0; i < p; ++i) x[i] = from[i] * first * second;
  std::copy_n(x, atoms.stride(), r);
  problem.lambda = std::ldexp(settings.lambda, -problem.exponent);
  problem.allowed = settings.tolerance * 0.5 * lasso::dot(x, x, atoms.stride());
  if (code.atoms.size() != code.values.size())
    throw Error(ErrorCode::internal, "", "a code needs a value for every atom");
  if (std::adjacent_find(code.atoms.begin(), code.atoms.end(), std::greater_equal<>()) !=
      code.atoms.end())
    throw Error(ErrorCode::internal, "", "the atoms of a code must ascend");
  if (std::ssize(code.atoms) > lasso::support_limit(atoms.count(), atoms.length())) {
    code.atoms.clear();
    code.values.clear();
  }
  for (std::size_t i = 0; i < code.atoms.size(); ++i) {
    if (code.atoms[i] < 0 || code.atoms[i] >= atoms.count())
      throw Error(ErrorCode::internal, "", "a code names an atom that is not there");
    code.values[i] = std::ldexp(code.values[i], -problem.exponent);
    const Index atom = code.atoms[i];
    lasso::subtract(atoms, &atom, &code.values[i], 1, r);
  }
  problems.push_back(problem);
}

double LassoTile::Impl::gap(double bound) const {
  const double* r = set.residual();
  const double rr = lasso::dot(r, r, atoms.stride());
  const double xr = lasso::dot(set.sample(), r, atoms.stride());
  const double limit = bound > 0.0 ? lambda / bound : std::numeric_limits<double>::infinity();
  const double s = rr > 0.0 ? std::clamp(xr / rr, -limit, limit) : 0.0;
  return std::max(0.0, 0.5 * rr + lambda * set.l1() - s * xr + 0.5 * s * s * rr);
}

// The largest of the candidates come into the working set.
void LassoTile::Impl::take_candidates() {
  const auto before = [](const Candidate& a, const Candidate& b) {
    return a.size > b.size || (a.size == b.size && a.atom < b.atom);
  };
  if (std::ssize(candidates) > kNewAtoms) {
    std::nth_element(candidates.begin(), candidates.begin() + kNewAtoms, candidates.end(), before);
    candidates.resize(kNewAtoms);
  }
  std::sort(candidates.begin(), candidates.end(), before);
  for (const Candidate& one : candidates) {
    if (!set.add(one.atom, 0.0, one.size)) return;
  }
}

// The optimum over the atoms of the working set.
void LassoTile::Impl::solve_set(double target) {
  for (Index i = 0; i < kInner; ++i) {
    set.admit();
    set.descend_support(kDescents, kMostDescents);
    set.solve_signs();
    bound_of_set = std::max(set.largest_correlation(), lambda);
    if (gap(bound_of_set) <= target) return;
  }
}

// Looks at all atoms outside of the working set whose correlation may have reached lambda:
// |d_j'r| <= |d_j'r0| + |d_j| |r - r0|. `bound` becomes an upper bound on all correlations, or at
// least lambda. False where there are so many that a product with all atoms is cheaper.
bool LassoTile::Impl::look_around(Index place, double& bound) {
  const double* before = products.data() + place * atoms.width();
  const double moved =
      kSlack *
      lasso::distance(set.residual(), residuals.data() + place * atoms.stride(), atoms.stride());
  lasso::list_above(before, lengths, moved, lambda / kSlack, listed);
  std::erase_if(listed, [&](Index j) { return set.has(j); });
  const Index n = std::ssize(listed);
  if (n > atoms.count() / kFew) return false;
  dots.resize(static_cast<std::size_t>(n));
  lasso::listed_dots(atoms, listed.data(), n, set.residual(), dots.data());
  candidates.clear();
  bound = bound_of_set;
  for (Index i = 0; i < n; ++i) {
    const double size = std::fabs(dots[i]);
    bound = std::max(bound, size);
    if (size > lambda) candidates.push_back({size, listed[i]});
  }
  return true;
}

void LassoTile::Impl::keep(Problem& problem, Index place) {
  LassoCode& code = *problem.code;
  code.atoms.clear();
  code.values.clear();
  for (std::size_t i = 0; i < set.atoms().size(); ++i) {
    if (set.values()[i] == 0.0) continue;
    code.atoms.push_back(static_cast<std::int32_t>(set.atoms()[i]));
    code.values.push_back(set.values()[i]);
  }
  std::copy_n(set.residual(), atoms.stride(), residuals.data() + place * atoms.stride());
}

void LassoTile::Impl::finish(Problem& problem, double reached) {
  std::vector<std::pair<std::int32_t, double>> found;
  for (std::size_t i = 0; i < set.atoms().size(); ++i) {
    const double value = std::ldexp(set.values()[i], problem.exponent);
    if (value != 0.0) found.emplace_back(static_cast<std::int32_t>(set.atoms()[i]), value);
  }
  std::sort(found.begin(), found.end());
  LassoCode& code = *problem.code;
  code.atoms.clear();
  code.values.clear();
  for (const auto& [atom, value] : found) {
    code.atoms.push_back(atom);
    code.values.push_back(value);
  }
  const double* r = set.residual();
  const double* x = set.sample();
  code.loss = std::ldexp(0.5 * lasso::dot(r, r, atoms.stride()), 2 * problem.exponent);
  code.scale = std::ldexp(0.5 * lasso::dot(x, x, atoms.stride()), 2 * problem.exponent);
  code.l1 = std::ldexp(set.l1(), problem.exponent);
  code.gap = std::ldexp(reached, 2 * problem.exponent);
  code.converged = reached <= problem.allowed;
}

// True when the sample is done; otherwise it wants a further product.
bool LassoTile::Impl::work(Problem& problem, Index place, Index round) {
  const double* product = products.data() + place * atoms.width();
  lambda = problem.lambda;
  set.begin(samples.data() + problem.row * atoms.stride(), lambda);
  for (std::size_t i = 0; i < problem.code->atoms.size(); ++i)
    set.add(problem.code->atoms[i], problem.code->values[i], 0.0);
  set.refresh();
  const double largest = lasso::largest_size(product, atoms.count());
  const double now = gap(std::max(largest, lambda));
  if (round == 0) problem.code->start_gap = std::ldexp(now, 2 * problem.exponent);
  if (now <= problem.allowed || round >= settings.max_rounds) {
    finish(problem, now);
    return true;
  }
  const double threshold = std::max(lambda, kNearLargest * largest);
  candidates.clear();
  lasso::list_above(product, lengths, 0.0, threshold, listed);
  for (const Index j : listed) {
    if (!set.has(j)) candidates.push_back({std::fabs(product[j]), j});
  }
  take_candidates();
  for (Index look = 0; look < kLooks; ++look) {
    solve_set(std::max(kInnerShare * problem.allowed, kEarlyShare * now));
    double bound = 0.0;
    if (!look_around(place, bound)) break;
    const double reached = gap(bound);
    if (reached <= problem.allowed) {
      finish(problem, reached);
      return true;
    }
    if (!candidates.empty()) take_candidates();
  }
  keep(problem, place);
  return false;
}

void LassoTile::Impl::solve_tile(const double* from, Index stride, Index rows, LassoCode* codes) {
  problems.clear();
  for (Index i = 0; i < rows; ++i) load(from + i * stride, i, codes[i]);
  for (Index round = 0; !problems.empty(); ++round) {
    atoms.products(std::as_const(residuals).data(), std::ssize(problems), products.data());
    Index left = 0;
    for (Index i = 0; i < std::ssize(problems); ++i) {
      if (work(problems[i], i, round)) continue;
      std::copy_n(residuals.data() + i * atoms.stride(), atoms.stride(),
                  residuals.data() + left * atoms.stride());
      problems[left++] = problems[i];
    }
    problems.resize(static_cast<std::size_t>(left));
  }
}

LassoTile::LassoTile(const Atoms<double>& atoms, const LassoSettings& settings)
    : impl_(std::make_unique<Impl>(atoms, settings)) {}
LassoTile::~LassoTile() = default;
LassoTile::LassoTile(LassoTile&&) noexcept = default;
LassoTile& LassoTile::operator=(LassoTile&&) noexcept = default;

void LassoTile::solve(const double* samples, Index stride, Index n, LassoCode* codes) {
  for (Index begin = 0; begin < n; begin += kRows)
    impl_->solve_tile(samples + begin * stride, stride, std::min(kRows, n - begin), codes + begin);
}

double lasso_tile_bytes(Index atoms, Index dimension) {
  const auto m = static_cast<double>(atoms + 64), p = static_cast<double>(dimension + 8);
  const auto n = static_cast<double>(lasso::working_set_limit(atoms, dimension));
  return 8.0 * (LassoTile::kRows * (2.0 * p + m) + 3.0 * n * n + 16.0 * n + 6.0 * m + p) + 1e4;
}

}  // namespace gingham
