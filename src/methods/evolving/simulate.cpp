// A developing brain. Voxel v of age i lies in region r; gene j has there the mean
//
//   mu = depth_i * gain_v * (background * b_j + strength_i * level * p_irj)
//
// b_j = exp(N(0, 0.5^2)). p_irj is 0 unless gene j is in the region's programme, a random set that
// stays the same at all ages; there p_0rj = exp(N(0, 0.5^2)), and from one age to the next it is
// multiplied by exp(N(0, drift^2)). Programmes may share genes. depth_i = exp(N(0, 0.3^2)) is how
// strongly an age was stained, gain_v = exp(N(0, gain^2)) how much tissue a voxel holds,
// strength_i, uniform between `weakest` and 1, how far its regions stand out. Age i has voxels *
// growth^(i / (ages - 1)) voxels; a region's share of them is proportional to exp(N(0, 0.3^2)) at
// first and moves by a factor exp(N(0, 0.2^2)) per age.
//
// What is measured is never negative, and its variance is noise * mu:
//
//   x ~ Gamma(shape mu / noise, scale noise),      with --counts  x ~ Poisson(mu / noise)
//
// so that row and column sums are positive unless the background is 0 or (for counts) very low.
//
// What is planted is drawn first, then the values, then which cells are missing: neither the noise
// nor the share of missing cells changes what is planted.
#include "gingham/methods/evolving/simulate.hpp"

#include <cmath>
#include <numeric>

#include "gingham/methods/evolving/simulate_missing.hpp"
#include "gingham/methods/evolving/simulate_names.hpp"

namespace gingham::methods::evolving {
namespace {

constexpr double kGeneSpread = 0.5;    // of the logarithms of gene levels
constexpr double kDepthSpread = 0.3;   // of the logarithm of an age's depth
constexpr double kShareSpread = 0.3;   // of the logarithms of the regions' shares at the first age
constexpr double kShareStep = 0.2;     // of their change from age to age
constexpr double kLargestCount = 1e4;  // a count takes time in proportion to its mean

double log_normal(double spread, Rng& rng) { return std::exp(spread * rng.normal()); }

// Marsaglia and Tsang 2000; a shape below 1 is drawn one higher and pulled down by a uniform.
double draw_gamma(double shape, Rng& rng) {
  if (shape < 1.0) {
    const double higher = draw_gamma(shape + 1.0, rng);
    return higher * std::pow(1.0 - rng.uniform(), 1.0 / shape);
  }
  const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = rng.normal();
    const double root = 1.0 + c * x;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    if (std::log(1.0 - rng.uniform()) < 0.5 * x * x + d * (1.0 - v + std::log(v))) return d * v;
  }
}

// A number below weights.size(), with probabilities in proportion to the weights.
Index draw_one(ConstVec weights, Rng& rng) {
  double left = rng.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0.0) return static_cast<Index>(i);
  }
  return static_cast<Index>(weights.size()) - 1;
}

struct Plan {
  std::vector<double> background;           // per gene
  std::vector<Matrix> programmes;           // per age: genes x regions, p_irj
  std::vector<std::vector<Index>> regions;  // per age: region of each voxel
  std::vector<double> depth, strength;      // per age
  std::vector<std::vector<double>> gains;   // per age: of each voxel
};

std::vector<Matrix> draw_programmes(const Options& options, Rng& rng) {
  const Index t = options.integer("ages"), n = options.integer("genes");
  const Index k = options.integer("regions");
  std::vector<Matrix> programmes(static_cast<std::size_t>(t), Matrix(n, k));
  for (Index r = 0; r < k; ++r) {
    for (const Index j : rng.sample(n, options.integer("programme"))) {
      double level = log_normal(kGeneSpread, rng);
      for (Matrix& now : programmes) {
        now(j, r) = level;
        level *= log_normal(options.real("drift"), rng);
      }
    }
  }
  return programmes;
}

// Every region has at least one voxel at every age.
std::vector<std::vector<Index>> draw_regions(const Options& options, Rng& rng) {
  const Index t = options.integer("ages"), k = options.integer("regions");
  std::vector<double> shares(static_cast<std::size_t>(k));
  for (double& share : shares) share = log_normal(kShareSpread, rng);
  std::vector<std::vector<Index>> regions;
  for (Index i = 0; i < t; ++i) {
    const double time = t > 1 ? static_cast<double>(i) / static_cast<double>(t - 1) : 0.0;
    const auto m = static_cast<Index>(std::llround(static_cast<double>(options.integer("voxels")) *
                                                   std::pow(options.real("growth"), time)));
    std::vector<Index> now(static_cast<std::size_t>(m));
    const std::vector<Index> places = rng.permutation(m);
    for (Index v = 0; v < m; ++v) now[places[v]] = v < k ? v : draw_one(shares, rng);
    regions.push_back(std::move(now));
    for (double& share : shares) share *= log_normal(kShareStep, rng);
  }
  return regions;
}

Plan draw_plan(const Options& options, Rng& rng) {
  Plan plan;
  plan.programmes = draw_programmes(options, rng);
  plan.regions = draw_regions(options, rng);
  for (Index i = 0; i < options.integer("ages"); ++i) {
    plan.depth.push_back(log_normal(kDepthSpread, rng));
    plan.strength.push_back(1.0 - (1.0 - options.real("weakest")) * rng.uniform());
  }
  for (const std::vector<Index>& voxels : plan.regions) {
    plan.gains.emplace_back();
    for (std::size_t v = 0; v < voxels.size(); ++v) {
      plan.gains.back().push_back(log_normal(options.real("gain"), rng));
    }
  }
  for (Index j = 0; j < options.integer("genes"); ++j)
    plan.background.push_back(options.real("background") * log_normal(kGeneSpread, rng));
  return plan;
}

Matrix draw_values(const Plan& plan, Index age, const Options& options, Rng& rng) {
  const auto n = static_cast<Index>(plan.background.size());
  const std::vector<Index>& regions = plan.regions[age];
  const double noise = options.real("noise"), height = plan.strength[age] * options.real("level");
  Matrix x(static_cast<Index>(regions.size()), n);
  for (Index v = 0; v < x.rows(); ++v) {
    for (Index j = 0; j < n; ++j) {
      const double mean = plan.depth[age] * plan.gains[age][v] *
                          (plan.background[j] + height * plan.programmes[age](j, regions[v]));
      if (options.flag("counts")) {
        x(v, j) = static_cast<double>(rng.poisson(mean / noise));
      } else {
        x(v, j) = mean > 0.0 && noise > 0.0 ? noise * draw_gamma(mean / noise, rng) : mean;
      }
    }
  }
  return x;
}

void check_brain(const Options& options) {
  if (options.integer("regions") > options.integer("voxels")) {
    throw Error(ErrorCode::usage, "--regions",
                "every region needs a voxel at the first age: --regions must be at most --voxels");
  }
  if (options.integer("programme") > options.integer("genes")) {
    throw Error(ErrorCode::usage, "--programme",
                "a programme is a set of genes: --programme must be at most --genes");
  }
  const double largest = options.real("level") + options.real("background");
  if (options.flag("counts") && !(largest < kLargestCount * options.real("noise"))) {
    throw Error(ErrorCode::usage, "--counts",
                "the mean count is (background + level) / noise and must be below 10000: give "
                "--noise a larger value");
  }
}

Simulation make_brain(const Options& options, Rng rng) {
  check_brain(options);
  const Plan plan = draw_plan(options, rng);
  const Index t = options.integer("ages");
  std::vector<Matrix> ages;
  for (Index i = 0; i < t; ++i) ages.push_back(draw_values(plan, i, options, rng));
  Simulation simulation;
  const bool has_names = options.flag("names");
  for (Index i = 0; i < t; ++i) {
    hide(ages[i], options.real("missing"), rng);
    const std::string name = has_names ? age_name(i, t) : "data_" + std::to_string(i);
    std::vector<Labels> labels;
    if (has_names) labels = {voxel_names(plan.regions[i]), gene_names(ages[i].cols())};
    if (options.flag("counts")) {
      simulation.blocks.emplace_back(name, SparseMatrix::from_dense(ages[i]), std::move(labels));
    } else {
      simulation.blocks.emplace_back(name, std::move(ages[i]), std::move(labels));
    }
  }
  for (Index i = 0; i < t; ++i)
    simulation.memberships.push_back(membership_of("rows", i, plan.regions[i]));
  for (Index i = 0; i < t; ++i)
    simulation.memberships.push_back(membership_of("columns", i, plan.programmes[i]));
  simulation.truth = {{"depth", plan.depth}, {"strength", plan.strength}};
  return simulation;
}

}  // namespace

Simulator simulator() {
  return {
      .name = "evolving",
      .title =
          "A small developing brain: voxels x genes at several ages, regions with gene "
          "programmes",
      .options = {integer_option("ages", "7", 1, 1e4, "Matrices, one per age."),
                  integer_option("voxels", "100", 1, 1e7, "Rows at the first age."),
                  real_option("growth", "3", 1, 1e3,
                              "Rows at the last age, as a multiple of those at the first."),
                  integer_option("genes", "900", 1, 1e7, "Columns, the same at all ages."),
                  integer_option("regions", "6", 1, 1e6, "Regions the voxels belong to."),
                  integer_option("programme", "30", 1, 1e7, "Genes of each region."),
                  real_option("level", "1.5", 0, 1e100,
                              "Typical mean of a programme's genes at full strength."),
                  real_option("background", "0.05", 0, 1e100,
                              "Typical mean of every gene everywhere."),
                  real_option("weakest", "0.3", 0, 1,
                              "An age's strength is drawn between this share and 1."),
                  real_option("gain", "0", 0, 3,
                              "Spread of the voxels' own log levels: how much tissue each holds."),
                  real_option("drift", "0.2", 0, 1,
                              "Change of a programme gene's log level from age to age."),
                  real_option("noise", "4", 0, 1e100, "Variance of a cell over its mean."),
                  missing_option(),
                  {.name = "counts",
                   .type = OptionType::flag,
                   .initial = "no",
                   .help = "Counts instead of levels, as sparse matrices."},
                  {.name = "names",
                   .type = OptionType::flag,
                   .initial = "no",
                   .help = "Names for ages, voxels (with their regions) and genes."}},
      .make = make_brain};
}

}  // namespace gingham::methods::evolving
