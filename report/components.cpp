#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/escape.hpp"
#include "report/names.hpp"
#include "report/sections.hpp"

namespace gingham::report {
namespace {

constexpr std::size_t kMaxRows = 200, kMaxModes = 16;
constexpr std::size_t kMaxMembers = 30;
constexpr std::size_t kMemberBytes = 450'000;  // of all lists together: the page stays small

// The members of one mode, those of component k at [begin[k], begin[k + 1]).
struct ByComponent {
  const Membership* membership;
  std::vector<std::size_t> begin;

  ByComponent(const Membership& all, std::size_t n_components)
      : membership(&all), begin(n_components + 1, 0) {
    for (const Member& member : all.members) {
      if (member.component >= 0 && member.component < static_cast<Index>(n_components))
        ++begin[member.component + 1];
    }
    for (std::size_t k = 0; k < n_components; ++k) begin[k + 1] += begin[k];
  }
  std::size_t size(std::size_t k) const { return begin[k + 1] - begin[k]; }
};

// The strongest first, lower items first on ties.
std::vector<Member> strongest_members(const ByComponent& mode, std::size_t k) {
  std::vector<Member> members;
  members.reserve(mode.size(k));
  for (const Member& member : mode.membership->members) {
    if (member.component == static_cast<Index>(k)) members.push_back(member);
  }
  const auto keep = static_cast<std::ptrdiff_t>(std::min(members.size(), kMaxMembers));
  std::partial_sort(
      members.begin(), members.begin() + keep, members.end(), [](const Member& a, const Member& b) {
        return std::abs(a.value) != std::abs(b.value) ? std::abs(a.value) > std::abs(b.value)
                                                      : a.item < b.item;
      });
  members.resize(static_cast<std::size_t>(keep));
  return members;
}

std::string table(const Result& result, const std::vector<ByComponent>& modes) {
  const Model& model = result.model;
  std::string html =
      "<div class=\"wide\"><table><thead><tr><th>component</th><th class=\"n\">weight</th>"
      "<th class=\"n\">explained</th><th></th>";
  for (const ByComponent& mode : modes)
    html += fmt::format("<th class=\"n\">{}</th>", mode_name(*mode.membership));
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
    for (const ByComponent& mode : modes) {
      html += fmt::format("<td class=\"n\">{}</td>", count(static_cast<long long>(mode.size(k))));
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

// Values with bars; names alone where all values are the same (labels rather than loadings).
std::string member_list(const Result& result, const ByComponent& mode, std::size_t k,
                        bool is_signed) {
  const std::vector<Member> members = strongest_members(mode, k);
  std::string html =
      fmt::format("<div class=\"members\"><h4>{} <span class=\"quiet\">{}</span></h4>",
                  mode_name(*mode.membership), count(static_cast<long long>(mode.size(k))));
  if (members.empty()) return html + "<p class=\"quiet\">no members</p></div>";
  const double largest = std::abs(members.front().value);
  bool is_plain = true;
  for (const Member& member : mode.membership->members) {
    is_plain = is_plain &&
               (member.component != static_cast<Index>(k) || member.value == members.front().value);
  }
  html += is_plain ? "<ul class=\"plain\">" : "<ol>";
  for (const Member& member : members) {
    const std::string name = item_name(result, *mode.membership, member.item);
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
          std::isfinite(member.value) ? 100.0 * std::abs(member.value / largest) : 0.0,
          number(member.value, 3));
    }
  }
  html += is_plain ? "</ul>" : "</ol>";
  if (mode.size(k) > members.size()) {
    html += fmt::format("<p class=\"quiet\">and {} more in clusters.tsv</p>",
                        count(static_cast<long long>(mode.size(k) - members.size())));
  }
  return html + "</div>";
}

std::string all_members(const Result& result, const std::vector<ByComponent>& modes) {
  // With both signs the bars have the colours of the picture.
  bool is_signed = false;
  for (const ByComponent& mode : modes) {
    for (const Member& member : mode.membership->members)
      is_signed = is_signed || member.value < 0.0;
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
    for (const ByComponent& mode : modes) {
      if (html.size() <= kMemberBytes) html += member_list(result, mode, k, is_signed);
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
  std::vector<ByComponent> modes;
  for (const Membership& membership : model.memberships) {
    if (modes.size() < kMaxModes) modes.emplace_back(membership, model.components.size());
  }
  html +=
      "<p class=\"quiet\">Explained is the component&#39;s share of the sum of squares of the "
      "data; components "
      "count from 0, as in clusters.tsv.</p>";
  return html + table(result, modes) + "<h2>Strongest members</h2>" + all_members(result, modes) +
         "</section>";
}

}  // namespace gingham::report
