#include "annotate/terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "annotate/folds.hpp"
#include "annotate/svm.hpp"
#include "gingham/base/text.hpp"
#include "gingham/metrics/auc.hpp"
#include "gingham/metrics/confusion.hpp"

namespace gingham::annotate {
namespace {

constexpr std::array<double, 6> kCosts{1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0};
constexpr double kUsualCost = 1e-3;  // where too few bags have a term to choose
constexpr Index kInnerFolds = 3;

using Labels01 = std::vector<Index>;

struct Term {
  std::string name;
  Labels01 labels;  // 1 for the bags that have it
  std::vector<Split> splits = {};
};

std::vector<Index> decided(const std::vector<double>& values) {
  std::vector<Index> classes;
  for (const double value : values) classes.push_back(value > 0.0 ? 1 : 0);
  return classes;
}

std::vector<double> decision_values(const Classifier& classifier, const Matrix& x,
                                    const std::vector<Index>& items) {
  std::vector<double> values;
  for (const Index i : items) values.push_back(classifier.decide(x.row(i)));
  return values;
}

template <class T>
std::vector<T> picked(const std::vector<T>& all, const std::vector<Index>& items) {
  std::vector<T> some;
  for (const Index i : items) some.push_back(all[static_cast<std::size_t>(i)]);
  return some;
}

// Sees nothing but the training part.
double choose_cost(const Matrix& x, const Labels01& labels, const std::vector<Index>& training,
                   Rng rng) {
  const Labels01 own = picked(labels, training);
  const Index n_folds = std::min(kInnerFolds, rarer_count(own));
  if (n_folds < 2) return kUsualCost;
  const std::vector<Split> splits = stratified_folds(own, n_folds, rng);
  std::array<double, kCosts.size()> sums{};
  for (const Split& split : splits) {
    const std::vector<Index> test = picked(training, split.test);
    const Labels01 truth = picked(labels, test);
    Machine machine(x, labels, picked(training, split.training));
    for (std::size_t c = 0; c < kCosts.size(); ++c)
      sums[c] += auc(decision_values(machine.train(kCosts[c]), x, test), truth);
  }
  return kCosts[static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) -
                                         sums.begin())];
}

FoldScore score_fold(const Matrix& x, const Term& term, std::size_t fold,
                     const TermOptions& options) {
  const Split& split = term.splits[fold];
  const double cost = options.cost
                          ? *options.cost
                          : choose_cost(x, term.labels, split.training,
                                        Rng::named(options.seed, "cost " + term.name, fold));
  const Classifier classifier = Machine(x, term.labels, split.training).train(cost);
  const std::vector<double> values = decision_values(classifier, x, split.test);
  const Labels01 truth = picked(term.labels, split.test);
  const Confusion counts = confusion(decided(values), truth);
  const Index right = counts.true_positives + counts.true_negatives;
  FoldScore score{
      .cost = cost,
      .measures = {.accuracy = static_cast<double>(right) / static_cast<double>(truth.size()),
                   .auc = auc(values, truth),
                   .sensitivity = counts.sensitivity(),
                   .specificity = counts.specificity()}};
  for (std::size_t i = 0; i < values.size(); ++i)
    score.decisions.push_back({split.test[i], truth[i] == 1, values[i]});
  return score;
}

// The most frequent first.
std::vector<Term> rank_terms(const std::vector<std::vector<std::string>>& terms) {
  std::map<std::string, Labels01> by_name;
  for (std::size_t bag = 0; bag < terms.size(); ++bag) {
    for (const std::string& name : terms[bag]) {
      Labels01& labels = by_name.try_emplace(name, terms.size(), 0).first->second;
      labels[bag] = 1;
    }
  }
  std::vector<Term> ranked;
  for (auto& [name, labels] : by_name) ranked.push_back({name, std::move(labels)});
  std::stable_sort(ranked.begin(), ranked.end(), [](const Term& a, const Term& b) {
    return std::count(a.labels.begin(), a.labels.end(), 1) >
           std::count(b.labels.begin(), b.labels.end(), 1);
  });
  return ranked;
}

// Cuts, or nothing where a class has not enough bags to be in training and test.
std::vector<Split> splits_of(const Term& term, const TermOptions& options) {
  const Rng rng = Rng::named(options.seed, "folds " + term.name);
  const Index rarer = rarer_count(term.labels);
  if (rarer < 2) return {};
  if (options.train_fraction)
    return stratified_cuts(term.labels, options.folds, *options.train_fraction, rng);
  return stratified_folds(term.labels, std::min(options.folds, rarer), rng);
}

template <class Use>
void for_each_measure(Use&& use) {
  for (double Measures::*member :
       {&Measures::accuracy, &Measures::auc, &Measures::sensitivity, &Measures::specificity})
    use(member);
}

}  // namespace

Measures TermScore::mean() const {
  Measures mean;
  for_each_measure([&](double Measures::*member) {
    for (const FoldScore& fold : folds)
      mean.*member += fold.measures.*member / static_cast<double>(folds.size());
  });
  return mean;
}

Measures TermScore::deviation() const {
  Measures deviation;
  const Measures middle = mean();
  if (folds.size() < 2) return deviation;
  for_each_measure([&](double Measures::*member) {
    double squares = 0.0;
    for (const FoldScore& fold : folds)
      squares += std::pow(fold.measures.*member - middle.*member, 2);
    deviation.*member = std::sqrt(squares / static_cast<double>(folds.size() - 1));
  });
  return deviation;
}

Measures TermScores::weighted_mean() const {
  Measures mean;
  double total = 0.0;
  for (const TermScore& term : terms) total += static_cast<double>(term.n_bags);
  for_each_measure([&](double Measures::*member) {
    for (const TermScore& term : terms)
      mean.*member += term.mean().*member * static_cast<double>(term.n_bags) / total;
  });
  return mean;
}

TermScores score_terms(const Matrix& x, const std::vector<std::vector<std::string>>& terms,
                       const TermOptions& options, Executor& executor) {
  std::vector<Term> ranked = rank_terms(terms);
  if (ranked.empty()) throw Error(ErrorCode::input, "", "no bag has a term");
  if (std::ssize(ranked) > options.top_terms)
    ranked.resize(static_cast<std::size_t>(options.top_terms));
  TermScores scores;
  std::vector<Term> learned;
  for (Term& term : ranked) {
    term.splits = splits_of(term, options);
    if (!term.splits.empty()) {
      learned.push_back(std::move(term));
      continue;
    }
    scores.left_out.push_back(
        fmt::format("'{}' is left out: fewer than two bags {} it", printable(term.name, 60),
                    std::count(term.labels.begin(), term.labels.end(), 1) < 2 ? "have" : "lack"));
  }
  if (learned.empty())
    throw Error(ErrorCode::input, "", "no term can be learned: " + scores.left_out.front());
  std::vector<std::pair<std::size_t, std::size_t>> tasks;  // term, fold
  for (std::size_t t = 0; t < learned.size(); ++t) {
    scores.terms.push_back(
        {.term = learned[t].name,
         .n_bags = std::count(learned[t].labels.begin(), learned[t].labels.end(), 1),
         .folds = std::vector<FoldScore>(learned[t].splits.size())});
    for (std::size_t f = 0; f < learned[t].splits.size(); ++f) tasks.emplace_back(t, f);
  }
  executor.map(std::ssize(tasks), [&](Index task) {
    const auto [t, f] = tasks[static_cast<std::size_t>(task)];
    scores.terms[t].folds[f] = score_fold(x, learned[t], f, options);
  });
  return scores;
}

}  // namespace gingham::annotate
