#include "gingham/penalties/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gingham/base/text.hpp"

namespace gingham {
namespace {

constexpr Index kNamesShown = 10;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \r") - first + 1);
}

[[noreturn]] void refuse(const std::string& where, const std::string& message) {
  throw Error(ErrorCode::input, where, message);
}

std::string at_line(const std::string& where, std::size_t line) {
  return fmt::format("{}:{}", where, line + 1);
}

void require_lines(Lines lines, Index expected, const std::string& where, const char* item) {
  if (std::ssize(lines) == expected) return;
  refuse(where,
         fmt::format("{} lines found, expected {}, one per {}", lines.size(), expected, item));
}

// The pieces between separators, without the spaces around them; none of a blank text. An empty
// piece among others is refused.
std::vector<std::string_view> pieces(std::string_view text, std::string_view separators,
                                     const std::string& where) {
  std::vector<std::string_view> found;
  if (text.find_first_not_of(" \t\r") == std::string_view::npos) return found;
  for (;;) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    found.push_back(trimmed(text.substr(0, end)));
    if (found.back().empty()) refuse(where, "a name is empty");
    if (end == text.size()) return found;
    text.remove_prefix(end + 1);
  }
}

// A name as it is stored: without spaces around the parts of a path.
std::string plain_name(std::string_view name, const std::string& where) {
  return fmt::format("{}", fmt::join(pieces(name, "/", where), "/"));
}

// Calls visit("a"), visit("a/b"), ... for every name in the line.
template <class Visit>
void for_names_and_ancestors(const std::string& line, const std::string& where,
                             const Visit& visit) {
  if (invalid_utf8(line)) refuse(where, "not valid UTF-8");
  for (const std::string_view name : pieces(line, ",\t", where)) {
    std::string path;
    for (const std::string_view part : pieces(name, "/", where)) {
      path += path.empty() ? "" : "/";
      path += part;
      visit(path);
    }
  }
}

void sort_unique(std::vector<Index>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Which set each group belongs to: groups that share an item are in the same one.
class Merger {
 public:
  explicit Merger(Index n) : up_(static_cast<std::size_t>(n)) {
    std::iota(up_.begin(), up_.end(), Index{0});
  }
  Index root(Index g) {
    while (up_[g] != g) g = up_[g] = up_[up_[g]];
    return g;
  }
  void merge(Index a, Index b) { up_[root(b)] = root(a); }

 private:
  std::vector<Index> up_;
};

}  // namespace

// From large to small: the smallest group so far must be the same for all members of the next.
bool are_laminar(std::span<const std::vector<Index>> groups, Index n_items) {
  std::vector<Index> order(groups.size()), smallest(static_cast<std::size_t>(n_items), -1);
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return groups[a].size() > groups[b].size(); });
  for (const Index g : order) {
    if (groups[g].empty()) continue;
    const Index outer = smallest[groups[g].front()];
    for (const Index i : groups[g]) {
      if (smallest[i] != outer) return false;
      smallest[i] = g;
    }
  }
  return true;
}

Groups Groups::from_lines(Lines lines, Index n_items, const std::string& where, const char* item) {
  require_lines(lines, n_items, where, item);
  Groups made;
  made.n_items_ = n_items;
  std::vector<std::vector<Index>> groups_of(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for_names_and_ancestors(lines[i], at_line(where, i), [&](const std::string& name) {
      groups_of[i].push_back(made.add(name));
    });
    sort_unique(groups_of[i]);
    for (const Index g : groups_of[i]) made.members_[g].push_back(static_cast<Index>(i));
  }
  made.find_structure(groups_of);
  return made;
}

Index Groups::add(const std::string& name) {
  const auto [at, is_new] = index_.try_emplace(name, count());
  if (is_new) {
    names_.push_back(name);
    members_.emplace_back();
  }
  return at->second;
}

void Groups::find_structure(const std::vector<std::vector<Index>>& groups_of) {
  Merger merger(count());
  for (const std::vector<Index>& own : groups_of) {
    is_disjoint_ &= own.size() < 2;
    for (const Index g : own) merger.merge(own.front(), g);
  }
  is_laminar_ = is_disjoint_ || are_laminar(members_, n_items_);

  std::vector<Index> set_of(names_.size(), -1);  // by the root
  for (Index i = 0; i < n_items_; ++i) {
    if (groups_of[i].empty()) {
      alone_.push_back(i);
      continue;
    }
    Index& set = set_of[merger.root(groups_of[i].front())];
    if (set < 0) {
      set = std::ssize(sets_);
      sets_.emplace_back();
    }
    sets_[set].items.push_back(i);
  }
  for (Index g = 0; g < count(); ++g) sets_[set_of[merger.root(g)]].groups.push_back(g);
}

Index Groups::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? -1 : found->second;
}

Index Groups::require(std::string_view name, const std::string& where) const {
  const Index found = find(name);
  if (found >= 0) return found;
  const Index shown = std::min(count(), kNamesShown);
  std::vector<std::string> some;
  for (Index g = 0; g < shown; ++g) some.push_back(printable(names_[g], 40));
  if (some.empty()) some.push_back("none");
  throw Error(ErrorCode::usage, where,
              fmt::format("there is no group '{}'; there are {}{}", printable(name, 60),
                          fmt::join(some, ", "),
                          shown < count() ? fmt::format(" and {} more", count() - shown) : ""));
}

std::vector<Index> Groups::items_of(std::span<const Index> groups) const {
  std::vector<Index> items;
  for (const Index g : groups) items.insert(items.end(), members_[g].begin(), members_[g].end());
  sort_unique(items);
  return items;
}

std::vector<double> parse_group_weights(const Groups& groups, Lines lines,
                                        const std::string& where) {
  std::vector<double> weights(static_cast<std::size_t>(groups.count()), 1.0);
  std::vector<bool> is_given(weights.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string here = at_line(where, i);
    std::string_view line = lines[i];
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (line.empty()) continue;
    const std::size_t gap = line.find_last_of(" \t");
    if (gap == std::string_view::npos) {
      refuse(here, fmt::format("'{}' found, expected a name and a factor", printable(line, 60)));
    }
    std::string_view name = line.substr(0, gap);
    name = name.substr(0, name.find_last_not_of(" \t") + 1);
    const Index g = groups.require(plain_name(name, here), here);
    const std::optional<double> factor = parse_real(line.substr(gap + 1));
    if (!factor || !std::isfinite(*factor) || *factor < 0.0) {
      refuse(here, fmt::format("'{}' found, expected a factor that is 0 or more",
                               printable(line.substr(gap + 1), 60)));
    }
    if (is_given[g]) {
      refuse(here,
             fmt::format("group '{}' has a factor already", printable(groups.names()[g], 60)));
    }
    is_given[g] = true;
    weights[g] = *factor;
  }
  return weights;
}

std::vector<Index> parse_group_names(const Groups& groups, std::string_view text,
                                     const std::string& where) {
  std::vector<Index> found;
  for (const std::string_view name : pieces(text, ",\t", where)) {
    found.push_back(groups.require(plain_name(name, where), where));
  }
  sort_unique(found);
  return found;
}

MissingClasses parse_missing_groups(const Groups& groups, Lines lines, Index n_items,
                                    const std::string& where, const char* item) {
  require_lines(lines, n_items, where, item);
  MissingClasses made;
  std::map<std::vector<Index>, Index> known;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<Index> missing = parse_group_names(groups, lines[i], at_line(where, i));
    const auto [at, is_new] = known.try_emplace(missing, made.count());
    if (is_new) made.missing.push_back(std::move(missing));
    made.class_of.push_back(at->second);
  }
  return made;
}

}  // namespace gingham
