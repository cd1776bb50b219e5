#include "gingham/methods/groupnmf/problem.hpp"

#include <algorithm>
#include <map>

#include "gingham/methods/nonnegative/settings.hpp"

namespace gingham::methods::groupnmf {
namespace {

using nonnegative::Problem;
using nonnegative::SideRules;

constexpr const char* kItems[] = {"row", "column"};
constexpr const char* kOnlyGroup = "all";  // where no groups are given

// The file of lines, or the option where they come from memory.
std::string place_of(const Options& options, const std::string& name) {
  const std::string& path = options.path(name);
  return path.empty() ? "--" + name : path;
}

std::vector<double> beta_factors(const Groups& groups, const Options& options) {
  std::vector<double> factors(static_cast<std::size_t>(groups.count()), 1.0);
  if (options.given("group-weights"))
    factors = parse_group_weights(groups, options.lines("group-weights"),
                                  place_of(options, "group-weights"));
  if (options.given("free")) {
    for (const Index g : parse_group_names(groups, options.text("free"), "--free"))
      factors[g] = 0.0;
  }
  return factors;
}

int side_of_groups(const Options& options) { return options.text("axis") == "rows" ? 0 : 1; }

// The groups of n_items items and what they pay; relative to --beta where that is a share.
SideRules group_rules(const Options& options, Index n_items) {
  const char* const item = kItems[side_of_groups(options)];
  SideRules own;
  own.groups = std::make_shared<Groups>(
      options.given("groups")
          ? Groups::from_lines(options.lines("groups"), n_items, place_of(options, "groups"), item)
          : Groups::from_lines(
                std::vector<std::string>(static_cast<std::size_t>(n_items), kOnlyGroup), n_items,
                "--groups", item));
  own.is_max_norm = options.text("norm") == "inf";
  own.factors = beta_factors(*own.groups, options);
  const PenaltyValue& beta = options.penalty("beta");
  const bool is_share = beta.kind == PenaltyValue::Kind::percent && beta.number > 0.0;
  own.set_beta(is_share ? 1.0 : beta.number);
  return own;
}

// Classes on both sides: items by the groups they are in, items of the other side by the groups
// they miss. A block is missing where some group of the one is among those of the other.
MissingBlocks blocks_of(const Groups& groups, int side, const MissingClasses& other) {
  std::vector<std::vector<Index>> groups_of(static_cast<std::size_t>(groups.n_items()));
  for (Index g = 0; g < groups.count(); ++g) {
    for (const Index item : groups.members(g)) groups_of[item].push_back(g);
  }
  std::map<std::vector<Index>, Index> known;
  std::vector<std::vector<Index>> in_groups;
  MissingBlocks blocks;
  for (const std::vector<Index>& own : groups_of) {
    const auto [at, is_new] = known.emplace(own, std::ssize(in_groups));
    if (is_new) in_groups.push_back(own);
    blocks.classes[side].push_back(at->second);
  }
  blocks.classes[1 - side] = other.class_of;
  const auto misses = [&](Index own, Index their) {
    for (const Index g : in_groups[own]) {
      const std::vector<Index>& lost = other.missing[their];
      if (std::binary_search(lost.begin(), lost.end(), g)) return true;
    }
    return false;
  };
  const Index n_rows = side == 0 ? std::ssize(in_groups) : other.count();
  const Index n_columns = side == 0 ? other.count() : std::ssize(in_groups);
  for (Index r = 0; r < n_rows; ++r) {
    for (Index c = 0; c < n_columns; ++c)
      blocks.is_missing.push_back((side == 0 ? misses(r, c) : misses(c, r)) ? 1 : 0);
  }
  return blocks;
}

}  // namespace

Problem problem_of(const Dataset& data, const Options& options) {
  Problem problem;
  const int side = side_of_groups(options);
  const Shape& shape = data.block(0).shape();
  problem.rules.free_side = 1 - side;
  problem.rules.whole_factors = options.text("solver") == "matrix";
  SideRules& own = problem.rules.sides[side];
  own = group_rules(options, shape[side]);
  const PenaltyValue& beta = options.penalty("beta");
  if (own.has_group_penalty()) {
    nonnegative::set_scale_rule(options, problem.rules.sides[1 - side]);
    if (beta.kind == PenaltyValue::Kind::percent) problem.beta_share = beta.number / 100.0;
  }
  nonnegative::set_asked(data, options, problem);
  if (own.has_group_penalty()) problem.rules.free_side = 1 - side;
  if (options.given("missing-groups")) {
    problem.missing = blocks_of(
        *own.groups, side,
        parse_missing_groups(*own.groups, options.lines("missing-groups"), shape[1 - side],
                             place_of(options, "missing-groups"), kItems[1 - side]));
  }
  return problem;
}

std::vector<std::string> group_names(const Options& options) {
  if (!options.given("groups")) return {kOnlyGroup};
  if (!options.is_attached("groups")) return {};
  const std::vector<std::string>& lines = options.lines("groups");
  return Groups::from_lines(lines, std::ssize(lines), place_of(options, "groups"),
                            kItems[side_of_groups(options)])
      .names();
}

SideRules rules_for_new(const Options& options, Index mode) {
  const SideRules own =
      group_rules(options, options.given("groups") ? std::ssize(options.lines("groups")) : 1);
  if (mode == side_of_groups(options)) return own;
  SideRules other;
  if (own.has_group_penalty()) nonnegative::set_scale_rule(options, other);
  return other;
}

}  // namespace gingham::methods::groupnmf
