// E-mails by sender, receiver and month, out of which simulators make their data: a background of a
// few busy and many quiet people, and cliques who write to each other during some months.
//
// Background: draws of (sender, receiver, month). Sender and receiver are drawn in proportion to
// the activity rank^-activity of a person, ranks in random order and the same for both; a month in
// proportion to its traffic. Each draw is 1 e-mail or more:
//
//   P(at least n) = n^-1.5,      n <= 1000
//
// Cliques: every member writes Poisson(level) e-mails to every member, copies to oneself included,
// in each of the clique's months. Where several fall into one cell they add.
#pragma once
#include "gingham/base/rng.hpp"
#include "gingham/data/sparse_tensor.hpp"
#include "gingham/engine/model.hpp"

namespace gingham::methods::tensor {

struct Clique {
  std::vector<Index> people, months;
  double level = 0.0;  // mean number of e-mails between two members in a month
};

struct Background {
  Index draws = 0;
  double activity = 0.0;
  std::vector<double> months;  // traffic of each
};

class Traffic {
 public:
  // Throws Error{memory} when the cells cannot be counted.
  Traffic(Index people, Index months);
  void reserve(Index entries) { entries_.reserve(static_cast<std::size_t>(entries)); }
  void add(const Clique& clique, Rng& rng);
  void add(const Background& background, Rng& rng);
  // The sums per cell, or log2(sum) + 1; leaves nothing behind.
  SparseTensor tensor(bool takes_logs);

 private:
  struct Entry {
    Index cell;
    double count;
  };
  void add_up();

  Index people_, months_;
  std::vector<Entry> entries_;
};

constexpr double kLargestMean = 1e4;  // a count takes time in proportion to its mean

// Modes 0 and 1 are people, mode 2 months.
std::vector<Membership> memberships_of(const std::vector<Clique>& cliques, Index people,
                                       Index months);

}  // namespace gingham::methods::tensor
