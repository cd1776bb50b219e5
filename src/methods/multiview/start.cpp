#include "gingham/methods/multiview/start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/side_by_side.hpp"

namespace gingham::methods::multiview {
namespace {

// Of loadings: for shares of a sum, and for a start.
constexpr LanczosRules kForShares{.tolerance = 1e-3, .width = 4, .most = 12};
constexpr LanczosRules kForStart{.tolerance = 1e-2, .width = 4, .most = 6};
constexpr int kStartIterations = 8;      // of an attempt
constexpr int kSplits = 3;               // of its rows
constexpr double kStartProgress = 1e-6;  // relative; less is its end
constexpr double kLoadings = 0.9;        // share of the squared loadings that auto columns hold

const PenaltyValue& nth(const std::vector<PenaltyValue>& given, std::size_t n) {
  return given[given.size() == 1 ? 0 : n];
}

Index count_of(const PenaltyValue& asked, Index n_items) {
  const double wanted = asked.resolve(static_cast<double>(n_items));
  const double least = std::min<double>(1.0, static_cast<double>(n_items));
  return static_cast<Index>(std::clamp(std::round(wanted), least, static_cast<double>(n_items)));
}

Index columns_of_most(std::vector<double> loading) {
  double all = 0.0;
  for (double& x : loading) all += x *= x;
  std::sort(loading.begin(), loading.end(), std::greater<>());
  double sum = 0.0;
  Index count = 0;
  while (count < std::ssize(loading) && sum < kLoadings * all) sum += loading[count++];
  return std::max<Index>(count, 1);
}

// The least value of the upper group when the values are split into two by least squares.
double least_of_upper(std::vector<double> values) {
  std::sort(values.begin(), values.end(), std::greater<>());
  const auto n = static_cast<double>(values.size());
  const double all = std::accumulate(values.begin(), values.end(), 0.0);
  double above = 0.0, best = -1.0, least = values.front();
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    above += values[i];
    const double above_n = static_cast<double>(i + 1), below = all - above;
    const double between = above * above / above_n + below * below / (n - above_n);
    if (between > best) {
      best = between;
      least = values[i];
    }
  }
  return least;
}

// The first principal component's loadings over the available rows, of one view or of several side
// by side, each times the root of its weight.
std::vector<double> loadings(std::span<const View> views,
                             const std::vector<std::uint8_t>& available, const LanczosRules& rules,
                             Context& ctx) {
  std::vector<const PreparedMatrix*> parts;
  std::vector<double> roots;
  for (const View& view : views) {
    parts.push_back(&view);
    roots.push_back(std::sqrt(view.weight()));
  }
  const SideBySide all(parts, roots, available);
  const Svd svd = leading_triplets(all.products([&] { ctx.check_stop(); }), 1, ctx.rng("svd"),
                                   rules, ctx.executor());
  std::vector<double> v(static_cast<std::size_t>(all.cols()), 0.0);
  for (Index j = 0; j < all.cols(); ++j) v[j] = svd.v(j, 0);
  return v;
}

Limits with_all_rows(Limits limits) {
  std::fill(limits.available.begin(), limits.available.end(), 1);
  return limits;
}

// The available rows in the upper group of all rows' root gains: rows that others have taken show
// what a row that is out looks like.
Index split_rows(const Fitter& fitter, const Limits& limits, const std::vector<Products>& z) {
  std::vector<double> roots = fitter.gains(z, with_all_rows(limits));
  for (double& root : roots) root = std::sqrt(root);
  const double least = least_of_upper(roots);
  Index count = 0;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    count += limits.available[i] != 0 && roots[i] > 0.0 && roots[i] >= least ? 1 : 0;
  }
  return std::max<Index>(count, 1);
}

// How far the members' root gains are from those of the other rows: the sum of squares between the
// two. Two groups taken for one explain as much as one of them, but each row half as well.
double separation(const Fitter& fitter, const Limits& limits, const std::vector<Products>& z,
                  const CoCluster& c) {
  const std::vector<double> gains = fitter.gains(z, with_all_rows(limits));
  double members = 0.0, others = 0.0, n_in = 0.0, n_out = 0.0;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    const bool is_in = c.omega[i] != 0.0;
    (is_in ? members : others) += std::sqrt(gains[i]);
    (is_in ? n_in : n_out) += 1.0;
  }
  if (n_in == 0.0) return 0.0;
  if (n_out == 0.0) return members * members / n_in;
  const double apart = members / n_in - others / n_out;
  return n_in * n_out / (n_in + n_out) * apart * apart;
}

void normalise(std::vector<double>& v) {
  const double length = norm2(v);
  if (length > 0.0) scale(1.0 / length, v);
}

// Towards the side on which more is explained: all views together where their signs belong
// together, or each by itself.
void orient(const std::vector<View>& views, const Limits& limits, bool together, CoCluster& c) {
  double up = 0.0, down = 0.0;
  for (std::size_t k = 0; k < views.size(); ++k) {
    const Products z = views[k].row_products(c.v[k]);
    for (std::size_t i = 0; i < z.values.size(); ++i) {
      if (limits.available[i] != 0 && z.norms[i] > 0.0)
        (z.values[i] > 0.0 ? up : down) +=
            views[k].weight() * z.values[i] * z.values[i] / z.norms[i];
    }
    if (together) continue;
    if (down > up) scale(-1.0, c.v[k]);
    up = down = 0.0;
  }
  for (std::vector<double>& v : c.v) {
    if (down > up) scale(-1.0, v);
  }
}

CoCluster without_columns(const std::vector<View>& views, const Limits& limits) {
  CoCluster c;
  for (const std::uint8_t here : limits.available) c.omega.push_back(here);
  for (std::size_t k = 0; k < views.size(); ++k) c.u.emplace_back(c.omega.size(), 0.0);
  return c;
}

}  // namespace

std::vector<Index> column_limits(const std::vector<View>& views, const Options& options,
                                 Context& ctx) {
  std::vector<Index> limits;
  for (std::size_t k = 0; k < views.size(); ++k) {
    const PenaltyValue& asked = nth(options.penalties("columns"), k);
    const std::vector<std::uint8_t> all(static_cast<std::size_t>(views[k].rows()), 1);
    limits.push_back(asked.is("auto")
                         ? columns_of_most(loadings({&views[k], 1}, all, kForShares, ctx))
                         : count_of(asked, views[k].cols()));
  }
  return limits;
}

std::optional<Index> row_limit(const Options& options, std::size_t c, Index n_rows) {
  const PenaltyValue& asked = nth(options.penalties("rows"), c);
  if (asked.is("auto")) return std::nullopt;
  return count_of(asked, n_rows);
}

CoCluster start_of(const std::vector<View>& views, const Limits& limits, const std::string& kind,
                   Rng rng, Context& ctx) {
  CoCluster c = without_columns(views, limits);
  std::vector<double> joined;
  if (kind == "pca") joined = loadings(views, limits.available, kForStart, ctx);
  auto next = joined.begin();
  for (const View& view : views) {
    std::vector<double> v(static_cast<std::size_t>(view.cols()), 1.0);
    for (double& x : v) {
      if (kind == "pca") x = *next++;
      if (kind == "random") x = rng.normal();
    }
    normalise(v);
    c.v.push_back(std::move(v));
  }
  if (limits.one_sign) orient(views, limits, kind == "pca", c);
  return c;
}

CoCluster start_of_row(const std::vector<View>& views, const Limits& limits, Rng rng) {
  CoCluster c = without_columns(views, limits);
  std::vector<Index> left;
  for (std::size_t i = 0; i < limits.available.size(); ++i) {
    if (limits.available[i] != 0) left.push_back(static_cast<Index>(i));
  }
  const Index row = left.empty() ? 0 : left[rng.below(std::ssize(left))];
  for (const View& view : views) {
    std::vector<double> v(static_cast<std::size_t>(view.cols()));
    view.fill_row(row, v);
    normalise(v);
    c.v.push_back(std::move(v));
  }
  return c;
}

Attempt attempt(const std::vector<View>& views, const Limits& limits,
                std::optional<Index> n_members, bool follows, CoCluster start, Context& ctx) {
  const Fitter fitter(views);
  Attempt tried{std::move(start), limits, {}, 0.0};
  const int n_rounds = n_members ? 1 : kSplits;
  std::vector<Products> z = fitter.row_products(tried.cocluster);
  for (int round = 0; round < n_rounds; ++round) {
    const Index before = tried.limits.rows;
    tried.limits.rows = n_members ? *n_members : split_rows(fitter, limits, z);
    if (round > 0 && tried.limits.rows == before) break;
    double last = 0.0;
    for (int i = 0; i < kStartIterations; ++i) {
      ctx.check_stop();
      fitter.choose_rows(z, tried.limits, tried.cocluster);
      tried.explained = fitter.choose_columns(tried.limits, tried.cocluster).explained;
      const double now = total(tried.explained);
      const bool is_last = (n_members && !follows) || !(now > last * (1.0 + kStartProgress));
      if (!n_members || !is_last) z = fitter.row_products(tried.cocluster);
      if (is_last) break;
      last = now;
    }
  }
  tried.score = n_members ? total(tried.explained) : separation(fitter, limits, z, tried.cocluster);
  return tried;
}

}  // namespace gingham::methods::multiview
