#include "gingham/methods/views/grouping.hpp"

#include <fmt/format.h>

#include "gingham/kernels/kmeans_gaps.hpp"
#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::views {
namespace {

// Of the points' sum of squares: eigenvectors are not known any finer.
constexpr double kNoSpread = 1e-16;

std::vector<double> mean_of(const Matrix& points) {
  std::vector<double> mean(static_cast<std::size_t>(points.cols()), 0.0);
  const double share = 1.0 / static_cast<double>(points.rows());
  for (Index i = 0; i < points.rows(); ++i) axpy(share, points.row(i), mean);
  return mean;
}

}  // namespace

std::vector<OptionRecord> grouping_options() {
  return {
      integer_option("clusters", "3", 1, 1e6, "Groups of rows."),
      integer_option("starts", "10", 1, 1e6, "k-means starts in the embedding; the best is kept.")};
}

ArrayInfo grouping_array() { return {"centers", "clusters x width: centres in the embedding"}; }

void Grouping::begin(Matrix points) {
  points_ = std::move(points);
  has_begun_ = true;
}

bool Grouping::step(Context& ctx) {
  if (is_done()) return true;
  ctx.phase("lloyd");
  if (!is_running_) {
    Rng rng =
        Rng::named(ctx.rng("kmeans").bits(), "start", static_cast<std::uint64_t>(starts_done_));
    KMeansState fresh;
    fresh.prepared = lloyd_.prepared;
    kmeans_start(points_, n_clusters_, rng, fresh, ctx.executor(), [&] { ctx.check_stop(); });
    lloyd_ = std::move(fresh);
    is_running_ = true;
    return false;
  }
  if (kmeans_iterate(points_, lloyd_, ctx.executor()) > 0) return false;
  const double inertia = kmeans_inertia(points_, lloyd_, ctx.executor());
  if (starts_done_ == 0 || inertia < best_inertia_) {
    best_ = lloyd_;
    best_inertia_ = inertia;
  }
  is_running_ = false;
  ++starts_done_;
  return is_done();
}

double Grouping::inertia(Executor& executor) const {
  const double inertia = kmeans_inertia(points_, best_, executor);
  return inertia > kNoSpread * sum_squares(points_.values()) ? inertia : 0.0;
}

void Grouping::add_gaps(Terms& terms, Executor& executor, const char* points) const {
  const KMeansGaps gaps = kmeans_gaps(points_, best_, executor);
  terms.gaps.push_back({points, gaps.points});
  terms.gaps.push_back({"centers", spread() > 0.0 ? gaps.centers : 0.0});
}

double Grouping::spread() const {
  const std::vector<double> mean = mean_of(points_);
  double total = 0.0;
  for (Index i = 0; i < points_.rows(); ++i) total += squared_distance(points_.row(i), mean);
  return total > kNoSpread * sum_squares(points_.values()) ? total : 0.0;
}

void Grouping::add_to(Model& model) const {
  const Index n = points_.rows();
  for (Index k = 0; k < n_clusters_; ++k) {
    const auto count = static_cast<double>(best_.counts[k]);
    model.components.push_back(
        {count / static_cast<double>(n), std::nan("")});  // no model of cells
    if (best_.counts[k] == 0) {
      model.notes.push_back(
          fmt::format("cluster {} is empty: there are fewer different points than clusters", k));
    }
  }
  model.memberships = {membership_of("rows", std::nullopt, best_.labels)};
  model.arrays.push_back({"centers", best_.centers});
}

void Grouping::state(Archive& ar) {
  ar("begun", has_begun_)("points", points_)("lloyd", lloyd_)("best", best_);
  ar("inertia", best_inertia_)("starts", starts_done_)("running", is_running_);
}

double grouping_bytes(Index rows, double width, const Options& options) {
  const auto n = static_cast<double>(rows);
  const auto k = static_cast<double>(options.integer("clusters"));
  // Points and a copy on the way, half of it again in single precision, two states; those of two
  // restarts.
  return 2.0 * (8.0 * n * (2.5 * width + 14.0) + 64.0 * k * (width + 2.0));
}

}  // namespace gingham::methods::views
