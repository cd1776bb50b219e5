// View 0, markers. A subject has two chromosomes; a marker counts the minor alleles, 0, 1 or 2.
// Cluster c has `risk-markers` markers on one haplotype, which a chromosome carries with
// probability q_c:
//
//   P(minor allele) = linkage on a chromosome that carries it,  background on any other
//
// r_ic is the number of cluster c's markers at which subject i has a minor allele; the subject
// belongs to the first cluster with r_ic > over. q_c is set so that this is, on average, the share
// of the subjects that was asked for.
//
// All other markers have a frequency f_j between 0.05 and 0.5 with density proportional to 1 / f.
// They lie in blocks of `block` markers. A chromosome has one uniform number per block; at each
// marker it uses this with probability block-linkage and otherwise a fresh one, and has the minor
// allele where the number is below f_j.
//
// View 1, clinical features. Subject i has the signs of cluster c where
//
//   e r_ic + N(0, 1) > 7.5 e
//
// and then each of the cluster's three features with probabilities 0.6, 0.5, 0.4. Decoys, groups of
// random subjects, have two features each, with probabilities 0.6 and 0.5. Everything else is 1
// with probability 0.1.
//
// Neither e nor what is missing changes the markers, the clusters or the decoys.
#include "gingham/methods/multiview/simulate.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "gingham/methods/multiview/simulate_names.hpp"

namespace gingham::methods::multiview {
namespace {

constexpr double kRarest = 0.05, kMostCommon = 0.5;  // minor allele frequencies
constexpr double kSigns = 0.75;                      // share of the risk variants
constexpr std::array<double, 3> kClusterFeatures{0.6, 0.5, 0.4};
constexpr std::array<double, 2> kDecoyFeatures{0.6, 0.5};
constexpr double kAnyFeature = 0.1;

struct Risk {
  double haplotype = 0.0;  // q_c
  std::vector<Index> markers;
};

// P(more than `over` of n) when each has probability p.
double tail(Index n, Index over, double p) {
  if (p >= 1.0) return 1.0;
  if (p <= 0.0) return 0.0;
  double sum = 0.0;
  for (Index k = over + 1; k <= n; ++k) {
    const auto size = static_cast<double>(n), count = static_cast<double>(k);
    sum += std::exp(std::lgamma(size + 1) - std::lgamma(count + 1) - std::lgamma(size - count + 1) +
                    count * std::log(p) + (size - count) * std::log1p(-p));
  }
  return sum;
}

// P(r > over) when a chromosome carries the haplotype with probability q.
double member_probability(const Options& options, double q) {
  const Index n = options.integer("risk-markers"), over = options.integer("over");
  const double a = 1.0 - options.real("linkage"), b = 1.0 - options.real("background");
  return (1.0 - q) * (1.0 - q) * tail(n, over, 1.0 - b * b) +
         2.0 * q * (1.0 - q) * tail(n, over, 1.0 - a * b) + q * q * tail(n, over, 1.0 - a * a);
}

// The q at which a subject has more than `over` risk variants with this probability: the tails grow
// with the number of carrying chromosomes, so the probability grows with q.
double haplotype_frequency(const Options& options, double wanted) {
  double low = 0.0, high = 1.0;
  if (wanted < member_probability(options, low) || wanted > member_probability(options, high)) {
    throw Error(
        ErrorCode::usage, "--shares",
        fmt::format(
            "a share of {:.3g} of the subjects not in an earlier cluster cannot be had: with these "
            "--linkage, --background, --risk-markers and --over it lies between {:.3g} and {:.3g}",
            wanted, member_probability(options, low), member_probability(options, high)));
  }
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (member_probability(options, middle) < wanted ? low : high) = middle;
  }
  return high;
}

// q_c per cluster. A subject is left for cluster c with probability 1 - the shares before it.
std::vector<double> haplotype_frequencies(const Options& options) {
  std::vector<double> found;
  double left = 1.0;
  for (const PenaltyValue& share : options.penalties("shares")) {
    const double wanted = share.resolve(1.0);
    if (!(wanted > 0.0 && wanted < left)) {
      throw Error(ErrorCode::usage, "--shares",
                  "expected shares above 0, as 0.2 or 20%, that add up to less than 1");
    }
    found.push_back(haplotype_frequency(options, wanted / left));
    left -= wanted;
  }
  return found;
}

void check(const Options& options) {
  if (options.integer("over") >= options.integer("risk-markers")) {
    throw Error(ErrorCode::usage, "--over",
                "a cluster has more risk variants than that: --over must be below --risk-markers");
  }
  const Index clusters = std::ssize(options.penalties("shares"));
  if (clusters * options.integer("risk-markers") > options.integer("markers")) {
    throw Error(ErrorCode::usage, "--risk-markers",
                fmt::format("{} clusters with {} risk markers each need more than {} markers",
                            clusters, options.integer("risk-markers"), options.integer("markers")));
  }
  if (options.real("linkage") < options.real("background")) {
    throw Error(ErrorCode::usage, "--linkage",
                "carriers have the risk variants more often than others: --linkage must be at "
                "least --background");
  }
  checked_mul(options.integer("subjects"), options.integer("markers"), "subjects x markers");
}

// Adds to the markers of one chromosome of one subject.
void add_risk_alleles(std::span<double> row, const Risk& risk, const Options& options, Rng& rng) {
  const bool carries = rng.uniform() < risk.haplotype;
  const double probability = options.real(carries ? "linkage" : "background");
  for (const Index j : risk.markers) row[j] += rng.uniform() < probability ? 1.0 : 0.0;
}

void add_other_alleles(std::span<double> row, const std::vector<Index>& others,
                       const std::vector<double>& frequencies, const Options& options, Rng& rng) {
  const Index block = options.integer("block");
  double shared = 0.0;
  for (Index at = 0; at < std::ssize(others); ++at) {
    if (at % block == 0) shared = rng.uniform();
    const bool is_linked = rng.uniform() < options.real("block-linkage");
    const double number = is_linked ? shared : rng.uniform();
    row[others[at]] += number < frequencies[at] ? 1.0 : 0.0;
  }
}

Matrix draw_markers(const std::vector<Risk>& risks, const Options& options, Rng& rng) {
  Matrix x(options.integer("subjects"), options.integer("markers"));
  std::vector<bool> is_risk(static_cast<std::size_t>(x.cols()));
  for (const Risk& risk : risks) {
    for (const Index j : risk.markers) is_risk[j] = true;
  }
  std::vector<Index> others;
  std::vector<double> frequencies;
  for (Index j = 0; j < x.cols(); ++j) {
    if (is_risk[j]) continue;
    others.push_back(j);
    frequencies.push_back(kRarest * std::pow(kMostCommon / kRarest, rng.uniform()));
  }
  for (Index i = 0; i < x.rows(); ++i) {
    const std::span<double> row(x.data() + i * x.cols(), static_cast<std::size_t>(x.cols()));
    for (int chromosome = 0; chromosome < 2; ++chromosome) {
      for (const Risk& risk : risks) add_risk_alleles(row, risk, options, rng);
      add_other_alleles(row, others, frequencies, options, rng);
    }
  }
  return x;
}

std::vector<Risk> draw_risks(const Options& options, Rng& rng) {
  const std::vector<double> frequencies = haplotype_frequencies(options);
  const Index size = options.integer("risk-markers");
  const std::vector<Index> places =
      rng.sample(options.integer("markers"), std::ssize(frequencies) * size);
  std::vector<Risk> risks;
  for (std::size_t c = 0; c < frequencies.size(); ++c) {
    const auto first = places.begin() + static_cast<Index>(c) * size;
    risks.push_back({frequencies[c], {first, first + size}});
  }
  return risks;
}

// r_ic, subjects x clusters.
Matrix count_variants(const Matrix& markers, const std::vector<Risk>& risks) {
  Matrix counts(markers.rows(), std::ssize(risks));
  for (Index i = 0; i < counts.rows(); ++i) {
    for (Index c = 0; c < counts.cols(); ++c) {
      for (const Index j : risks[c].markers) counts(i, c) += markers(i, j) > 0.0 ? 1.0 : 0.0;
    }
  }
  return counts;
}

std::vector<Index> clusters_of(const Matrix& counts, const Options& options) {
  std::vector<Index> labels(static_cast<std::size_t>(counts.rows()), -1);
  for (Index i = 0; i < counts.rows(); ++i) {
    for (Index c = counts.cols(); c-- > 0;) {
      if (counts(i, c) > static_cast<double>(options.integer("over"))) labels[i] = c;
    }
  }
  return labels;
}

// 1 where a random subject is in a decoy; subjects x decoys.
Matrix draw_decoys(const Options& options, Rng& rng) {
  const Index n = options.integer("subjects");
  Matrix decoys(n, options.integer("decoys"));
  const auto size =
      static_cast<Index>(std::llround(options.real("decoy-share") * static_cast<double>(n)));
  for (Index d = 0; d < decoys.cols(); ++d) {
    for (const Index i : rng.sample(n, size)) decoys(i, d) = 1.0;
  }
  return decoys;
}

// 1 where a subject has the signs of a cluster. The limit is 7.5 e for the paper's ten markers.
Matrix draw_signs(const Matrix& counts, const Options& options, Rng& rng) {
  const double e = options.real("e");
  const double limit = kSigns * static_cast<double>(options.integer("risk-markers"));
  Matrix signs(counts.rows(), counts.cols());
  for (Index i = 0; i < signs.rows(); ++i) {
    for (Index c = 0; c < signs.cols(); ++c)
      signs(i, c) = e * counts(i, c) + rng.normal() > e * limit ? 1.0 : 0.0;
  }
  return signs;
}

Matrix draw_features(const Matrix& signs, const Matrix& decoys, const Options& options, Rng& rng) {
  const auto own = std::ssize(kClusterFeatures), decoy = std::ssize(kDecoyFeatures);
  const Index clustered = signs.cols() * own, meant = clustered + decoys.cols() * decoy;
  Matrix x(signs.rows(), meant + options.integer("other-features"));
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      double probability = kAnyFeature;
      if (j < clustered) {
        if (signs(i, j / own) > 0.0) probability = kClusterFeatures[j % own];
      } else if (j < meant) {
        const Index at = j - clustered;
        if (decoys(i, at / decoy) > 0.0) probability = kDecoyFeatures[at % decoy];
      }
      x(i, j) = rng.uniform() < probability ? 1.0 : 0.0;
    }
  }
  return x;
}

// Single cells, then for some subjects the whole of one view: everybody keeps the other.
void hide(std::array<Matrix*, 2> views, const Options& options, Rng& rng) {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  for (Matrix* view : views) {
    for (double& value : view->values()) {
      if (rng.uniform() < options.real("missing")) value = kMissing;
    }
  }
  for (Index i = 0; i < views[0]->rows(); ++i) {
    Matrix& view = *views[rng.below(2)];
    if (!(rng.uniform() < options.real("missing-views"))) continue;
    for (Index j = 0; j < view.cols(); ++j) view(i, j) = kMissing;
  }
}

std::vector<Index> marker_labels(const std::vector<Risk>& risks, Index markers) {
  std::vector<Index> labels(static_cast<std::size_t>(markers), -1);
  for (std::size_t c = 0; c < risks.size(); ++c) {
    for (const Index j : risks[c].markers) labels[j] = static_cast<Index>(c);
  }
  return labels;
}

std::vector<Index> feature_labels(Index features, Index clusters) {
  std::vector<Index> labels(static_cast<std::size_t>(features), -1);
  for (Index j = 0; j < clusters * std::ssize(kClusterFeatures); ++j)
    labels[j] = j / std::ssize(kClusterFeatures);
  return labels;
}

Simulation make(const Options& options, Rng rng) {
  check(options);
  const std::vector<Risk> risks = draw_risks(options, rng);
  Matrix markers = draw_markers(risks, options, rng);
  Matrix counts = count_variants(markers, risks);
  Matrix decoys = draw_decoys(options, rng);
  Matrix signs = draw_signs(counts, options, rng);
  Matrix features = draw_features(signs, decoys, options, rng);
  hide({&markers, &features}, options, rng);
  Simulation simulation;
  simulation.memberships = {
      membership_of("rows", std::nullopt, clusters_of(counts, options)),
      membership_of("columns", 0, marker_labels(risks, markers.cols())),
      membership_of("columns", 1, feature_labels(features.cols(), std::ssize(risks)))};
  simulation.truth = {
      {"variants", std::move(counts)}, {"signs", std::move(signs)}, {"decoys", std::move(decoys)}};
  std::vector<Labels> of_markers, of_features;
  if (options.flag("names")) {
    of_markers = {subject_names(markers.rows()), marker_names(markers.cols())};
    of_features = {of_markers[0], feature_names(features.cols())};
  }
  simulation.blocks.emplace_back("markers", std::move(markers), std::move(of_markers));
  simulation.blocks.emplace_back("features", std::move(features), std::move(of_features));
  return simulation;
}

}  // namespace

Simulator simulator() {
  return {
      .name = "multiview",
      .title = "Genetic markers and clinical features of the same subjects, with risk clusters",
      .options = {integer_option("subjects", "1092", 1, 1e7, "Rows of both views."),
                  integer_option("markers", "1000", 1, 1e7, "Columns of the genetic view."),
                  {.name = "shares",
                   .type = OptionType::penalties,
                   .initial = "22.6%,15.3%",
                   .min = 0,
                   .help = "Expected share of the subjects in each cluster; as many clusters as "
                           "shares."},
                  integer_option("risk-markers", "10", 1, 1e6, "Risk markers of each cluster."),
                  integer_option("over", "8", 0, 1e6,
                                 "Subjects with more risk variants than that are in the cluster."),
                  real_option("linkage", "0.95", 0, 1,
                              "Probability of a risk variant on a chromosome with the haplotype."),
                  real_option("background", "0.1", 0, 1,
                              "Probability of a risk variant on any other chromosome."),
                  integer_option("block", "5", 1, 1e7,
                                 "Markers, other than risk markers, that are linked."),
                  real_option("block-linkage", "0.5", 0, 1,
                              "Probability that such a marker goes with its block."),
                  real_option("e", "1", 0, 1e100,
                              "How closely the clinical view follows the markers; the paper has 1, "
                              "0.8, 0.6 and 0.4."),
                  integer_option("decoys", "2", 0, 1e6,
                                 "Groups of random subjects in the clinical view."),
                  real_option("decoy-share", "0.1832", 0, 1, "Share of the subjects in each."),
                  integer_option("other-features", "0", 0, 1e7,
                                 "Further clinical features, of no group."),
                  real_option("missing", "0", 0, 0.99, "Probability that a cell is missing (NaN)."),
                  real_option("missing-views", "0", 0, 1,
                              "Probability that a subject misses one of the two views."),
                  {.name = "names",
                   .type = OptionType::flag,
                   .initial = "no",
                   .help = "Names for subjects, markers and features."}},
      .make = make};
}

}  // namespace gingham::methods::multiview
