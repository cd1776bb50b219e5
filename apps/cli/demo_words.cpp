#include "demo_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "gingham/base/text.hpp"
#include "gingham/engine/item_labels.hpp"
#include "members.hpp"

namespace gingham::cli {
namespace {

std::string counted(Index n, const std::string& singular) {
  return fmt::format("{} {}{}", n, singular, n == 1 ? "" : "s");
}

std::string percent(double share) {
  return fmt::format("{:.{}f}%", 100.0 * share, share < 0.0995 ? 1 : 0);
}

std::vector<Index> items_of(const Membership& membership, Index component) {
  std::vector<Index> items;
  for (const Member& member : membership.members)
    if (member.component == component) items.push_back(member.item);
  return items;
}

std::vector<const Membership*> of_mode(const Result& result, const std::string& mode) {
  std::vector<const Membership*> found;
  for (const Membership& membership : result.model.memberships)
    if (membership.mode == mode) found.push_back(&membership);
  return found;
}

// Components that have members everywhere, the one that explains most first.
std::vector<Index> whole_components(const Result& result) {
  std::vector<Index> whole;
  for (Index k = 0; k < std::ssize(result.model.components); ++k) {
    const bool is_whole =
        std::all_of(result.model.memberships.begin(), result.model.memberships.end(),
                    [&](const Membership& one) { return size_of(one, k) > 0; });
    if (is_whole) whole.push_back(k);
  }
  const auto explained = [&](Index k) { return result.model.components[k].explained; };
  std::stable_sort(whole.begin(), whole.end(),
                   [&](Index a, Index b) { return explained(a) > explained(b); });
  return whole;
}

std::string name_of(const Result& result, const Membership& membership, Index item) {
  const Labels* labels = labels_of(result, membership);
  return labels == nullptr ? std::to_string(item) : (*labels)[item];
}

// "sales" of "Ada Moreno (sales)"; nothing where there are no parentheses at the end.
std::string group_of(const std::string& name) {
  const std::size_t open = name.rfind('(');
  if (open == std::string::npos || !name.ends_with(')')) return "";
  return name.substr(open + 1, name.size() - open - 2);
}

// How many are of which group, the largest first; on ties by name.
struct Share {
  std::string group = {};
  Index count = 0, all = 0;
};
Share largest_group(const std::vector<std::string>& names) {
  std::map<std::string, Index> counts;
  for (const std::string& name : names) ++counts[group_of(name)];
  Share share{.all = std::ssize(names)};
  for (const auto& [group, count] : counts)
    if (count > share.count) share = {group, count, share.all};
  return share;
}

// ", all of sales" or ", 15 of them of sales"; nothing where names tell no group.
std::string share_words(const Share& share) {
  if (share.group.empty()) return "";
  const std::string group = printable(share.group, 40);
  if (share.count == share.all) return ", all of " + group;
  return fmt::format(", {} of them of {}", share.count, group);
}

std::vector<std::string> names_of(const Result& result, const Membership& membership,
                                  const std::vector<Index>& items) {
  std::vector<std::string> names;
  for (const Index item : items) names.push_back(name_of(result, membership, item));
  return names;
}

// "from Mar 2024 to Oct 2024".
std::string span_words(const Result& result, const Membership& months,
                       const std::vector<Index>& items) {
  const auto name = [&](Index item) { return printable(name_of(result, months, item), 40); };
  if (items.size() == 1) return "in " + name(items[0]);
  const bool is_run = items.back() - items.front() + 1 == std::ssize(items);
  return is_run ? fmt::format("from {} to {}", name(items.front()), name(items.back()))
                : fmt::format("in {} months between {} and {}", items.size(), name(items.front()),
                              name(items.back()));
}

std::string input_name(const Result& result, std::size_t input) {
  return printable(std::filesystem::path(result.inputs[input].path).stem().string(), 40);
}

// "5 cliques explain 54% of ...", or that there are none.
std::string opening(const Result& result, Index n_whole, const std::string& what,
                    const std::string& of) {
  if (n_whole == 0) return fmt::format("No {} with members everywhere was found", what);
  const double explained = result.model.explained;
  return fmt::format("{} explain{} {} of {}", counted(n_whole, what), n_whole == 1 ? "s" : "",
                     percent(explained), of);
}

std::string of_them(Index count, Index all) {
  return count == all ? "all of them" : fmt::format("{} of them", count);
}

}  // namespace

std::string cliques_found(const Result& result) {
  const std::vector<Index> whole = whole_components(result);
  const std::string begin = opening(result, std::ssize(whole), "clique", "the e-mail");
  if (whole.empty()) return begin + ".";
  const Membership &senders = result.membership("mode_0"), &receivers = result.membership("mode_1"),
                   &months = result.membership("mode_2");
  const std::vector<Index> from = items_of(senders, whole[0]), to = items_of(receivers, whole[0]);
  const std::string who =
      from == to ? fmt::format("{} people{}", from.size(),
                               share_words(largest_group(names_of(result, senders, from))))
                 : fmt::format("{}{}, and {}", counted(std::ssize(from), "sender"),
                               share_words(largest_group(names_of(result, senders, from))),
                               counted(std::ssize(to), "receiver"));
  return fmt::format("{}; the strongest is {}, {}.", begin, who,
                     span_words(result, months, items_of(months, whole[0])));
}

std::string evolution_found(const Result& result) {
  const std::vector<Index> whole = whole_components(result);
  const std::size_t last = result.inputs.size() - 1;
  const std::string begin = fmt::format(
      "{} from {} to {}", opening(result, std::ssize(whole), "group", "the gene activity"),
      input_name(result, 0), input_name(result, last));
  if (whole.empty()) return begin + ".";
  std::map<Index, Index> ages;  // at how many ages a gene is there
  const std::vector<const Membership*> columns = of_mode(result, "columns");
  for (const Membership* one : columns)
    for (const Index gene : items_of(*one, whole[0])) ++ages[gene];
  const auto kept = std::count_if(
      ages.begin(), ages.end(), [&](const auto& one) { return one.second == std::ssize(columns); });
  const std::vector<const Membership*> rows = of_mode(result, "rows");
  std::vector<std::string> voxels;
  for (const Membership* one : rows) {
    const std::vector<std::string> names = names_of(result, *one, items_of(*one, whole[0]));
    voxels.insert(voxels.end(), names.begin(), names.end());
  }
  const Index first_size = size_of(*rows.front(), whole[0]),
              last_size = size_of(*rows.back(), whole[0]);
  const std::string size =
      first_size == last_size
          ? fmt::format("begins and ends with {} voxels", first_size)
          : fmt::format("{} from {} to {} voxels", first_size < last_size ? "grows" : "shrinks",
                        first_size, last_size);
  const Share region = largest_group(voxels);
  const std::string where =
      region.group.empty()
          ? ""
          : fmt::format(", {} of them of the {}",
                        region.count == region.all ? "all"
                                                   : percent(static_cast<double>(region.count) /
                                                             static_cast<double>(region.all)),
                        printable(region.group, 40));
  return fmt::format("{}; the strongest has {}, {} at every age, and {}{}.", begin,
                     counted(std::ssize(ages), "gene"), of_them(kept, std::ssize(ages)), size,
                     where);
}

std::string groups_found(const Result& result) {
  const std::vector<Index> whole = whole_components(result);
  const std::string begin =
      opening(result, std::ssize(whole), "group",
              fmt::format("{} together", result.inputs.size() == 2 ? "both views" : "all views"));
  if (whole.empty()) return begin + ".";
  const Membership& rows = *of_mode(result, "rows").front();
  std::vector<std::string> views;
  for (const Membership* one : of_mode(result, "columns")) {
    const auto view = static_cast<std::size_t>(one->block.value_or(0));
    std::vector<std::string> shown;
    for (const std::string& name : strongest_names(result, *one, whole[0], 3))
      shown.push_back(printable(name, 40));
    views.push_back(fmt::format(
        "{} {}{}", size_of(*one, whole[0]), input_name(result, view),
        shown.empty() ? "" : fmt::format(" (first of all {})", fmt::join(shown, ", "))));
  }
  return fmt::format("{}; the strongest is {} of {} subjects, told by {}.", begin,
                     size_of(rows, whole[0]), rows.n_items, fmt::join(views, " and "));
}

std::string size_words(const Result& result) {
  std::vector<std::string> shapes;
  Index nonzeros = 0;
  for (const InputSummary& input : result.inputs) {
    shapes.push_back(shape_text(input.shape));
    nonzeros += input.nonzeros;
  }
  if (shapes.size() > 3)
    shapes = {fmt::format("{} matrices, {} to {}", shapes.size(), shapes.front(), shapes.back())};
  return fmt::format("{}; {} values", fmt::join(shapes, " and "), nonzeros);
}

}  // namespace gingham::cli
