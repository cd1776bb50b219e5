// Groups of items (columns or rows of a table), as a file names them line by line.
//
//   a          the item is in group a
//   a,b        in a and in b; a tab separates as well
//   a/b/c      a tree: in the groups a, a/b and a/b/c
//   (empty)    in no group
//
// Spaces around names do not count; a group named twice in a line is taken once. `where` names the
// file, or the option, in errors: Error{input} at "where:line".
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham {

using Lines = std::span<const std::string>;

// Items that share groups, directly or through others.
struct ConnectedSet {
  std::vector<Index> items;   // rising
  std::vector<Index> groups;  // rising
};

// Whether any two of the groups, lists of items below n_items, are nested or disjoint.
bool are_laminar(std::span<const std::vector<Index>> groups, Index n_items);

class Groups {
 public:
  Groups() = default;
  // One line per item; `item` is what one is called ("column").
  static Groups from_lines(Lines lines, Index n_items, const std::string& where, const char* item);

  Index n_items() const { return n_items_; }
  Index count() const { return static_cast<Index>(names_.size()); }
  // In order of first appearance, the groups of a tree before those inside them.
  const std::vector<std::string>& names() const { return names_; }
  // Rising, not empty.
  std::span<const Index> members(Index group) const { return members_[group]; }
  Index find(std::string_view name) const;  // -1 if there is none
  // The same; where there is none Error{usage} at `where` that names some there are.
  Index require(std::string_view name, const std::string& where) const;

  bool is_disjoint() const { return is_disjoint_; }  // no item is in two groups
  bool is_laminar() const { return is_laminar_; }    // any two groups are nested or disjoint
  // Ordered by their first items. Items in no group are in none of them.
  const std::vector<ConnectedSet>& connected_sets() const { return sets_; }
  const std::vector<Index>& items_in_no_group() const { return alone_; }

  // The items of any of the groups, rising.
  std::vector<Index> items_of(std::span<const Index> groups) const;

 private:
  Index add(const std::string& name);
  void find_structure(const std::vector<std::vector<Index>>& groups_of);

  Index n_items_ = 0;
  std::vector<std::string> names_;
  std::map<std::string, Index, std::less<>> index_;
  std::vector<std::vector<Index>> members_;
  std::vector<ConnectedSet> sets_;
  std::vector<Index> alone_;
  bool is_disjoint_ = true;
  bool is_laminar_ = true;
};

// Lines "name factor", separated by a tab or a space: one factor >= 0 per group, 1 where none is
// given. Blank lines do not count.
std::vector<double> parse_group_weights(const Groups& groups, Lines lines,
                                        const std::string& where);

// "a,b": the groups of these names, rising, each once.
std::vector<Index> parse_group_names(const Groups& groups, std::string_view text,
                                     const std::string& where);

// Items of the other axis that were not observed in some of the groups; those that miss the same
// groups are one class.
struct MissingClasses {
  std::vector<Index> class_of;              // one per item, in order of first appearance
  std::vector<std::vector<Index>> missing;  // one list of groups per class, rising

  Index count() const { return static_cast<Index>(missing.size()); }
};
// One line per item: the names of the groups it misses, as above; an empty line: none.
MissingClasses parse_missing_groups(const Groups& groups, Lines lines, Index n_items,
                                    const std::string& where, const char* item);

}  // namespace gingham
