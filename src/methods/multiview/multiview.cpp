#include "gingham/methods/multiview/multiview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/methods/multiview/settings.hpp"
#include "gingham/methods/multiview/start.hpp"
#include "gingham/methods/multiview/swap.hpp"
#include "gingham/methods/views/scaling.hpp"

namespace gingham::methods::multiview {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-10;  // of the sum of squares: no rise of the loss

double root_share(double part, double whole) {
  return whole > 0.0 ? std::sqrt(std::max(part, 0.0) / whole) : 0.0;
}

}  // namespace

// Only where every row is to be in a co-cluster: joining one never raises the loss, so a rest would
// empty.
bool Multiview::refines() const {
  if (options_.text("refine") != "yes" || !excludes()) return false;
  if (!is_exact() && palm_of(options_).is_literal) return false;
  Index covered = 0;
  for (const Limits& one : limits_) covered += one.rows;
  return covered >= n_rows();
}

// The views as they are before any co-cluster is found.
struct Multiview::Shared {
  std::vector<View> views;
  std::vector<double> row_weights;
};

Derived Multiview::derive(const Dataset& data, const Options& options, Context& ctx) {
  auto made = std::make_shared<Shared>();
  for (std::size_t k = 0; k < data.blocks().size(); ++k) {
    made->views.emplace_back(
        PreparedMatrix(data.blocks()[k], views::scale_of(options), ctx.executor()),
        weight_of(options, k));
  }
  made->row_weights = weigh_rows(made->views);
  return made;
}

void Multiview::attach(const Dataset&, Context& ctx) {
  const std::shared_ptr<const Shared> shared = ctx.derived<Shared>();
  views_ = shared->views;
  row_weights_ = shared->row_weights;
  total_ = 0.0;
  for (const View& view : views_) total_ += view.weight() * view.squares();
}

void Multiview::start(const Dataset& data, Context& ctx) {
  attach(data, ctx);
  columns_ = column_limits(views_, options_, ctx);
}

Limits Multiview::next_limits(std::size_t c) const {
  Limits limits{.rows = n_rows(),
                .columns = columns_,
                .available = std::vector<std::uint8_t>(static_cast<std::size_t>(n_rows()), 1),
                .one_sign = has_one_sign(options_)};
  for (std::size_t earlier = 0; earlier < c && excludes(); ++earlier) {
    for (std::size_t i = 0; i < limits.available.size(); ++i) {
      if (found_[earlier].omega[i] != 0.0) limits.available[i] = 0;
    }
  }
  return limits;
}

void Multiview::leave(std::size_t n, std::vector<View>& views) const {
  if (excludes()) return;
  for (std::size_t k = 0; k < views.size(); ++k) {
    for (auto c = static_cast<std::size_t>(views[k].n_terms()); c < n; ++c) {
      views[k].subtract(1.0, found_[c].left(k), found_[c].v[k]);
    }
    views[k].use_terms(static_cast<Index>(n));
  }
}

void Multiview::try_start(Context& ctx) {
  const std::size_t c = n_tries_ == 0 ? found_.size() : found_.size() - 1;
  leave(c, views_);
  const Limits limits = next_limits(c);
  const Rng rng = ctx.rng(fmt::format("start {} of {}", n_tries_, c));
  const bool as_asked = n_tries_ == 0 && ctx.restart() == 0;
  CoCluster start = as_asked ? start_of(views_, limits, options_.text("start"), rng, ctx)
                             : start_of_row(views_, limits, rng);
  const std::vector<std::vector<double>> v = start.v;
  Attempt tried = attempt(views_, limits, row_limit(options_, c, n_rows()),
                          options_.integer("starts") > 1, std::move(start), ctx);
  if (n_tries_ == 0) {
    found_.emplace_back();
    limits_.emplace_back();
    explained_.emplace_back();
  }
  if (n_tries_++ > 0 && !(tried.score > score_)) return;
  score_ = tried.score;
  found_.back() = std::move(tried.cocluster);
  limits_.back() = std::move(tried.limits);
  explained_.back() = std::move(tried.explained);
  if (is_exact()) return;
  begin_ = v;
  CoCluster& empty = found_.back();
  std::fill(empty.omega.begin(), empty.omega.end(), 0.0);
  for (std::size_t k = 0; k < views_.size(); ++k) {
    std::fill(empty.u[k].begin(), empty.u[k].end(), 0.0);
    std::fill(empty.v[k].begin(), empty.v[k].end(), 0.0);
  }
  std::fill(explained_.back().begin(), explained_.back().end(), 0.0);
}

// omega = 1, u = X v / |v|^2: more rows and columns than there may be until the first step.
void Multiview::begin_palm(const Fitter& fitter, const Limits& limits, CoCluster& c) {
  c.omega.assign(limits.available.begin(), limits.available.end());
  c.v = std::exchange(begin_, {});
  fitter.fit_rows(limits, c);
}

Done Multiview::step(Context& ctx) {
  if (n_tries_ < options_.integer("starts") && !is_refining_) {
    ctx.phase("start");
    try_start(ctx);
    return Done::nothing;
  }
  if (n_swaps_left_ > 0) {
    ctx.phase("swap");
    swap_step(ctx);
    return Done::nothing;
  }
  ctx.phase(is_refining_ ? "refine" : "iterate");
  const bool is_first = !begin_.empty() && !is_refining_;
  const double before = is_first ? -kInfinity : total(explained_);
  if (is_refining_) {
    refine_step();
  } else {
    iterate();
  }
  has_risen_ = has_risen_ || total(explained_) < before - kRounding * total_;
  return Done::iteration;
}

void Multiview::iterate() {
  const std::size_t c = found_.size() - 1;
  leave(c, views_);
  const Fitter fitter(views_);
  gaps_ = no_gaps();
  if (!is_exact()) {
    if (!begin_.empty()) begin_palm(fitter, limits_[c], found_[c]);
    fitter.palm_step(limits_[c], palm_of(options_), found_[c]);
    explained_[c] = fitter.explained(found_[c]);
    add_gaps(c, gaps_);
    return;
  }
  const Step rows = fitter.choose_rows(limits_[c], found_[c]);
  const Step columns = fitter.choose_columns(limits_[c], found_[c]);
  widen_by_rows(rows.gained, rows.exchanged, gaps_);
  widen_by_columns(columns, gaps_);
  explained_[c] = columns.explained;
}

void Multiview::refine_step() {
  std::vector<Step> columns;
  gaps_ = no_gaps();
  const Sharing sharing = refine(views_, limits_, found_, columns);
  widen_by_rows(sharing.gained, sharing.exchanged, gaps_);
  for (std::size_t c = 0; c < found_.size(); ++c) {
    explained_[c] = columns[c].explained;
    widen_by_columns(columns[c], gaps_);
  }
}

void Multiview::swap_step(Context& ctx) {
  const Rng rng = ctx.rng(fmt::format("swap {}", n_swaps_tried_));
  std::optional<Swapped> better = try_swap(views_, limits_, found_, explained_, rng, ctx);
  ++n_swaps_tried_;
  --n_swaps_left_;
  if (!better) return;
  found_ = std::move(better->found);
  explained_ = std::move(better->explained);
  n_swaps_left_ = options_.integer("swaps");
}

// sqrt(gained / squares): for better values the relative change of what is fitted. Each view counts
// by its own squares, or a view of little weight could be far from its end.
void Multiview::widen_by_rows(const Explained& gained, double exchanged,
                              std::vector<NamedValue>& gaps) const {
  gaps[0].value = std::max(gaps[0].value, root_share(exchanged, total_));
  for (std::size_t k = 0; k < views_.size(); ++k) {
    const double squares = views_[k].weight() * views_[k].squares();
    gaps[0].value = std::max(gaps[0].value, root_share(gained[k], squares));
  }
}

void Multiview::widen_by_columns(const Step& step, std::vector<NamedValue>& gaps) const {
  for (std::size_t k = 0; k < views_.size(); ++k) {
    const double squares = views_[k].weight() * views_[k].squares();
    gaps[k + 1].value = std::max(gaps[k + 1].value, root_share(step.gained[k], squares));
  }
}

std::vector<NamedValue> Multiview::no_gaps() const {
  std::vector<NamedValue> gaps{{"rows", 0.0}};
  for (std::size_t k = 0; k < views_.size(); ++k) {
    gaps.push_back({fmt::format("columns_{}", k), 0.0});
  }
  return gaps;
}

void Multiview::add_gaps(std::size_t c, std::vector<NamedValue>& gaps) {
  leave(c, views_);
  const Fitter fitter(views_);
  CoCluster rows = found_[c], columns = found_[c];
  const double gamma = is_exact() ? 1.0 : palm_of(options_).gamma;
  const Step by_rows = fitter.choose_rows(limits_[c], rows, gamma * gamma);
  const Step by_columns = fitter.choose_columns(limits_[c], columns, gamma * gamma);
  widen_by_rows(by_rows.gained, by_rows.exchanged, gaps);
  widen_by_columns(by_columns, gaps);
}

void Multiview::add_refined_gaps(std::vector<NamedValue>& gaps) const {
  const Fitter fitter(views_);
  const Sharing sharing = share_out(fitter, found_, limits_);
  widen_by_rows(sharing.gained, sharing.exchanged, gaps);
  for (std::size_t c = 0; c < found_.size(); ++c) {
    CoCluster columns = found_[c];
    widen_by_columns(fitter.choose_columns(limits_[c], columns), gaps);
  }
}

double Multiview::loss() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < views_.size(); ++k) {
    View rest = views_[k];
    rest.forget_terms();
    for (const CoCluster& one : found_) rest.subtract(1.0, one.left(k), one.v[k]);
    sum += rest.weight() * rest.residual_squares();
  }
  return sum;
}

Terms Multiview::terms(Context&, Accuracy accuracy) {
  Terms terms;
  terms.loss = std::max(total_ - total(explained_), 0.0);
  terms.has_risen = has_risen_;
  terms.gaps = gaps_;
  if (accuracy == Accuracy::running) return terms;
  terms.loss = loss();
  terms.gaps = no_gaps();
  if (is_refining_) {
    add_refined_gaps(terms.gaps);
  } else {
    for (std::size_t c = 0; c < found_.size(); ++c) add_gaps(c, terms.gaps);
  }
  return terms;
}

bool Multiview::conclude(Status status, Context&) {
  if (is_refining_) {
    const bool swaps = n_swaps_tried_ == 0 && found_.size() > 1 && status == Status::converged;
    n_swaps_left_ = swaps ? options_.integer("swaps") : 0;
    return n_swaps_left_ > 0;
  }
  if (std::ssize(found_) < options_.integer("clusters")) {
    const std::vector<std::uint8_t> left = next_limits(found_.size()).available;
    if (std::count(left.begin(), left.end(), 0) < n_rows()) {
      n_tries_ = 0;
      return true;
    }
  }
  if (!refines()) return false;
  is_refining_ = true;
  for (Limits& one : limits_) std::fill(one.available.begin(), one.available.end(), 1);
  return true;
}

void Multiview::state(Archive& ar) {
  ar("columns", columns_)("found", found_)("limits", limits_)("explained", explained_);
  ar("begin", begin_);
  ar("gaps", gaps_)("n_tries", n_tries_)("score", score_)("refining", is_refining_)("risen",
                                                                                    has_risen_);
  ar("swaps_tried", n_swaps_tried_)("swaps_left", n_swaps_left_);
  bool fits = limits_.size() == found_.size() && explained_.size() == found_.size() &&
              columns_.size() == views_.size() && (n_tries_ <= 1 || !found_.empty()) &&
              (begin_.empty() || begin_.size() == views_.size());
  for (std::size_t k = 0; fits && k < begin_.size(); ++k) {
    fits = std::ssize(begin_[k]) == views_[k].cols();
  }
  for (std::size_t c = 0; fits && c < found_.size(); ++c) {
    fits = std::ssize(found_[c].omega) == n_rows() && found_[c].u.size() == views_.size() &&
           found_[c].v.size() == views_.size() && std::ssize(limits_[c].available) == n_rows() &&
           limits_[c].columns.size() == views_.size() && explained_[c].size() == views_.size();
    for (std::size_t k = 0; fits && k < views_.size(); ++k) {
      fits =
          std::ssize(found_[c].u[k]) == n_rows() && std::ssize(found_[c].v[k]) == views_[k].cols();
    }
  }
  if (!fits) throw Error(ErrorCode::input, "", "saved state: the co-clusters do not fit the data");
}

}  // namespace gingham::methods::multiview
