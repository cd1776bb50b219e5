// From block to block of a series: how many items of a component are in which component next.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "report/names.hpp"
#include "report/picture.hpp"
#include "report/text.hpp"

namespace gingham::report {
namespace {

constexpr Index kMaxFlowing = 40;  // components; more cannot be followed by eye
constexpr std::size_t kMaxNames = 8;

struct Link {
  Index count = 0;
  std::vector<std::string> names;
};

std::string name_of(const Labels& labels, Index item) {
  const std::string name = labels.empty() ? "" : clean(labels[item], kMaxLabel);
  return name.empty() ? std::to_string(item) : name;
}

Json flow_json(const Dataset& data, const std::vector<Index>& blocks, const Result& result,
               Index mode, const std::vector<std::vector<Index>>& labels) {
  const Labels& names = data.block(blocks.front()).labels(mode);
  Json titles = Json::array(), sizes = Json::array(), links = Json::array();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    titles.push_back(file_name(data.block(blocks[b]).name()));
    std::map<Index, Index> size;
    for (const Index label : labels[b]) ++size[label];
    for (const auto& [component, count] : size)
      sizes.push_back({{"block", b}, {"component", component}, {"count", count}});
    if (b + 1 == blocks.size()) break;
    std::map<std::pair<Index, Index>, Link> all;
    for (std::size_t i = 0; i < labels[b].size(); ++i) {
      Link& link = all[{labels[b][i], labels[b + 1][i]}];
      ++link.count;
      if (link.names.size() < kMaxNames)
        link.names.push_back(name_of(names, static_cast<Index>(i)));
    }
    for (const auto& [ends, link] : all) {
      if (ends.first < 0 && ends.second < 0) continue;
      links.push_back({{"block", b},
                       {"from", ends.first},
                       {"to", ends.second},
                       {"count", link.count},
                       {"names", link.names}});
    }
  }
  const Membership* first = membership_of_block(result, blocks.front(), mode);
  return {{"title", clean(first->mode)}, {"blocks", titles}, {"sizes", sizes}, {"links", links}};
}

}  // namespace

Json flows_json(const Dataset& data, const std::vector<Index>& blocks, const Result& result) {
  Json flows = Json::array();
  if (blocks.size() < 2 || std::ssize(result.model.components) > kMaxFlowing) return flows;
  for (const Index mode : {0, 1}) {
    if (!is_same_mode(data, blocks, mode)) continue;
    std::vector<std::vector<Index>> labels;
    for (const Index b : blocks) {
      const Membership* one = membership_of_block(result, b, mode);
      if (one != nullptr && one->block && one->n_items == data.block(b).shape()[mode])
        labels.push_back(strongest(*one));
    }
    if (labels.size() == blocks.size())
      flows.push_back(flow_json(data, blocks, result, mode, labels));
  }
  return flows;
}

}  // namespace gingham::report
