#include "gingham/methods/groupnmf/simulate_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gingham::methods::groupnmf {
namespace {

// 1 / rank^exponent, adding up to 1.
std::vector<double> power_law(Index count, double exponent) {
  std::vector<double> weights(static_cast<std::size_t>(count));
  for (Index r = 0; r < count; ++r) weights[r] = std::pow(static_cast<double>(r + 1), -exponent);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

Wording draw_wording(const Options& options, const std::vector<bool>& has_topic, Rng& rng) {
  const Index n_terms = options.integer("terms"), n_own = options.integer("topic-terms");
  const auto n_topics = static_cast<Index>(has_topic.size());
  const double common = options.real("common");
  const std::vector<double> law = power_law(n_terms, options.real("exponent")),
                            own_law = power_law(n_own, options.real("exponent"));
  const std::vector<Index> order = rng.permutation(n_terms);
  Wording made{Matrix(n_terms, n_topics), Matrix(n_terms, n_topics), {}};
  for (Index c = 0; c < n_topics; ++c) {
    const std::vector<Index> own = rng.sample(n_terms, n_own);
    std::vector<double>& sums = made.sums.emplace_back();
    if (!has_topic[c]) continue;
    for (Index t = 0; t < n_terms; ++t) made.probabilities(order[t], c) = common * law[t];
    for (Index r = 0; r < n_own; ++r) {
      made.own(own[r], c) = 1.0;
      made.probabilities(own[r], c) += (1.0 - common) * own_law[r];
    }
    double sum = 0.0;
    for (Index t = 0; t < n_terms; ++t) sums.push_back(sum += made.probabilities(t, c));
  }
  return made;
}

std::vector<Index> draw_words(const Document& document, const Wording& wording,
                              const Options& options, Rng& rng) {
  std::vector<Index> words(
      static_cast<std::size_t>(std::max<Index>(rng.poisson(options.real("length")), 1)));
  for (Index& word : words) {
    const bool is_own = rng.uniform() < options.real("purity");
    const std::vector<double>& sums = wording.sums[is_own ? document.topic : document.other];
    const double at = rng.uniform() * sums.back();
    word = std::upper_bound(sums.begin(), sums.end() - 1, at) - sums.begin();
  }
  return words;
}

Matrix mixtures(const std::vector<Document>& documents, const Options& options) {
  const double length = options.real("length"), purity = options.real("purity");
  Matrix h(options.integer("topics"), std::ssize(documents));
  for (Index j = 0; j < h.cols(); ++j) {
    h(documents[j].topic, j) += length * purity;
    h(documents[j].other, j) += length * (1.0 - purity);
  }
  return h;
}

void WordCounts::add(Index row, Index column) {
  rows_.push_back(static_cast<std::int32_t>(row));
  columns_.push_back(static_cast<std::int32_t>(column));
}

SparseMatrix WordCounts::matrix(Index rows, Index columns) const {
  const Index n_words = std::ssize(rows_);
  Array<std::int32_t> row(n_words), column(n_words);
  Array<double> value(n_words);
  std::copy(rows_.begin(), rows_.end(), row.data());
  std::copy(columns_.begin(), columns_.end(), column.data());
  std::fill_n(value.data(), n_words, 1.0);
  return SparseMatrix::from_triplets(rows, columns, std::move(row), std::move(column),
                                     std::move(value), Duplicates::sum);
}

std::vector<OptionRecord> word_options(const std::string& terms, const std::string& topic_terms) {
  return {
      integer_option("terms", terms, 1, 1e7, "Terms, of each language where there are several."),
      integer_option("topic-terms", topic_terms, 1, 1e7, "Terms that a topic has of its own."),
      real_option("exponent", "1", 0, 10, "Frequencies of terms fall as this power of their rank."),
      real_option("common", "0.3", 0, 1, "Share of words that say nothing about a topic."),
      real_option("purity", "0.7", 0, 1,
                  "Share of a document's words that are of its topic; the rest is of another."),
      real_option("length", "80", 0, 1e4, "Words of a document, on average.")};
}

void check_words(const Options& options, Index rows, Index columns) {
  if (options.integer("topic-terms") > options.integer("terms")) {
    throw Error(ErrorCode::usage, "--topic-terms",
                "a topic's own terms are some of all: --topic-terms must be at most --terms");
  }
  constexpr Index kMost = std::numeric_limits<std::int32_t>::max();
  if (rows > kMost || columns > kMost) {
    throw Error(ErrorCode::usage, "--terms",
                fmt::format("{} x {}: a sparse matrix has at most {} rows and as many columns",
                            rows, columns, kMost));
  }
  checked_mul(rows, options.integer("topics"), "terms x topics");
}

}  // namespace gingham::methods::groupnmf
