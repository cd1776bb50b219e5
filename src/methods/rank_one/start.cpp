// Where a component begins.
//
// The first restart takes the leading singular pair of each R_i, signs aligned over time on the
// fused side: without that the fusion penalty would punish a mere change of sign. The second
// takes, where a side is fused, the leading vector of all times together; the others begin from
// random vectors, shared by all times where they are fused.
#include <algorithm>
#include <cmath>

#include "gingham/kernels/truncated_svd.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/rank_one/named_penalty.hpp"
#include "gingham/operators/side_by_side.hpp"

namespace gingham::methods::rank_one {
namespace {

// Of the singular vectors a component begins from, which the steps then change: where they stand
// out they are far better than this, and where they do not, noise is not worth many passes. Passes
// over few cells cost nothing.
constexpr LanczosRules kStart{.tolerance = 1e-2, .width = 4, .most = 6, .judged = 1};
constexpr LanczosRules kSmallStart{.tolerance = 1e-4, .width = 4, .most = 24, .judged = 1};
constexpr double kFewCells = 1e6;
// Where a penalty is a share of its maximum at the start, that number must not depend on chance.
constexpr LanczosRules kForShares{.tolerance = 1e-10, .width = 4, .judged = 1};

// The search for singular vectors has a stream of its own: what it finds depends on the data alone.
Rng search_directions() { return Rng::named(0, "leading pair"); }

bool uses_share(const SideRule& rule) {
  return rule.sparsity.kind == PenaltyValue::Kind::percent ||
         rule.fusion.kind == PenaltyValue::Kind::percent;
}

void normalize(Vec x) {
  const double length = norm2(x);
  if (length > 0.0) {
    for (double& value : x) value /= length;
  }
}

Matrix without_first(const Matrix& vectors) {
  Matrix rest(vectors.rows(), vectors.cols() - 1);
  for (Index i = 0; i < rest.rows(); ++i)
    std::copy_n(vectors.row(i).begin() + 1, rest.cols(), rest.row(i).begin());
  return rest;
}

void copy_column(const Matrix& from, Index column, Vec to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = from(static_cast<Index>(i), column);
}

const Matrix* find_matrix(const Model& model, const std::string& name) {
  for (const NamedArray& array : model.arrays) {
    if (array.name == name) return std::get_if<Matrix>(&array.values);
  }
  return nullptr;
}

}  // namespace

void RankOne::begin_from(const Model& earlier) {
  earlier_.assign(earlier.components.size(), {});
  for (const Which which : kSides) {
    const std::string name = which == Which::rows ? "u" : "v";
    for (Index i = 0;; ++i) {
      const Matrix* factor =
          find_matrix(earlier, rules_.is_series ? name + "_" + std::to_string(i) : name);
      if (factor == nullptr || (i > 0 && !rules_.is_series)) break;
      for (std::size_t k = 0; k < earlier_.size(); ++k) {
        if (static_cast<Index>(k) >= factor->cols()) break;
        std::vector<double>& unit = earlier_[k][which].unit;
        for (Index r = 0; r < factor->rows(); ++r) {
          unit.push_back((*factor)(r, static_cast<Index>(k)));
        }
      }
    }
  }
}

// The start from another run fits these data and has a vector at every time.
bool RankOne::is_usable(const Pair& pair) const {
  for (const Which which : kSides) {
    const std::vector<double>& unit = pair[which].unit;
    if (unit.size() != layouts_[which].size()) return false;
    for (Index i = 0; i < layouts_[which].times(); ++i) {
      if (!(norm2(layouts_[which].at(unit, i)) > 0.0)) return false;
    }
  }
  return true;
}

bool RankOne::uses_shares() const {
  return uses_share(rules_.sides.rows) || uses_share(rules_.sides.columns) || has_percentages_;
}

// What 100 % is: at the first component's first steps from the method's own start.
void RankOne::resolve_penalties(Context& ctx) {
  const Pair begin = now_;
  align_signs(now_);
  orient(now_);
  for (const Which which : {first(), last()}) {
    const std::vector<double>& other = now_[opposite(which)].unit;
    const auto mode = static_cast<Index>(which);
    if (penalties_.is_asked(mode)) {
      const Targets targets = targets_of(which, other);
      const Parts parts(targets, layouts_[which], rule(which).is_tied(layouts_[which]));
      for (const Part& part : parts.all()) penalties_.see(mode, part.b, part.h);
      rules_.sides[which].penalty = penalties_.make(mode);
    }
    if (which == first()) now_[which] = made(which, other, {}, ctx);
  }
  has_percentages_ = false;
  now_ = begin;
}

bool RankOne::is_nonnegative(Which which) const {
  const auto penalty =
      any_penalty(rules_.options, static_cast<Index>(which), layouts_[which].size_at(0));
  return penalty && penalty->traits().is_nonnegative;
}

// u v^T is (-u) (-v)^T: where a side must not be negative, the sign that leaves more of it. Times
// that are fused turn together.
void RankOne::orient(Pair& pair) const {
  const BySide<bool> is_bound{is_nonnegative(Which::rows), is_nonnegative(Which::columns)};
  if (!is_bound.rows && !is_bound.columns) return;
  const bool together = is_fused(Which::rows) || is_fused(Which::columns);
  for (Index begin = 0; begin < times();) {
    const Index end = together ? times() : begin + 1;
    double kept = 0.0, turned = 0.0;
    for (Index i = begin; i < end; ++i) {
      double above = 1.0, below = 1.0;
      for (const Which which : kSides) {
        if (!is_bound[which]) continue;
        double squares[2] = {};
        for (const double x : layouts_[which].at(pair[which].unit, i)) squares[x < 0.0] += x * x;
        above *= squares[0];
        below *= squares[1];
      }
      kept += above;
      turned += below;
    }
    for (Index i = begin; i < end && turned > kept; ++i) turn(pair, i);
    begin = end;
  }
}

void RankOne::turn(Pair& pair, Index time) const {
  for (const Which which : kSides) scale(-1.0, layouts_[which].at(pair[which].unit, time));
}

const LanczosRules& RankOne::search_rules() const {
  if (uses_shares()) return kForShares;
  return n_cells_ <= kFewCells ? kSmallStart : kStart;
}

// The start from another run, if there is one for this component.
const Pair* RankOne::warm_start(Index restart) const {
  const std::size_t number = layers_.size();
  const bool usable = restart == 0 && number < earlier_.size() && is_usable(earlier_[number]);
  return usable ? &earlier_[number] : nullptr;
}

// A share is one of the maximum at the method's own start, whatever the run begins from.
bool RankOne::needs_leading_pairs(Index restart) const {
  return uses_shares() || (restart == 0 && warm_start(restart) == nullptr);
}

void RankOne::add_leading_pair(Index time, Context& ctx) {
  const PreparedMatrix& residual = residuals_[time];
  const SideBySide all(residual);
  const Index n = std::min(all.rows(), all.cols());
  const auto at = static_cast<std::size_t>(time);
  search_.resize(residuals_.size());
  const Svd leading =
      leading_triplets(all.products([&] { ctx.check_stop(); }), std::min(search_rules().width, n),
                       search_directions(), search_rules(), ctx.executor(),
                       search_[at].cols() > 0 ? &search_[at] : nullptr);
  search_[at] = without_first(all.cols() > all.rows() ? leading.u : leading.v);
  if (time == 0) {
    now_ = Pair{};
    for (const Which which : kSides) now_[which].unit.assign(layouts_[which].size(), 0.0);
  }
  if (is_negligible(leading.s[0], time)) return;
  copy_column(leading.u, 0, layouts_.rows.at(now_.rows.unit, time));
  copy_column(leading.v, 0, layouts_.columns.at(now_.columns.unit, time));
}

// On the side that is fused, or on one that has the same items at all times: a run without fusion
// may be where one with it begins.
void RankOne::align_signs(Pair& pair) const {
  Which which = Which::columns;
  if (is_fused(last())) {
    which = last();
  } else if (is_fused(first())) {
    which = first();
  } else if (!layouts_.columns.is_even()) {
    which = Which::rows;
  }
  if (!layouts_[which].is_even()) return;
  const std::vector<double>& unit = pair[which].unit;
  Index before = 0;  // the last time with a vector
  for (Index i = 1; i < times(); ++i) {
    const ConstVec now = layouts_[which].at(unit, i);
    if (dot(now, layouts_[which].at(unit, before)) < 0.0) turn(pair, i);
    if (norm2(now) > 0.0) before = i;
  }
}

// Vectors of the last side, common to all times where that is fused; the first side from them.
Pair RankOne::common_start(Context& ctx) const {
  const bool rows = last() == Which::rows;
  const Layout& own = layouts_[last()];
  Pair pair;
  std::vector<double>& unit = pair[last()].unit;
  unit.resize(own.size());
  if (is_fused(last()) && ctx.restart() == 1) {
    // The matrices on top of each other (side by side): all share this side.
    const Layout& others = layouts_[first()];
    std::vector<double> part(static_cast<std::size_t>(own.size_at(0)));
    std::vector<double> stacked(others.size());
    const auto to_others = [&](ConstVec x, Vec y) {
      ctx.check_stop();
      for (Index i = 0; i < own.times(); ++i) {
        rows ? residuals_[i].multiply_transposed(x, others.at(stacked, i))
             : residuals_[i].multiply(x, others.at(stacked, i));
      }
      std::copy(stacked.begin(), stacked.end(), y.begin());
    };
    const auto to_own = [&](ConstVec x, Vec y) {
      std::copy(x.begin(), x.end(), stacked.begin());
      std::fill(y.begin(), y.end(), 0.0);
      for (Index i = 0; i < own.times(); ++i) {
        rows ? residuals_[i].multiply(others.at(stacked, i), part)
             : residuals_[i].multiply_transposed(others.at(stacked, i), part);
        axpy(1.0, part, y);
      }
    };
    const Svd leading =
        truncated_svd({static_cast<Index>(others.size()), own.size_at(0), to_others, to_own}, 1,
                      search_directions(), search_rules().tolerance);
    for (Index i = 0; i < own.times(); ++i) copy_column(leading.v, 0, own.at(unit, i));
  } else {
    Rng rng = ctx.rng("start " + std::to_string(layers_.size()));
    for (double& value : unit) value = rng.normal();
    for (Index i = 0; i < own.times(); ++i) {
      const ConstVec shared = own.at(unit, 0);
      if (i > 0 && is_fused(last())) {
        std::copy(shared.begin(), shared.end(), own.at(unit, i).begin());
      }
      normalize(own.at(unit, i));
    }
  }
  pair[first()].unit = targets_of(first(), unit).b;
  for (Index i = 0; i < own.times(); ++i) {
    normalize(layouts_[first()].at(pair[first()].unit, i));
  }
  return pair;
}

void RankOne::start_component(Context& ctx) {
  const Pair* warm = warm_start(ctx.restart());
  const bool own = ctx.restart() == 0 && warm == nullptr;
  const Pair begin = own ? Pair{} : warm != nullptr ? *warm : common_start(ctx);
  if (layers_.empty()) residual_squares_ = data_squares_;
  if (has_percentages_) resolve_penalties(ctx);
  if (!own) {
    if (uses_shares()) {
      align_signs(now_);
      for (const Which which : {first(), last()})
        now_[which] = made(which, now_[opposite(which)].unit, {}, ctx);
    } else {
      now_ = Pair{};
    }
    now_.rows.unit = begin.rows.unit;
    now_.columns.unit = begin.columns.unit;
  }
  align_signs(now_);
  orient(now_);
  n_started_ = 0;
  has_next_ = has_complete_ = false;
  stage_ = Stage::first;
  since_mark_ = window_ = period_ = 0;
}

}  // namespace gingham::methods::rank_one
