#include "gingham/methods/tensor/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gingham::methods::tensor {
namespace {

constexpr double kTail = 1.5;         // exponent of the counts
constexpr double kLargestDraw = 1e3;  // of the background's counts

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

std::vector<double> draw_activity(Index people, double power, Rng& rng) {
  std::vector<double> activity;
  for (const Index rank : rng.permutation(people))
    activity.push_back(std::pow(static_cast<double>(rank + 1), -power));
  return activity;
}

}  // namespace

Traffic::Traffic(Index people, Index months) : people_(people), months_(months) {
  checked_mul(checked_mul(people, people, "e-mails"), months, "e-mails");
}

void Traffic::add(const Background& background, Rng& rng) {
  const Wheel people(draw_activity(people_, background.activity, rng));
  const Wheel months(background.months);
  for (Index k = 0; k < background.draws; ++k) {
    const Index sender = people.draw(rng), receiver = people.draw(rng), month = months.draw(rng);
    const double count =
        std::min(kLargestDraw, std::floor(std::pow(1.0 - rng.uniform(), -1.0 / kTail)));
    entries_.push_back({(sender * people_ + receiver) * months_ + month, count});
  }
}

void Traffic::add(const Clique& clique, Rng& rng) {
  for (const Index sender : clique.people) {
    for (const Index receiver : clique.people) {
      for (const Index month : clique.months) {
        const Index count = rng.poisson(clique.level);
        if (count == 0) continue;
        entries_.push_back(
            {(sender * people_ + receiver) * months_ + month, static_cast<double>(count)});
      }
    }
  }
}

// Entries in order of their cells, one per cell.
void Traffic::add_up() {
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.cell < b.cell; });
  std::size_t kept = 0;
  for (const Entry& entry : entries_) {
    if (kept > 0 && entries_[kept - 1].cell == entry.cell) {
      entries_[kept - 1].count += entry.count;
    } else {
      entries_[kept++] = entry;
    }
  }
  entries_.resize(kept);
}

SparseTensor Traffic::tensor(bool takes_logs) {
  add_up();
  const Index count = std::ssize(entries_);
  std::vector<Array<std::int32_t>> coordinates(3, Array<std::int32_t>(count));
  Array<double> values(count);
  for (Index k = 0; k < count; ++k) {
    const auto [cell, x] = entries_[k];
    coordinates[0].data()[k] = static_cast<std::int32_t>(cell / months_ / people_);
    coordinates[1].data()[k] = static_cast<std::int32_t>(cell / months_ % people_);
    coordinates[2].data()[k] = static_cast<std::int32_t>(cell % months_);
    values.data()[k] = takes_logs ? std::log2(x) + 1.0 : x;
  }
  std::vector<Entry>().swap(entries_);  // before the tensor takes its own memory
  return SparseTensor::from_coordinates({people_, people_, months_}, std::move(coordinates),
                                        std::move(values), Duplicates::error);
}

std::vector<Membership> memberships_of(const std::vector<Clique>& cliques, Index people,
                                       Index months) {
  std::vector<Membership> result;
  for (Index mode = 0; mode < 3; ++mode) {
    Membership& one = result.emplace_back();
    one.mode = "mode_" + std::to_string(mode);
    one.n_items = mode < 2 ? people : months;
    for (Index c = 0; c < std::ssize(cliques); ++c) {
      for (const Index item : mode < 2 ? cliques[c].people : cliques[c].months)
        one.members.push_back({c, item, 1.0});
    }
  }
  return result;
}

}  // namespace gingham::methods::tensor
