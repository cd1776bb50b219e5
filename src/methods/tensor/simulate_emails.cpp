// Traffic of which the background's months count 1, or 5 in a month of a burst, and of which every
// clique has clique-size people and a run of clique-months months. While there are people whom no
// clique has, a clique takes only such; its months may be shared.
//
// With --log each sum x becomes log2(x) + 1.
#include "gingham/methods/tensor/simulate_emails.hpp"

#include <algorithm>
#include <numeric>

#include "gingham/methods/tensor/traffic.hpp"

namespace gingham::methods::tensor {
namespace {

constexpr double kBurst = 5.0;  // traffic of a month with a burst

std::vector<Clique> draw_cliques(const Options& options, Rng& rng) {
  const Index n = options.integer("people"), t = options.integer("months");
  const Index size = options.integer("clique-size"), run = options.integer("clique-months");
  const Index k = options.integer("cliques");
  // The first of a random order, without putting all people into one.
  const std::vector<Index> order = rng.sample(n, std::min(n, k * size));
  std::vector<Clique> cliques(static_cast<std::size_t>(k));
  for (Index c = 0; c < k; ++c) {
    Clique& clique = cliques[c];
    if ((c + 1) * size <= std::ssize(order)) {
      clique.people.assign(order.begin() + c * size, order.begin() + (c + 1) * size);
    } else {
      clique.people = rng.sample(n, size);
    }
    std::sort(clique.people.begin(), clique.people.end());
    clique.level = options.real("level");
    clique.months.resize(static_cast<std::size_t>(run));
    std::iota(clique.months.begin(), clique.months.end(), rng.below(t - run + 1));
  }
  return cliques;
}

Background draw_background(const Options& options, Rng& rng) {
  const Index t = options.integer("months");
  Background background{.draws = options.integer("entries"),
                        .activity = options.real("activity"),
                        .months = std::vector<double>(static_cast<std::size_t>(t), 1.0)};
  for (const Index month : rng.sample(t, std::min(t, options.integer("bursts"))))
    background.months[month] = kBurst;
  return background;
}

void check(const Options& options) {
  const auto at_most = [&](const char* part, const char* whole) {
    if (options.integer("cliques") == 0) return;
    if (options.integer(part) <= options.integer(whole)) return;
    throw Error(ErrorCode::usage, std::string("--") + part,
                std::string("must be at most --") + whole);
  };
  at_most("clique-size", "people");
  at_most("clique-months", "months");
}

Simulation make(const Options& options, Rng rng) {
  check(options);
  const Index n = options.integer("people"), t = options.integer("months");
  Traffic traffic(n, t);
  const std::vector<Clique> cliques = draw_cliques(options, rng);
  traffic.reserve(options.integer("entries"));
  for (const Clique& clique : cliques) traffic.add(clique, rng);
  traffic.add(draw_background(options, rng), rng);
  Simulation simulation;
  simulation.memberships = memberships_of(cliques, n, t);
  simulation.truth.push_back(
      {"levels", std::vector<double>(cliques.size(), options.real("level"))});
  simulation.blocks.emplace_back("data", traffic.tensor(options.flag("log")));
  return simulation;
}

}  // namespace

Simulator email_simulator() {
  return {
      .name = "emails",
      .title = "E-mails by sender, receiver and month, with cliques; sparse, of any size",
      .options = {integer_option("people", "180", 1, 1e7, "Senders, who are the receivers too."),
                  integer_option("months", "44", 1, 1e4, "Months."),
                  integer_option("cliques", "4", 0, 1e6, "People who write to each other."),
                  integer_option("clique-size", "10", 1, 1e5, "People of each clique."),
                  integer_option("clique-months", "8", 1, 1e4, "Months, in a row, of each."),
                  real_option("level", "8", 0, kLargestMean,
                              "Mean number of e-mails between two members in a month."),
                  integer_option("entries", "10000", 0, 1e10,
                                 "Background draws; those that fall into one cell add."),
                  real_option("activity", "0.8", 0, 4,
                              "How unequal people are: activity is rank to this power, "
                              "downwards."),
                  integer_option("bursts", "2", 0, 1e4, "Months with five times the traffic."),
                  {.name = "log",
                   .type = OptionType::flag,
                   .initial = "no",
                   .help = "log2(x) + 1 in place of the counts x."}},
      .make = make};
}

}  // namespace gingham::methods::tensor
