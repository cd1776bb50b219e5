#include "gingham/methods/multiview/swap.hpp"

#include <algorithm>

namespace gingham::methods::multiview {
namespace {

constexpr int kFreshIterations = 3;       // of the new co-cluster by itself
constexpr int kRefinements = 30;          // of all, before the comparison
constexpr double kSlack = 0.03;           // of what is explained: may be lost at first
constexpr double kRefineProgress = 1e-8;  // relative; less is the end
constexpr double kBetter = 1e-6;          // relative; less is the same grouping

struct BestTwo {
  std::vector<double> best, second;
  std::vector<Index> owner;
};

BestTwo best_two(const Fitter& fitter, const std::vector<Limits>& limits,
                 const std::vector<CoCluster>& found) {
  const std::size_t n = found.front().omega.size();
  BestTwo two{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0), std::vector<Index>(n, -1)};
  for (std::size_t c = 0; c < found.size(); ++c) {
    const std::vector<double> gains = fitter.gains(fitter.row_products(found[c]), limits[c]);
    for (std::size_t i = 0; i < n; ++i) {
      if (gains[i] > two.best[i]) {
        two.second[i] = std::exchange(two.best[i], gains[i]);
        two.owner[i] = static_cast<Index>(c);
      } else {
        two.second[i] = std::max(two.second[i], gains[i]);
      }
    }
  }
  return two;
}

// A row drawn by what is left of it; -1 where nothing is.
Index draw_row(const std::vector<View>& views, const std::vector<double>& best, Rng& rng) {
  std::vector<double> upto;
  double sum = 0.0;
  for (std::size_t i = 0; i < best.size(); ++i) {
    double left = -best[i];
    for (const View& view : views) left += view.weight() * view.row_squares()[i];
    upto.push_back(sum += std::max(left, 0.0));
  }
  if (!(sum > 0.0)) return -1;
  const double at = rng.uniform() * sum;
  Index row = 0;
  while (row + 1 < std::ssize(upto) && !(upto[row] > at)) ++row;
  return row;
}

// Which co-cluster gives way at the least loss, and what is explained more then (at once).
std::pair<Index, double> cheapest(const BestTwo& two, const std::vector<double>& fresh,
                                  std::size_t n_coclusters) {
  double all = 0.0;
  std::vector<double> less(n_coclusters, 0.0);  // lost by co-cluster c giving way
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const double with = std::max(two.best[i], fresh[i]);
    all += with - two.best[i];
    if (two.owner[i] >= 0) less[two.owner[i]] += with - std::max(two.second[i], fresh[i]);
  }
  std::size_t least = 0;
  for (std::size_t c = 1; c < less.size(); ++c) least = less[c] < less[least] ? c : least;
  return {static_cast<Index>(least), all - less[least]};
}

}  // namespace

double total(const std::vector<Explained>& explained) {
  double sum = 0.0;
  for (const Explained& one : explained) sum += total(one);
  return sum;
}

std::optional<Swapped> try_swap(const std::vector<View>& views, const std::vector<Limits>& limits,
                                const std::vector<CoCluster>& found,
                                const std::vector<Explained>& explained, Rng rng, Context& ctx) {
  const Fitter fitter(views);
  const BestTwo two = best_two(fitter, limits, found);
  const Index row = draw_row(views, two.best, rng);
  if (row < 0) return std::nullopt;
  const Limits& limit = limits.front();
  CoCluster fresh = at_row(views, limit, row);
  for (int i = 0; i < kFreshIterations; ++i) {
    const std::vector<Products> z = fitter.row_products(fresh);
    const std::vector<double> gains = fitter.gains(z, limit);
    std::vector<std::uint8_t> chosen(gains.size());
    for (std::size_t r = 0; r < chosen.size(); ++r) chosen[r] = gains[r] > two.best[r] ? 1 : 0;
    fitter.take_rows(z, chosen, limit, fresh);
    fitter.choose_columns(limit, fresh);
  }
  const std::vector<double> gains = fitter.gains(fitter.row_products(fresh), limit);
  const double before = total(explained);
  const auto [gives_way, more] = cheapest(two, gains, found.size());
  if (!(more > -kSlack * before)) return std::nullopt;

  Swapped next{found, explained};
  next.found[gives_way] = std::move(fresh);
  double now = 0.0;
  for (int i = 0; i < kRefinements; ++i) {
    ctx.check_stop();
    std::vector<Step> columns;
    refine(views, limits, next.found, columns);
    for (std::size_t c = 0; c < columns.size(); ++c) next.explained[c] = columns[c].explained;
    const double last = std::exchange(now, total(next.explained));
    if (i > 0 && !(now > last * (1.0 + kRefineProgress))) break;
  }
  if (!(now > before * (1.0 + kBetter))) return std::nullopt;
  return next;
}

}  // namespace gingham::methods::multiview
