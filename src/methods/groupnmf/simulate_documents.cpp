// Documents. Document j is about topic c_j, and a little about another; its words are drawn one by
// one (simulate_words.hpp). Of each topic the first `labelled` documents name it as their group,
// the lines of all others are empty. Documents are in random order.
#include "gingham/methods/groupnmf/simulate.hpp"
#include "gingham/methods/groupnmf/simulate_words.hpp"

namespace gingham::methods::groupnmf {
namespace {

void check(const Options& options) {
  const Index n =
      checked_mul(options.integer("topics"), options.integer("documents"), "topics x documents");
  check_words(options, options.integer("terms"), n);
  if (options.integer("labelled") > options.integer("documents")) {
    throw Error(ErrorCode::usage, "--labelled",
                "a topic has no more labelled documents than documents: --labelled must be at most "
                "--documents");
  }
}

// Another topic than c, if there is one.
Index another(Index c, Index topics, Rng& rng) {
  if (topics == 1) return c;
  const Index other = rng.below(topics - 1);
  return other + (other >= c ? 1 : 0);
}

Simulation make(const Options& options, Rng rng) {
  check(options);
  const Index topics = options.integer("topics"), each = options.integer("documents");
  const Index n = topics * each, labelled = options.integer("labelled");
  Wording wording = draw_wording(options, std::vector<bool>(topics, true), rng);
  std::vector<Document> documents(static_cast<std::size_t>(n));
  std::vector<Index> labels(static_cast<std::size_t>(n));
  NamedLines groups{"groups", std::vector<std::string>(static_cast<std::size_t>(n))};
  const std::vector<Index> places = rng.permutation(n);
  for (Index d = 0; d < n; ++d) {
    const Index j = places[d], c = d / each;
    labels[j] = c;
    documents[j] = {c, another(c, topics, rng)};
    if (d % each < labelled) groups.lines[j] = "topic_" + std::to_string(c);
  }
  WordCounts counts;
  for (Index j = 0; j < n; ++j) {
    for (const Index term : draw_words(documents[j], wording, options, rng)) counts.add(term, j);
  }
  Simulation simulation;
  simulation.blocks.emplace_back("data", counts.matrix(options.integer("terms"), n));
  simulation.lines = {std::move(groups)};
  simulation.memberships = {membership_of("rows", std::nullopt, wording.own),
                            membership_of("columns", std::nullopt, labels)};
  simulation.truth = {{"W", std::move(wording.probabilities)}, {"H", mixtures(documents, options)}};
  return simulation;
}

}  // namespace

Simulator document_simulator() {
  Simulator made{
      .name = "groupnmf-documents",
      .title = "Word counts of documents about topics, some of them labelled",
      .options = {integer_option("topics", "5", 1, 1e5, "Topics."),
                  integer_option("documents", "60", 1, 1e6, "Documents of each topic: columns."),
                  integer_option("labelled", "10", 0, 1e6,
                                 "Documents of each topic that name it as their group.")},
      .make = make};
  for (OptionRecord& record : word_options("2000", "100")) made.options.push_back(record);
  return made;
}

}  // namespace gingham::methods::groupnmf
