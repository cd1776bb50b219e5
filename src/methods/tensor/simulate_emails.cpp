// Background: `entries` draws of (sender, receiver, month). Sender and receiver are drawn in
// proportion to the activity rank^-activity of a person, ranks in random order and the same for
// both; a month in proportion to 1, or to 5 in a month of a burst. Each draw is 1 e-mail or more:
//
//   P(at least n) = n^-1.5,      n <= 1000
//
// Cliques: clique-size people and a run of months. Every member writes Poisson(level) e-mails to
// every member, copies to oneself included, in each of these months. While there are people whom
// no clique has, a clique takes only such; its months may be shared.
//
// Where several fall into one cell they add; with --log each sum x becomes log2(x) + 1.
#include "gingham/methods/tensor/simulate_emails.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gingham::methods::tensor {
namespace {

constexpr double kBurst = 5.0;        // traffic of a month with a burst
constexpr double kTail = 1.5;         // exponent of the counts
constexpr double kLargestDraw = 1e3;  // of the background's counts
constexpr double kLargestMean = 1e4;  // a count takes time in proportion to its mean

struct Entry {
  Index cell;
  double count;
};

// Draws below weights.size() in proportion to the weights: the first place where the running sum
// exceeds a uniform number, found from a table of starting points, one per item, in constant
// expected time.
class Wheel {
 public:
  explicit Wheel(std::vector<double> weights) : sums_(std::move(weights)) {
    std::partial_sum(sums_.begin(), sums_.end(), sums_.begin());
    starts_.resize(sums_.size());
    std::size_t item = 0;
    for (std::size_t k = 0; k < starts_.size(); ++k) {
      while (sums_[item] <= at(static_cast<double>(k))) ++item;
      starts_[k] = static_cast<Index>(item);
    }
  }

  Index draw(Rng& rng) const {
    const double place = rng.uniform() * static_cast<double>(sums_.size());
    Index item = starts_[static_cast<Index>(place)];
    while (item + 1 < std::ssize(sums_) && sums_[item] <= at(place)) ++item;
    return item;
  }

 private:
  double at(double place) const { return place / static_cast<double>(sums_.size()) * sums_.back(); }
  std::vector<double> sums_;
  std::vector<Index> starts_;
};

struct Clique {
  std::vector<Index> people, months;
};

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
    clique.months.resize(static_cast<std::size_t>(run));
    std::iota(clique.months.begin(), clique.months.end(), rng.below(t - run + 1));
  }
  return cliques;
}

std::vector<double> draw_activity(const Options& options, Rng& rng) {
  std::vector<double> activity;
  for (const Index rank : rng.permutation(options.integer("people")))
    activity.push_back(std::pow(static_cast<double>(rank + 1), -options.real("activity")));
  return activity;
}

void add_background(std::vector<Entry>& entries, const Options& options, Rng& rng) {
  const Index n = options.integer("people"), t = options.integer("months");
  std::vector<double> traffic(static_cast<std::size_t>(t), 1.0);
  for (const Index month : rng.sample(t, std::min(t, options.integer("bursts"))))
    traffic[month] = kBurst;
  const Wheel people(draw_activity(options, rng)), months(traffic);
  for (Index k = 0; k < options.integer("entries"); ++k) {
    const Index sender = people.draw(rng), receiver = people.draw(rng), month = months.draw(rng);
    const double count =
        std::min(kLargestDraw, std::floor(std::pow(1.0 - rng.uniform(), -1.0 / kTail)));
    entries.push_back({(sender * n + receiver) * t + month, count});
  }
}

void add_clique(std::vector<Entry>& entries, const Clique& clique, const Options& options,
                Rng& rng) {
  const Index n = options.integer("people"), t = options.integer("months");
  for (const Index sender : clique.people) {
    for (const Index receiver : clique.people) {
      for (const Index month : clique.months) {
        const Index count = rng.poisson(options.real("level"));
        if (count == 0) continue;
        entries.push_back({(sender * n + receiver) * t + month, static_cast<double>(count)});
      }
    }
  }
}

// Entries in order of their cells, one per cell.
void add_up(std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.cell < b.cell; });
  std::size_t kept = 0;
  for (const Entry& entry : entries) {
    if (kept > 0 && entries[kept - 1].cell == entry.cell) {
      entries[kept - 1].count += entry.count;
    } else {
      entries[kept++] = entry;
    }
  }
  entries.resize(kept);
}

SparseTensor tensor_from(std::vector<Entry> entries, const Options& options) {
  const Index n = options.integer("people"), t = options.integer("months");
  const Index count = std::ssize(entries);
  std::vector<Array<std::int32_t>> coordinates(3, Array<std::int32_t>(count));
  Array<double> values(count);
  for (Index k = 0; k < count; ++k) {
    const auto [cell, x] = entries[k];
    coordinates[0].data()[k] = static_cast<std::int32_t>(cell / t / n);
    coordinates[1].data()[k] = static_cast<std::int32_t>(cell / t % n);
    coordinates[2].data()[k] = static_cast<std::int32_t>(cell % t);
    values.data()[k] = options.flag("log") ? std::log2(x) + 1.0 : x;
  }
  std::vector<Entry>().swap(entries);  // before the tensor takes its own memory
  return SparseTensor::from_coordinates({n, n, t}, std::move(coordinates), std::move(values),
                                        Duplicates::error);
}

std::vector<Membership> memberships_of(const std::vector<Clique>& cliques, const Options& options) {
  std::vector<Membership> result;
  for (Index mode = 0; mode < 3; ++mode) {
    Membership& one = result.emplace_back();
    one.mode = "mode_" + std::to_string(mode);
    one.n_items = options.integer(mode < 2 ? "people" : "months");
    for (Index c = 0; c < std::ssize(cliques); ++c) {
      for (const Index item : mode < 2 ? cliques[c].people : cliques[c].months)
        one.members.push_back({c, item, 1.0});
    }
  }
  return result;
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
  const Index n = options.integer("people");
  checked_mul(checked_mul(n, n, "emails"), options.integer("months"), "emails");
}

Simulation make(const Options& options, Rng rng) {
  check(options);
  const std::vector<Clique> cliques = draw_cliques(options, rng);
  std::vector<Entry> entries;
  entries.reserve(static_cast<std::size_t>(options.integer("entries")));
  for (const Clique& clique : cliques) add_clique(entries, clique, options, rng);
  add_background(entries, options, rng);
  add_up(entries);
  Simulation simulation;
  simulation.memberships = memberships_of(cliques, options);
  simulation.truth.push_back(
      {"levels", std::vector<double>(cliques.size(), options.real("level"))});
  simulation.blocks.emplace_back("data", tensor_from(std::move(entries), options));
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
