#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "report/escape.hpp"
#include "report/names.hpp"
#include "report/sections.hpp"

namespace gingham::report {
namespace {

constexpr std::size_t kMaxRows = 200, kMaxModes = 16;
constexpr std::size_t kMaxMembers = 30;
constexpr std::size_t kMemberBytes = 450'000;  // of all lists together: the page stays small

// The members of component k; a membership lists them component by component.
std::span<const Member> members_of(const Membership& membership, std::size_t k) {
  const auto [begin, end] = std::equal_range(
      membership.members.begin(), membership.members.end(), Member{static_cast<Index>(k), 0, 0.0},
      [](const Member& a, const Member& b) { return a.component < b.component; });
  return {begin, end};
}

double strength(const Member& member) {
  return std::isnan(member.value) ? 0.0 : std::abs(member.value);
}

// The strongest first, lower items first on ties.
std::vector<Member> strongest_members(std::span<const Member> all) {
  std::vector<Member> members(all.begin(), all.end());
  const auto keep = static_cast<std::ptrdiff_t>(std::min(members.size(), kMaxMembers));
  std::partial_sort(
      members.begin(), members.begin() + keep, members.end(), [](const Member& a, const Member& b) {
        return strength(a) != strength(b) ? strength(a) > strength(b) : a.item < b.item;
      });
  members.resize(static_cast<std::size_t>(keep));
  return members;
}

// Three digits, zeros at the end too, so that a column of them lines up.
std::string short_value(double value) {
  if (!std::isfinite(value)) return number(value);
  std::string text = fmt::format("{:#.3g}", value);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string table(const Result& result, const std::vector<const Membership*>& modes) {
  const Model& model = result.model;
  std::string html =
      "<div class=\"wide\"><table><thead><tr><th>component</th><th class=\"n\">weight</th>"
      "<th class=\"n\">explained</th><th></th>";
  for (const Membership* mode : modes)
    html += fmt::format("<th class=\"n\">{}</th>", mode_name(*mode));
  html += "</tr></thead><tbody>";
  double largest = 0.0;
  for (const Component& one : model.components) {
    if (std::isfinite(one.explained)) largest = std::max(largest, one.explained);
  }
  for (std::size_t k = 0; k < model.components.size() && k < kMaxRows; ++k) {
    const Component& one = model.components[k];
    const double share =
        largest > 0.0 && one.explained > 0.0 ? 100.0 * one.explained / largest : 0.0;
    html += fmt::format(
        "<tr><td><span class=\"chip {}\"></span>{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td>"
        "<td class=\"bar\"><span style=\"width:{:.1f}%\"></span></td>",
        colour_class(static_cast<Index>(k)), k, number(one.weight, 5),
        std::isfinite(one.explained) ? fmt::format("{:.1f}%", 100.0 * one.explained)
                                     : number(one.explained),
        std::min(share, 100.0));
    for (const Membership* mode : modes) {
      html += fmt::format("<td class=\"n\">{}</td>", count(std::ssize(members_of(*mode, k))));
    }
    html += "</tr>";
  }
  html += "</tbody></table></div>";
  if (model.components.size() > kMaxRows) {
    html += fmt::format("<p>and {} more in result.json</p>",
                        count(static_cast<long long>(model.components.size() - kMaxRows)));
  }
  if (model.memberships.size() > modes.size()) {
    html += fmt::format("<p>Shown for the first {} modes of all blocks; clusters.tsv has {}.</p>",
                        modes.size(), model.memberships.size());
  }
  return html;
}

// Values with bars; names alone where all values are 1 (labels rather than loadings).
std::string member_list(const Result& result, const Membership& mode, std::size_t k,
                        bool is_signed) {
  const std::span<const Member> all = members_of(mode, k);
  const std::vector<Member> members = strongest_members(all);
  std::string html =
      fmt::format("<div class=\"members\"><h4>{} <span class=\"quiet\">{}</span></h4>",
                  mode_name(mode), count(std::ssize(all)));
  if (members.empty()) return html + "<p class=\"quiet\">no members</p></div>";
  const double largest = strength(members.front());
  const bool is_plain =
      std::all_of(all.begin(), all.end(), [](const Member& one) { return one.value == 1.0; });
  html += is_plain ? "<ul class=\"plain\">" : "<ol>";
  for (const Member& member : members) {
    const std::string name = item_name(result, mode, member.item);
    if (is_plain) {
      html += "<li><span class=\"label\">" + name + "</span></li>";
    } else {
      html += fmt::format(
          "<li><span class=\"label\">{}</span><span class=\"bar{}\"><span "
          "style=\"width:{:.1f}%\"></span></span>"
          "<span class=\"n\">{}</span></li>",
          name,
          !is_signed           ? ""
          : member.value < 0.0 ? " minus"
                               : " plus",
          largest > 0.0 && std::isfinite(member.value) ? 100.0 * (strength(member) / largest) : 0.0,
          short_value(member.value));
    }
  }
  html += is_plain ? "</ul>" : "</ol>";
  if (all.size() > members.size()) {
    html += fmt::format("<p class=\"quiet\">and {} more in clusters.tsv</p>",
                        count(std::ssize(all) - std::ssize(members)));
  }
  return html + "</div>";
}

std::string all_members(const Result& result, const std::vector<const Membership*>& modes) {
  // Where both signs occur, each has the colour it has in a picture of signed data.
  bool is_signed = false;
  for (const Membership* mode : modes) {
    for (const Member& member : mode->members) is_signed = is_signed || member.value < 0.0;
  }
  std::string html;
  const std::size_t n = result.model.components.size();
  for (std::size_t k = 0; k < n; ++k) {
    if (html.size() > kMemberBytes) {
      return html + fmt::format("<p>The members of {} are in clusters.tsv.</p>",
                                counted(static_cast<long long>(n - k), "more component"));
    }
    html += fmt::format(
        "<article><h3><span class=\"chip {}\"></span>Component {}</h3><div class=\"modes\">",
        colour_class(static_cast<Index>(k)), k);
    for (const Membership* mode : modes) {
      if (html.size() <= kMemberBytes) html += member_list(result, *mode, k, is_signed);
    }
    html += "</div></article>";
  }
  return html;
}

}  // namespace

std::string components_section(const Result& result) {
  const Model& model = result.model;
  std::string html = "<section><h2>Components</h2>";
  if (model.components.empty()) return html + "<p>No component was found.</p></section>";
  std::vector<const Membership*> modes;
  for (const Membership& membership : model.memberships) {
    if (modes.size() < kMaxModes) modes.push_back(&membership);
  }
  html +=
      "<p class=\"quiet\">Explained is the component&#39;s share of the sum of squares of the "
      "data; components "
      "count from 0, as in clusters.tsv.</p>";
  return html + table(result, modes) + "<h2>Strongest members</h2>" + all_members(result, modes) +
         "</section>";
}

}  // namespace gingham::report
