// Words of documents about topics, drawn one by one.
#pragma once
#include "gingham/base/rng.hpp"
#include "gingham/data/sparse_matrix.hpp"
#include "gingham/engine/options.hpp"

namespace gingham::methods::groupnmf {

// What the words of one language say about topics. A word of topic c is term t with probability
//
//   p_tc = common b_t + (1 - common) o_tc
//
// b_t falls as a power of the rank of t among all terms, in random order; o_tc as the same power of
// its rank among the topic's own terms, and is 0 for the others.
struct Wording {
  Matrix probabilities;  // terms x topics; a column of zeros: the language lacks the topic
  Matrix own;            // 1 at a topic's own terms
  std::vector<std::vector<double>> sums;  // per topic: of the probabilities, up to each term
};

Wording draw_wording(const Options& options, const std::vector<bool>& has_topic, Rng& rng);

// A document: a share `purity` of its words, on average, is of its topic, the rest of another.
struct Document {
  Index topic = 0, other = 0;
};

// Terms of a document: about `length` words, at least one.
std::vector<Index> draw_words(const Document& document, const Wording& wording,
                              const Options& options, Rng& rng);

// Expected counts are the probabilities times this; topics x documents.
Matrix mixtures(const std::vector<Document>& documents, const Options& options);

// Counts as a matrix from (row, column) of each word.
class WordCounts {
 public:
  void add(Index row, Index column);
  SparseMatrix matrix(Index rows, Index columns) const;

 private:
  std::vector<std::int32_t> rows_, columns_;
};

// --terms, --topic-terms, --exponent, --common, --purity, --length.
std::vector<OptionRecord> word_options(const std::string& terms, const std::string& topic_terms);
// Throws Error{usage} when they do not fit together, or the matrix would be too large.
void check_words(const Options& options, Index rows, Index columns);

}  // namespace gingham::methods::groupnmf
