#include "report/shared.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/pack.hpp"
#include "report/text.hpp"

namespace gingham::report {
namespace {

// The first place of each bin; null where every bin holds one item.
Json starts_of(const Axis& axis) {
  if (axis.bins() == axis.items()) return nullptr;
  std::vector<std::int32_t> starts;
  Index at = 0;
  for (const Index size : axis.size) {
    starts.push_back(static_cast<std::int32_t>(at));
    at += size;
  }
  return packed(starts);
}

Json order_of(const Axis& axis) {
  std::vector<std::int32_t> order(axis.order.begin(), axis.order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<std::int32_t>(i)) return packed(order);
  }
  return nullptr;
}

Json scale_json(const Scale& scale) {
  return {{"diverging", scale.is_diverging},
          {"low", scale.low},
          {"high", scale.high},
          {"below", scale.has_below},
          {"above", scale.has_above},
          {"missing", scale.has_missing}};
}

Json field_json(const Grid& grid, const Scale& scale, Json values) {
  return {{"rows", grid.rows},
          {"columns", grid.columns},
          {"scale", scale_json(scale)},
          {"values", std::move(values)}};
}

// What a text takes in the page: quotes, a comma, and `<` and quotes in it written out.
std::size_t bytes_of(const std::string& text) {
  std::size_t bytes = 4;
  for (const char c : text) bytes += c == '<' ? 6 : c == '"' || c == '\\' ? 2 : 1;
  return bytes;
}

}  // namespace

Json stretches_json(const std::vector<Stretch>& all) {
  Json list = Json::array();
  for (const Stretch& one : all)
    list.push_back({{"component", one.component}, {"begin", one.begin}, {"end", one.end}});
  return list;
}

// Where single precision cannot hold the values, levels of the scale stand for them.
Json exact_field(const Grid& grid, const Scale& scale) {
  constexpr double kLeast = 1e-30, kMost = 1e30;
  if (scale.high != 0.0 && !(std::abs(scale.high) > kLeast && std::abs(scale.high) < kMost))
    return level_field(grid, scale);
  const std::vector<float> values(grid.mean.begin(), grid.mean.end());
  return field_json(grid, scale, packed(values));
}

Json level_field(const Grid& grid, const Scale& scale) {
  return field_json(grid, scale, packed(levels_of(grid, scale)));
}

Shared::Shared(Index n_results)
    : n_results_(n_results),
      axes_(std::make_unique<Json>(Json::array())),
      fields_(std::make_unique<Json>(Json::array())) {}

Shared::~Shared() = default;

void Shared::keep(NameSet& set, Index item) {
  constexpr std::size_t kNumber = 8;  // the item's own, and a comma
  std::string text = clean(set.all[item], kMaxLabel);
  const std::size_t bytes = bytes_of(text) + kNumber;
  if (label_bytes_ + bytes > kLabelBytes) return;
  label_bytes_ += bytes;
  set.kept.emplace(item, std::move(text));
}

std::optional<Index> Shared::names(const Labels* labels, const std::vector<Index>& wanted) {
  if (labels == nullptr || labels->empty()) return std::nullopt;
  const auto found = std::find_if(names_.begin(), names_.end(),
                                  [&](const NameSet& set) { return set.all == *labels; });
  const Index number = found - names_.begin();
  if (found == names_.end()) {
    names_.push_back({.all = *labels, .kept = {}, .is_whole = false});
    std::size_t bytes = 0;
    for (const std::string& label : *labels) bytes += bytes_of(clean(label, kMaxLabel));
    names_.back().is_whole = label_bytes_ + bytes <= kLabelBytes / 2;
    if (names_.back().is_whole) label_bytes_ += bytes;
  }
  NameSet& set = names_[number];
  if (!set.is_whole) {
    for (const Index item : wanted) {
      if (!set.kept.contains(item)) keep(set, item);
    }
  }
  return number;
}

Index Shared::add_axis(const Axis& axis, const Axis& given, const std::string& title,
                       std::optional<Index> labels) {
  Json one = {{"title", title},
              {"n", axis.items()},
              {"bins", axis.bins()},
              {"order", order_of(axis)},
              {"starts", starts_of(axis)},
              {"given_starts", starts_of(given)},
              {"segments", stretches_json(axis.segments)},
              {"squeezed", axis.is_squeezed},
              {"crowded", axis.is_crowded},
              {"several", axis.n_several},
              {"labels", labels ? Json(*labels) : Json(nullptr)}};
  axes_->push_back(std::move(one));
  return std::ssize(*axes_) - 1;
}

Index Shared::add_field(Json field) {
  fields_->push_back(std::move(field));
  return std::ssize(*fields_) - 1;
}

std::optional<std::vector<Index>> Shared::add_exact(std::vector<Json> fields) {
  std::size_t bytes = exact_bytes_;
  for (const Json& field : fields) bytes += packed_bytes(field["values"]);
  if (bytes > kExactBytes) return std::nullopt;
  exact_bytes_ = bytes;
  std::vector<Index> numbers;
  for (Json& field : fields) numbers.push_back(add_field(std::move(field)));
  return numbers;
}

std::optional<std::vector<Index>> Shared::known(const std::string& what) const {
  const auto found = known_.find(what);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void Shared::remember(const std::string& what, std::vector<Index> fields) {
  known_[what] = std::move(fields);
}

void Shared::write(Json& page) const {
  page["axes"] = *axes_;
  page["fields"] = *fields_;
  Json labels = Json::array();
  for (const NameSet& set : names_) {
    Json text = Json::array(), items = nullptr;
    if (set.is_whole) {
      for (const std::string& label : set.all) text.push_back(clean(label, kMaxLabel));
    } else {
      items = Json::array();
      for (const auto& [item, label] : set.kept) {
        items.push_back(item);
        text.push_back(label);
      }
    }
    labels.push_back({{"n", set.all.size()}, {"items", items}, {"text", text}});
  }
  page["labels"] = std::move(labels);
}

}  // namespace gingham::report
