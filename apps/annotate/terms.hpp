// One classifier per term against the rest, scored on bags it has not seen.
//
// For each term the bags are cut into stratified folds (or random cuts); of each cut the training
// part alone chooses C (by the mean area under the curve of an inner cross-validation, the smallest
// C on ties), the scaling and the classifier, which then decides about the test part.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/data/matrix.hpp"

namespace gingham::annotate {

struct TermOptions {
  Index top_terms = 10;
  Index folds = 5;
  std::uint64_t seed = 0;
  std::optional<double> cost = {};            // chosen where it is not given
  std::optional<double> train_fraction = {};  // random cuts instead of folds
};

struct Measures {
  double accuracy = 0.0, auc = 0.0, sensitivity = 0.0, specificity = 0.0;
};

struct Decision {
  Index bag = 0;
  bool truth = false;
  double value = 0.0;  // above zero: the bag has the term
};

struct FoldScore {
  double cost = 0.0;
  Measures measures = {};
  std::vector<Decision> decisions = {};  // of the test part
};

struct TermScore {
  std::string term;
  Index n_bags = 0;  // that have it
  std::vector<FoldScore> folds = {};

  Measures mean() const;       // over the folds
  Measures deviation() const;  // between the folds: divided by folds - 1, 0 for one
};

struct TermScores {
  std::vector<TermScore> terms = {};       // the most frequent first, by name on ties
  std::vector<std::string> left_out = {};  // too few bags with or without it, a sentence each

  // Weighted by how many bags have a term.
  Measures weighted_mean() const;
};

// x: bags x features; terms[i] are those of bag i. Throws Error{input} where no term can be
// learned.
TermScores score_terms(const Matrix& x, const std::vector<std::vector<std::string>>& terms,
                       const TermOptions& options, Executor& executor);

}  // namespace gingham::annotate
