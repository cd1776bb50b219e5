#include "gingham/metrics/cell_classification.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "gingham/kernels/hungarian.hpp"

namespace gingham {
namespace {

void check_sizes(const std::vector<CoCluster>& clusters, const Shape& sizes) {
  for (const CoCluster& cluster : clusters) {
    bool fits = cluster.modes.size() == sizes.size();
    for (std::size_t m = 0; fits && m < sizes.size(); ++m) {
      for (const Index item : cluster.modes[m]) fits = fits && item >= 0 && item < sizes[m];
    }
    if (!fits) throw Error(ErrorCode::usage, "", "a co-cluster does not fit " + shape_text(sizes));
  }
}

// Per found co-cluster the planted one it stands for, -1 where it stands for none.
std::vector<Index> match(const std::vector<CoCluster>& found, const std::vector<CoCluster>& truth) {
  std::vector<Index> partner(found.size(), -1);
  if (found.empty() || truth.empty()) return partner;
  Matrix shared(std::ssize(found), std::ssize(truth));
  for (Index f = 0; f < shared.rows(); ++f) {
    for (Index t = 0; t < shared.cols(); ++t) shared(f, t) = shared_cells(found[f], truth[t]);
  }
  partner = assign_maximum(shared).column_of;
  for (Index f = 0; f < shared.rows(); ++f) {
    if (partner[f] >= 0 && shared(f, partner[f]) == 0.0) partner[f] = -1;
  }
  return partner;
}

// Which co-clusters an item, or the cells made of several items, lie in: 2c for the planted one of
// pair c, 2c + 1 for the found one; rising. A pair may lack one of the two.
using Signature = std::vector<Index>;
using Counts = std::map<Signature, double>;

struct Coded {
  const CoCluster* cluster;
  Index code;
};

std::vector<Coded> coded(const std::vector<CoCluster>& found, const std::vector<CoCluster>& truth,
                         Unmatched unmatched) {
  std::vector<Coded> all;
  Index pairs = 0;
  for (const CoCluster& planted : truth) all.push_back({&planted, 2 * pairs++});
  const std::vector<Index> partner = match(found, truth);
  for (std::size_t f = 0; f < found.size(); ++f) {
    if (partner[f] >= 0) {
      all.push_back({&found[f], 2 * partner[f] + 1});
    } else if (unmatched == Unmatched::wrong) {
      all.push_back({&found[f], 2 * pairs++ + 1});
    }
  }
  return all;
}

struct Group {
  Signature signature;
  double items = 0.0;
};

// The items of one mode that lie in some co-cluster, by signature.
std::vector<Group> groups_of(const std::vector<Coded>& clusters, std::size_t mode) {
  std::vector<std::pair<Index, Index>> lies_in;  // item, code
  for (const Coded& one : clusters) {
    for (const Index item : one.cluster->modes[mode]) lies_in.emplace_back(item, one.code);
  }
  std::sort(lies_in.begin(), lies_in.end());
  Counts counts;
  for (std::size_t i = 0; i < lies_in.size();) {
    Signature signature;
    const Index item = lies_in[i].first;
    for (; i < lies_in.size() && lies_in[i].first == item; ++i)
      signature.push_back(lies_in[i].second);
    counts[std::move(signature)] += 1.0;
  }
  std::vector<Group> groups;
  for (const auto& [signature, items] : counts) groups.push_back({signature, items});
  return groups;
}

// The cells of one more mode: a cell lies where its old part and its new item both do.
Counts crossed(const Counts& cells, const std::vector<Group>& groups, Index size, Index codes) {
  std::vector<std::vector<Index>> having(static_cast<std::size_t>(codes));  // groups per code
  for (Index g = 0; g < std::ssize(groups); ++g) {
    for (const Index code : groups[g].signature) having[code].push_back(g);
  }
  Counts next;
  std::vector<Index> touched;
  Signature common;
  for (const auto& [signature, count] : cells) {
    touched.clear();
    for (const Index code : signature)
      touched.insert(touched.end(), having[code].begin(), having[code].end());
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    auto others = static_cast<double>(size);
    for (const Index g : touched) {
      common.clear();
      std::set_intersection(signature.begin(), signature.end(), groups[g].signature.begin(),
                            groups[g].signature.end(), std::back_inserter(common));
      next[common] += count * groups[g].items;
      others -= groups[g].items;
    }
    next[{}] += count * others;
  }
  return next;
}

bool is_planted(const Signature& signature) {
  return std::any_of(signature.begin(), signature.end(), [](Index code) { return code % 2 == 0; });
}

// Every pair with both of its codes.
bool is_right(const Signature& signature) {
  if (signature.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < signature.size(); i += 2) {
    if (signature[i] % 2 != 0 || signature[i + 1] != signature[i] + 1) return false;
  }
  return true;
}

double share(double part, double whole) { return whole > 0.0 ? part / whole : std::nan(""); }

// The `most` groups with the most items of `planted` in one mode, those with none left out.
std::vector<Index> nearest_groups(const std::vector<CoCluster>& groups, std::size_t mode,
                                  const std::vector<Index>& planted, std::size_t most) {
  std::vector<std::pair<double, Index>> overlaps;
  for (Index g = 0; g < std::ssize(groups); ++g) {
    const double shared = shared_cells({{groups[g].modes[mode]}}, {{planted}});
    if (shared > 0.0) overlaps.emplace_back(-shared, g);
  }
  std::sort(overlaps.begin(), overlaps.end());
  if (overlaps.size() > most) overlaps.resize(most);
  std::vector<Index> nearest;
  for (const auto& [shared, g] : overlaps) nearest.push_back(g);
  return nearest;
}

}  // namespace

CellScores classify_cells(const std::vector<CoCluster>& found, const std::vector<CoCluster>& truth,
                          const Shape& sizes, Unmatched unmatched) {
  check_sizes(found, sizes);
  check_sizes(truth, sizes);
  const std::vector<CoCluster> found_sets = as_sets(found), truth_sets = as_sets(truth);
  const std::vector<Coded> clusters = coded(found_sets, truth_sets, unmatched);
  Index codes = 0;
  for (const Coded& one : clusters) codes = std::max(codes, one.code + 1);
  Signature everything;
  for (const Coded& one : clusters) everything.push_back(one.code);
  std::sort(everything.begin(), everything.end());
  Counts cells{{everything, 1.0}};  // before any mode
  for (std::size_t m = 0; m < sizes.size(); ++m)
    cells = crossed(cells, groups_of(clusters, m), sizes[m], codes);

  double planted = 0.0, planted_right = 0.0, others = 0.0, others_right = 0.0;
  for (const auto& [signature, count] : cells) {
    const double right = is_right(signature) ? count : 0.0;
    (is_planted(signature) ? planted : others) += count;
    (is_planted(signature) ? planted_right : others_right) += right;
  }
  return {.all = share(planted_right + others_right, planted + others),
          .planted = share(planted_right, planted),
          .background = share(others_right, others)};
}

bool is_partition(const std::vector<CoCluster>& clusters, const Shape& sizes) {
  check_sizes(clusters, sizes);
  const std::vector<CoCluster> sets = as_sets(clusters);
  for (std::size_t m = 0; m < sizes.size(); ++m) {
    std::vector<Index> times(static_cast<std::size_t>(sizes[m]), 0);
    for (const CoCluster& cluster : sets) {
      for (const Index item : cluster.modes[m]) ++times[item];
    }
    if (!std::all_of(times.begin(), times.end(), [](Index n) { return n == 1; })) return false;
  }
  return true;
}

std::vector<CoCluster> checkerboard(const std::vector<CoCluster>& groups,
                                    const std::vector<CoCluster>& truth) {
  const std::vector<CoCluster> group_sets = as_sets(groups);
  std::set<std::vector<Index>> choices;  // a group per mode
  for (const CoCluster& planted : as_sets(truth)) {
    std::vector<std::vector<Index>> partial{{}};
    for (std::size_t m = 0; m < planted.modes.size(); ++m) {
      std::vector<std::vector<Index>> longer;
      for (const Index g : nearest_groups(group_sets, m, planted.modes[m], truth.size())) {
        for (std::vector<Index> choice : partial) {
          choice.push_back(g);
          longer.push_back(std::move(choice));
        }
      }
      partial = std::move(longer);
    }
    choices.insert(partial.begin(), partial.end());
  }
  std::vector<CoCluster> all;
  for (const std::vector<Index>& choice : choices) {
    CoCluster& one = all.emplace_back();
    for (std::size_t m = 0; m < choice.size(); ++m)
      one.modes.push_back(group_sets[choice[m]].modes[m]);
  }
  return all;
}

}  // namespace gingham
