#include "gingham/methods/multiview/recompute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/methods/multiview/recompute_choice.hpp"
#include "gingham/methods/plain/scaled.hpp"

namespace gingham::methods::multiview {
namespace {

class Recomputation {
 public:
  Recomputation(const Dataset& data, const Options& options, const Model& model)
      : data_(data),
        options_(options),
        n_(data.block(0).shape()[0]),
        omega_(find_matrix(model, "omega", n_, -1)),
        n_components_(omega_.cols()) {
    for (Index k = 0; k < data.size(); ++k) {
      const std::string tail = "_" + std::to_string(k);
      u_.push_back(&find_matrix(model, "u" + tail, n_, n_components_));
      v_.push_back(&find_matrix(model, "v" + tail, data.block(k).shape()[1], n_components_));
      weight_.push_back(1);
      if (options.given("weights")) {
        const std::vector<PenaltyValue>& given = options.penalties("weights");
        const Index at = given.size() == 1 ? 0 : k;
        if (at >= std::ssize(given)) throw Error(ErrorCode::input, "weights", "are too few");
        weight_.back() = given[at].number;
      }
    }
    rows_ = plain::used_values(model, "rows", static_cast<std::size_t>(n_components_));
    columns_ = plain::used_values(model, "columns", weight_.size());
    for (std::size_t c = 0; c < rows_.size(); ++c)
      resolve(options.penalties("rows"), c, n_, rows_[c]);
    for (std::size_t k = 0; k < columns_.size(); ++k)
      resolve(options.penalties("columns"), k, v_[k]->rows(), columns_[k]);
    for (const NamedValue& one : model.measures) {
      if (one.name == "refined") refined_ = one.value != 0.0;
    }
    const std::string& sign = options.text("sign");
    const bool is_palm = options.text("solver") == "palm";
    is_literal_ = is_palm && options.text("palm") == "literal";
    one_sign_ =
        sign == "one" || (sign == "auto" && options.text("scale") != "none" && !is_literal_);
    if (is_palm && !refined_) stay_ = std::pow(static_cast<Real>(options.real("gamma")), 2);
    deflates_ = options.text("next") == "deflate";
    check_rows();
    weigh_rows();
    measure();
  }

  Recomputed result() const {
    Recomputed recomputed;
    Real all = 0;
    for (const Real one : total_) all += one;
    for (Index c = 0; c < n_components_; ++c) {
      Real gain = 0, lost = 0;
      std::vector<double> shares;
      for (std::size_t k = 0; k < weight_.size(); ++k) {
        gain += explained(k, c);
        lost += weight_[k] * sums_[k].lost[c];
        shares.push_back(sums_[k].share_lost(c));
      }
      if (shares.size() == 1) shares.clear();
      recomputed.components.push_back({static_cast<double>(std::sqrt(std::max<Real>(gain, 0))),
                                       all > 0 ? static_cast<double>(lost / all) : 0.0,
                                       std::move(shares)});
    }
    recomputed.terms.loss = static_cast<double>(loss_);
    if (all > 0) recomputed.explained = static_cast<double>(1 - loss_ / all);
    recomputed.squares = static_cast<double>(all);
    add_gaps(all, recomputed.terms.gaps);
    recomputed.memberships.push_back(membership_of("rows", std::nullopt, strengths()));
    for (std::size_t k = 0; k < v_.size(); ++k) {
      recomputed.memberships.push_back(membership_of("columns", static_cast<Index>(k), *v_[k]));
    }
    recomputed.used = {{"rows", rows_}, {"columns", columns_}};
    recomputed.measures = {{"refined", refined_ && may_refine() ? 1.0 : 0.0}};
    recomputed.is_exhausted = refined_ || all_taken();
    add_outside(recomputed.arrays);
    recomputed.arrays.insert(recomputed.arrays.end(), scaling_.begin(), scaling_.end());
    recomputed.arrays.push_back({"least_gain", least_gains(), 1e-12 * static_cast<double>(all)});
    return recomputed;
  }

 private:
  void add_scaling(std::size_t k, const plain::Scaling& scaling) {
    const std::string tail = "_" + std::to_string(k);
    scaling_.push_back({"center" + tail,
                        {scaling.mean.begin(), scaling.mean.end()},
                        1e-12 * static_cast<double>(scaling.largest)});
    scaling_.push_back({"scale" + tail, {scaling.factor.begin(), scaling.factor.end()}});
  }

  bool all_taken() const {
    for (Index i = 0; i < n_; ++i) {
      const ConstVec row = omega_.row(i);
      if (std::all_of(row.begin(), row.end(), [](double one) { return one == 0.0; })) return false;
    }
    return true;
  }

  // Co-clusters are refined together where that was asked for and they could have all rows.
  bool may_refine() const {
    double covered = 0.0;
    for (const double one : rows_) covered += one;
    return options_.text("refine") == "yes" && !deflates_ && covered >= static_cast<double>(n_);
  }

  // A row is in a co-cluster or not, and has no value in one that it is not in; the paper's
  // iteration as printed keeps one, of which nothing that is stored tells.
  void add_outside(std::vector<RecomputedArray>& arrays) const {
    if (is_literal_ && !refined_) return;
    RecomputedArray omega{"omega", {}};
    for (const double one : omega_.values()) omega.values.push_back(one != 0.0 ? 1.0 : 0.0);
    arrays.push_back(std::move(omega));
    for (std::size_t k = 0; k < u_.size(); ++k) {
      RecomputedArray u{"u_" + std::to_string(k), {}};
      for (const double one : omega_.values()) u.values.push_back(one != 0.0 ? NAN : 0.0);
      arrays.push_back(std::move(u));
    }
  }

  // What the row that explains least explains of each co-cluster, with its best values.
  std::vector<double> least_gains() const {
    std::vector<double> least;
    for (Index c = 0; c < n_components_; ++c) {
      Real smallest = INFINITY;
      for (Index i = 0; i < n_; ++i) {
        if (omega_(i, c) != 0.0) smallest = std::min(smallest, row_candidate(i, c).best);
      }
      least.push_back(std::isinf(smallest) ? 0.0 : static_cast<double>(smallest));
    }
    return least;
  }

  void check_rows() const {
    for (Index i = 0; i < n_ && !deflates_; ++i) {
      const ConstVec row = omega_.row(i);
      if (std::count(row.begin(), row.end(), 0.0) + 1 < n_components_)
        throw Error(ErrorCode::input, "omega",
                    "row " + std::to_string(i) + " is in several co-clusters of --next exclude");
    }
  }

  // rho_i = sum_k w_k / sum of w_k over the views with an observed cell in row i
  void weigh_rows() {
    Reals seen(static_cast<std::size_t>(n_), 0);
    Real all = 0;
    for (std::size_t k = 0; k < weight_.size(); ++k) {
      all += weight_[k];
      for_each_row(data_.block(static_cast<Index>(k)), [&](Index i, ConstVec row) {
        const bool any =
            std::any_of(row.begin(), row.end(), [](double x) { return !std::isnan(x); });
        if (any) seen[i] += weight_[k];
      });
    }
    for (const Real one : seen) rho_.push_back(one > 0 ? all / one : 1);
  }

  Matrix strengths() const {
    Matrix strength(n_, n_components_);
    for (Index c = 0; c < n_components_; ++c) {
      Reals squares;
      for (const Matrix* v : v_) {
        squares.push_back(0);
        for (Index j = 0; j < v->rows(); ++j)
          squares.back() += static_cast<Real>((*v)(j, c)) * (*v)(j, c);
      }
      for (Index i = 0; i < n_; ++i) {
        Real sum = 0;
        for (std::size_t k = 0; k < v_.size(); ++k) {
          const Real a = factor(k, i, c);
          sum += rho_[i] * weight_[k] * squares[k] * a * a;
        }
        strength(i, c) = static_cast<double>(std::sqrt(sum));
      }
    }
    return strength;
  }

  Real factor(std::size_t k, Index i, Index c) const {
    return static_cast<Real>(omega_(i, c)) * (*u_[k])(i, c);
  }

  void measure() {
    for (std::size_t k = 0; k < v_.size(); ++k) {
      const Block& block = data_.block(static_cast<Index>(k));
      const plain::Scaling scaling(block, options_.text("scale"));
      add_scaling(k, scaling);
      plain::Product product{{{}, plain::reals(*v_[k])},
                             Reals(static_cast<std::size_t>(n_components_), 1)};
      for (Index i = 0; i < n_; ++i) {
        for (Index c = 0; c < n_components_; ++c) product.factors[0].push_back(factor(k, i, c));
      }
      sums_.emplace_back(plain::ScaledCells(block, scaling, rho_), product,
                         deflates_ ? plain::Others::earlier : plain::Others::none);
      total_.push_back(weight_[k] * sums_[k].squares);
      loss_ += weight_[k] * sums_[k].loss;
    }
  }

  // By its turn: what was found before is taken away or has other rows.
  Real explained(std::size_t k, Index c) const {
    Real total = 0;
    for (Index i = 0; i < n_; ++i) {
      const Real a = factor(k, i, c);
      const std::size_t at = static_cast<std::size_t>(i * n_components_ + c);
      total += weight_[k] * a * (2 * sums_[k].pull[0][at] - a * sums_[k].curvature[0][at]);
    }
    return total;
  }

  bool is_available(Index i, Index c) const {
    if (refined_ || deflates_) return true;
    for (Index earlier = 0; earlier < c; ++earlier) {
      if (omega_(i, earlier) != 0.0) return false;
    }
    return true;
  }

  // What row i adds with its best u, and with its own.
  Candidate row_candidate(Index i, Index c) const {
    Candidate row{.is_in = omega_(i, c) != 0.0};
    for (std::size_t k = 0; k < v_.size(); ++k) {
      const std::size_t at = static_cast<std::size_t>(i * n_components_ + c);
      const Real norm = sums_[k].curvature[0][at], z = sums_[k].pull[0][at];
      const Real a = factor(k, i, c), w = weight_[k];
      const Real positive = one_sign_ ? std::max<Real>(z, 0) : z;
      const Real now = w * a * (2 * z - a * norm);
      const Real best = norm > 0 ? w * positive * positive / norm : 0;
      row.now += now;
      row.best += best;
      row.missed.push_back(best - now);
    }
    return row;
  }

  Candidate column_candidate(std::size_t k, Index j, Index c) const {
    const std::size_t at = static_cast<std::size_t>(j * n_components_ + c);
    const Real y = sums_[k].pull[1][at], norm = sums_[k].curvature[1][at];
    const Real v = (*v_[k])(j, c);
    return {.is_in = v != 0,
            .best = norm > 0 ? weight_[k] * y * y / norm : 0,
            .now = weight_[k] * v * (2 * y - v * norm)};
  }

  static double relative(Real more, Real whole) {
    return whole > 0 ? static_cast<double>(std::sqrt(std::max<Real>(more, 0) / whole)) : 0.0;
  }

  // Infinite where there are more rows than there may be, or some of another sign.
  double row_gap(Real all) const {
    double gap = 0.0;
    for (Index c = 0; c < n_components_ && one_sign_; ++c) {
      for (Index i = 0; i < n_; ++i) {
        for (std::size_t k = 0; k < v_.size(); ++k) {
          if (factor(k, i, c) < 0) return INFINITY;
        }
      }
    }
    Reals missed_refined(v_.size(), 0);
    for (Index c = 0; c < n_components_; ++c) {
      std::vector<Candidate> rows;
      Reals missed(v_.size(), 0);
      for (Index i = 0; i < n_; ++i) {
        if (is_available(i, c)) rows.push_back(row_candidate(i, c));
        for (std::size_t k = 0; k < v_.size() && omega_(i, c) != 0.0; ++k) {
          missed[k] += rows.back().missed[k];
          missed_refined[k] += rows.back().missed[k];
        }
      }
      const auto count =
          std::count_if(rows.begin(), rows.end(), [](const Candidate& row) { return row.is_in; });
      if (refined_) continue;
      if (static_cast<double>(count) > rows_[c]) return INFINITY;
      gap = std::max(gap, relative(exchanged(std::move(rows), rows_[c], stay_), all));
      for (std::size_t k = 0; k < v_.size(); ++k)
        gap = std::max(gap, relative(missed[k], total_[k]));
    }
    if (!refined_) return gap;
    gap = relative(exchanged_by_sharing(), all);
    for (std::size_t k = 0; k < v_.size(); ++k)
      gap = std::max(gap, relative(missed_refined[k], total_[k]));
    return gap;
  }

  double column_gap(std::size_t k) const {
    double gap = 0.0;
    for (Index c = 0; c < n_components_; ++c) {
      std::vector<Candidate> columns;
      Real gained = 0;
      for (Index j = 0; j < v_[k]->rows(); ++j) {
        columns.push_back(column_candidate(k, j, c));
        if (columns.back().is_in) gained += columns.back().best - columns.back().now;
      }
      const auto count = std::count_if(columns.begin(), columns.end(),
                                       [](const Candidate& column) { return column.is_in; });
      if (static_cast<double>(count) > columns_[k]) return INFINITY;
      gained += exchanged(std::move(columns), columns_[k], stay_);
      gap = std::max(gap, relative(gained, total_[k]));
    }
    return gap;
  }

  void add_gaps(Real all, std::vector<NamedValue>& gaps) const {
    gaps.push_back({"rows", row_gap(all)});
    for (std::size_t k = 0; k < v_.size(); ++k) {
      gaps.push_back({"columns_" + std::to_string(k), column_gap(k)});
    }
  }

  Real exchanged_by_sharing() const {
    Real sum = 0;
    for (Index i = 0; i < n_; ++i) {
      Real best = 0, own = 0;
      for (Index c = 0; c < n_components_; ++c) {
        const Candidate here = row_candidate(i, c);
        best = std::max(best, here.best);
        if (here.is_in) own = here.best;
      }
      sum += without_rounding(best, own);
    }
    return sum;
  }

  const Dataset& data_;
  const Options& options_;
  Index n_;
  const Matrix& omega_;
  Index n_components_;
  std::vector<const Matrix*> u_, v_;
  Reals weight_, total_, rho_;
  Real loss_ = 0;
  Real stay_ = 1;  // gamma^2 of palm
  std::vector<double> rows_, columns_;
  bool refined_ = false, one_sign_ = true, deflates_ = false, is_literal_ = false;
  std::vector<plain::Sums> sums_;  // of each view, rows weighted by rho
  std::vector<RecomputedArray> scaling_;
};

}  // namespace

Recomputed recompute(const Dataset& data, const Options& options, const Model& model) {
  return Recomputation(data, options, model).result();
}

}  // namespace gingham::methods::multiview
