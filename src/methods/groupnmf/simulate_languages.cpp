// Documents in several languages. A language has terms of its own, and words for some of the topics
// only: each topic is absent from a language with probability `absent`, but never from half of the
// languages or more. So any two topics share a language, and cannot pass for one topic.
//
// A document is about two topics and can be had in the languages that have both. It is seen in one
// of these, drawn at random, and in each other with probability `translated`; its cells in all
// other languages are missing. No document that is seen in a language uses a topic that this lacks.
//
// What is seen is drawn last: `translated` does not change the documents, and with 1 the counts are
// those that the same seed hides otherwise.
#include <algorithm>

#include "gingham/methods/groupnmf/simulate.hpp"
#include "gingham/methods/groupnmf/simulate_words.hpp"

namespace gingham::methods::groupnmf {
namespace {

std::string language_name(Index l) { return "language_" + std::to_string(l); }

// 1 where a topic is in a language; topics x languages.
Matrix draw_used(const Options& options, Rng& rng) {
  Matrix used(options.integer("topics"), options.integer("languages"));
  std::fill(used.values().begin(), used.values().end(), 1.0);
  const Index most = (used.cols() - 1) / 2;
  for (Index c = 0; c < used.rows(); ++c) {
    Index absent = 0;
    for (const Index l : rng.permutation(used.cols())) {
      const bool is_absent = rng.uniform() < options.real("absent");
      if (!is_absent || absent == most) continue;
      used(c, l) = 0.0;
      ++absent;
    }
  }
  return used;
}

std::vector<Wording> draw_wordings(const Matrix& used, const Options& options, Rng& rng) {
  std::vector<Wording> wordings;
  for (Index l = 0; l < used.cols(); ++l) {
    std::vector<bool> has_topic;
    for (Index c = 0; c < used.rows(); ++c) has_topic.push_back(used(c, l) > 0.0);
    wordings.push_back(draw_wording(options, has_topic, rng));
  }
  return wordings;
}

// Every topic has a document if there are as many.
std::vector<Document> draw_documents(const Options& options, Rng& rng) {
  const Index topics = options.integer("topics"), n = options.integer("documents");
  std::vector<Document> documents(static_cast<std::size_t>(n));
  const std::vector<Index> places = rng.permutation(n);
  for (Index d = 0; d < n; ++d) {
    documents[places[d]] = {d < topics ? d : rng.below(topics), rng.below(topics)};
  }
  return documents;
}

bool can_be_had(const Document& document, const Matrix& used, Index l) {
  return used(document.topic, l) > 0.0 && used(document.other, l) > 0.0;
}

// Per document and language: the terms, of which none are where it cannot be had.
using Texts = std::vector<std::vector<std::vector<Index>>>;

Texts write_texts(const std::vector<Document>& documents, const std::vector<Wording>& wordings,
                  const Matrix& used, const Options& options, Rng& rng) {
  Texts texts;
  for (const Document& document : documents) {
    texts.emplace_back();
    for (Index l = 0; l < used.cols(); ++l) {
      texts.back().emplace_back();
      if (!can_be_had(document, used, l)) continue;
      texts.back().back() = draw_words(document, wordings[l], options, rng);
    }
  }
  return texts;
}

// Takes out what is not seen, and returns the names of these languages, with commas between.
std::string hide(std::vector<std::vector<Index>>& text, double translated, Rng& rng) {
  std::vector<Index> there;
  for (Index l = 0; l < std::ssize(text); ++l) {
    if (!text[l].empty()) there.push_back(l);
  }
  const Index original = there[rng.below(std::ssize(there))];
  std::string hidden;
  for (Index l = 0; l < std::ssize(text); ++l) {
    const bool is_translated = rng.uniform() < translated;
    if (l != original && !is_translated) text[l].clear();
    if (text[l].empty()) hidden += (hidden.empty() ? "" : ",") + language_name(l);
  }
  return hidden;
}

SparseMatrix count(const Texts& texts, Index languages, Index terms) {
  WordCounts counts;
  for (Index j = 0; j < std::ssize(texts); ++j) {
    for (Index l = 0; l < languages; ++l) {
      for (const Index term : texts[j][l]) counts.add(l * terms + term, j);
    }
  }
  return counts.matrix(languages * terms, std::ssize(texts));
}

// The languages one below the other.
Matrix stacked(const std::vector<Wording>& wordings, Matrix Wording::*part) {
  const Matrix& first = wordings.front().*part;
  Matrix all(first.rows() * std::ssize(wordings), first.cols());
  double* out = all.data();
  for (const Wording& wording : wordings) {
    const auto values = (wording.*part).values();
    out = std::copy(values.begin(), values.end(), out);
  }
  return all;
}

Simulation make(const Options& options, Rng rng) {
  const Index languages = options.integer("languages"), terms = options.integer("terms");
  const Index rows = checked_mul(languages, terms, "languages x terms");
  check_words(options, rows, options.integer("documents"));
  Matrix used = draw_used(options, rng);
  const std::vector<Wording> wordings = draw_wordings(used, options, rng);
  const std::vector<Document> documents = draw_documents(options, rng);
  Texts texts = write_texts(documents, wordings, used, options, rng);
  NamedLines groups{"groups", {}}, missing{"missing_groups", {}};
  for (Index i = 0; i < rows; ++i) groups.lines.push_back(language_name(i / terms));
  for (auto& text : texts) missing.lines.push_back(hide(text, options.real("translated"), rng));
  std::vector<Index> labels;
  for (const Document& document : documents) labels.push_back(document.topic);
  Simulation simulation;
  simulation.blocks.emplace_back("data", count(texts, languages, terms));
  simulation.lines = {std::move(groups), std::move(missing)};
  simulation.memberships = {membership_of("rows", std::nullopt, stacked(wordings, &Wording::own)),
                            membership_of("columns", std::nullopt, labels)};
  simulation.truth = {{"W", stacked(wordings, &Wording::probabilities)},
                      {"H", mixtures(documents, options)},
                      {"used", std::move(used)}};
  return simulation;
}

}  // namespace

Simulator language_simulator() {
  Simulator made{
      .name = "groupnmf-languages",
      .title = "Word counts of documents in several languages, some topics absent from some",
      .options = {integer_option("languages", "5", 1, 1000, "Languages: groups of rows."),
                  integer_option("topics", "10", 1, 1e5, "Topics."),
                  integer_option("documents", "500", 1, 1e7, "Documents: columns."),
                  real_option(
                      "absent", "0.25", 0, 1,
                      "Probability that a topic is absent from a language; it never is from "
                      "half of them or more."),
                  real_option("translated", "0.6", 0, 1,
                              "Probability that a document is seen in a further language.")},
      .make = make};
  for (OptionRecord& record : word_options("400", "40")) made.options.push_back(record);
  return made;
}

}  // namespace gingham::methods::groupnmf
