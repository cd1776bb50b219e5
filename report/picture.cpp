// Matrices, each with its rows and columns ordered so that the members of a component stand
// together; the matrices of a series have one order and one scale.
#include "report/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gingham/engine/item_labels.hpp"
#include "report/block_picture.hpp"
#include "report/names.hpp"
#include "report/text.hpp"

namespace gingham::report {
namespace {

constexpr Index kMaxBlocks = 24;

const char* arrangement_of(const Dataset& data, const Result& result) {
  if (data.size() == 1) return "single";
  const MethodInfo* info = known_method(result);
  return info != nullptr && info->input == InputKind::views ? "views" : "series";
}

// Members of a mode in any of the blocks; values add up.
Membership joined(const std::vector<const Membership*>& all) {
  Membership joined{all.front()->mode, std::nullopt, all.front()->n_items, {}};
  for (const Membership* one : all) {
    for (Member member : one->members) {
      member.value = std::abs(member.value);
      joined.members.push_back(member);
    }
  }
  std::vector<Member>& members = joined.members;
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return a.component != b.component ? a.component < b.component : a.item < b.item;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (kept > 0 && members[kept - 1].component == members[i].component &&
        members[kept - 1].item == members[i].item) {
      members[kept - 1].value += members[i].value;
    } else {
      members[kept++] = members[i];
    }
  }
  members.resize(kept);
  return joined;
}

class Matrices {
 public:
  Matrices(const Dataset& data, const std::vector<Index>& blocks, const Result& result,
           Shared& shared)
      : data_(data),
        blocks_(blocks),
        result_(result),
        shared_(shared),
        pool_(threads_of(result)),
        is_views_(std::string_view(arrangement_of(data, result)) == "views") {}

  Json json() {
    const std::optional<std::vector<Index>> exact = exact_fields();
    const auto n = static_cast<double>(blocks_.size());
    const Index bins = side_for(n * static_cast<double>(shared_.n_results() + 1));
    for (const Index mode : {0, 1}) sides_[mode] = make_sides(mode, exact.has_value(), bins);
    const std::vector<Index> ordered = exact ? *exact : mean_fields(&Side::ordered, "");
    const std::vector<Index> given = exact ? *exact : mean_fields(&Side::given, "given");
    Json list = Json::array();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      list.push_back(
          block_json(block(b, ordered[b], exact ? std::nullopt : std::optional<Index>(given[b]))));
    }
    return list;
  }

 private:
  // All blocks of a series have one scale; views are in units of their own.
  std::vector<Scale> scales(const std::vector<Grid>& grids) const {
    std::vector<const Grid*> all;
    for (const Grid& grid : grids) all.push_back(&grid);
    if (!is_views_) return std::vector<Scale>(grids.size(), scale_of(all));
    std::vector<Scale> own;
    for (const Grid* grid : all) own.push_back(scale_of({grid}));
    return own;
  }

  std::string key() const {
    std::string key = is_views_ ? "views" : "";
    for (const Index b : blocks_) key += " " + data_.block(b).digest();
    return key;
  }

  // The cells one by one as given, where there is room for that: all results share them.
  std::optional<std::vector<Index>> exact_fields() {
    Index cells = 0;
    for (const Index b : blocks_) {
      const Shape& shape = data_.block(b).shape();
      if (!may_be_exact(shape[0], shape[1], 1)) return std::nullopt;
      cells += shape[0] * shape[1];
    }
    if (cells > kExactCells) return std::nullopt;
    if (const auto known = shared_.known(key())) return known->empty() ? std::nullopt : known;
    std::vector<Grid> grids;
    for (const Index b : blocks_) {
      const Shape& shape = data_.block(b).shape();
      grids.push_back(average(data_.block(b),
                              make_axis(nullptr, shape[0], std::max<Index>(shape[0], 4)),
                              make_axis(nullptr, shape[1], std::max<Index>(shape[1], 4)), pool_));
    }
    const std::vector<Scale> scale = scales(grids);
    std::vector<Json> fields;
    for (std::size_t b = 0; b < grids.size(); ++b)
      fields.push_back(exact_field(grids[b], scale[b]));
    std::optional<std::vector<Index>> numbers = shared_.add_exact(std::move(fields));
    shared_.remember(key(), numbers.value_or(std::vector<Index>{}));
    return numbers;
  }

  // Means between the axes in one of the two orders; those as given are the same for all results.
  std::vector<Index> mean_fields(Axis Side::*order, const std::string& name) {
    const std::string what = name.empty() ? "" : name + key();
    if (!what.empty()) {
      if (const auto known = shared_.known(what)) return *known;
    }
    std::vector<Grid> grids;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      grids.push_back(
          average(data_.block(blocks_[b]), side(0, b).*order, side(1, b).*order, pool_));
    const std::vector<Scale> scale = scales(grids);
    std::vector<Index> numbers;
    for (std::size_t b = 0; b < grids.size(); ++b)
      numbers.push_back(shared_.add_field(level_field(grids[b], scale[b])));
    if (!what.empty()) shared_.remember(what, numbers);
    return numbers;
  }

  const Side& side(Index mode, std::size_t b) const {
    return sides_[mode][sides_[mode].size() == 1 ? 0 : b];
  }

  // One axis for all blocks where these have the same items, else one each.
  std::vector<Side> make_sides(Index mode, bool is_exact, Index bins) {
    const char* title = mode == 0 ? "rows" : "columns";
    std::vector<Side> sides;
    const bool is_common = is_same_mode(data_, blocks_, mode);
    for (const Index b : blocks_) {
      const Index n = data_.block(b).shape()[mode];
      std::vector<const Membership*> all;
      for (const Index other : is_common ? blocks_ : std::vector<Index>{b}) {
        const Membership* one = membership_of_block(result_, other, mode);
        if (one != nullptr && one->n_items == n) all.push_back(one);
      }
      Membership together;
      const Membership* membership = all.empty() ? nullptr : all.front();
      if (all.size() > 1 && all.front()->block) {
        together = joined(all);
        membership = &together;
      }
      sides.push_back(make_side(membership, n, is_exact, bins, title,
                                shared_.names(labels_of(result_, b, mode, n)), shared_));
      if (is_common) break;
    }
    return sides;
  }

  BlockPicture block(std::size_t b, Index field, std::optional<Index> given) const {
    const Index index = blocks_[b];
    const Summary& summary = data_.block(index).summary();
    const auto n = std::ssize(result_.model.components);
    BlockPicture picture{
        .name = file_name(data_.block(index).name()),
        .caption = caption_of(side(0, b).ordered, side(1, b).ordered, "row", "column"),
        .rows = &side(0, b),
        .columns = &side(1, b)};
    picture.caption += summary.missing < summary.shape[0] * summary.shape[1]
                           ? fmt::format(" Values range from {} to {}.", number(summary.min, 4),
                                         number(summary.max, 4))
                           : " Every cell is missing.";
    picture.row_stretches = places(side(0, b), membership_of_block(result_, index, 0), n);
    picture.column_stretches = places(side(1, b), membership_of_block(result_, index, 1), n);
    picture.field = field;
    picture.given_field = given;
    return picture;
  }

  const Dataset& data_;
  const std::vector<Index>& blocks_;
  const Result& result_;
  Shared& shared_;
  ThreadPool pool_;
  bool is_views_;
  std::vector<Side> sides_[2];
};

}  // namespace

bool is_same_mode(const Dataset& data, const std::vector<Index>& blocks, Index mode) {
  const Block& first = data.block(blocks.front());
  return std::all_of(blocks.begin(), blocks.end(), [&](Index b) {
    const Block& block = data.block(b);
    return block.shape()[mode] == first.shape()[mode] && block.labels(mode) == first.labels(mode);
  });
}

Json matrices_json(const Dataset& data, const std::vector<Index>& blocks, const Result& result,
                   Shared& shared) {
  return Matrices(data, blocks, result, shared).json();
}

Json picture_json(const Dataset& data, const Result& result, Shared& shared) {
  std::vector<Index> drawn;
  Index streamed = 0, arrays = 0, more = 0;
  for (Index b = 0; b < data.size(); ++b) {
    const Block& block = data.block(b);
    if (block.row_source() != nullptr) {
      ++streamed;
    } else if (!block.is_matrix()) {
      ++arrays;
    } else if (std::ssize(drawn) == kMaxBlocks) {
      ++more;
    } else {
      drawn.push_back(b);
    }
  }
  Json picture = {{"arrangement", arrangement_of(data, result)},
                  {"message", ""},
                  {"blocks", Json::array()},
                  {"flows", Json::array()},
                  {"component_slices", Json::array()},
                  {"profile_mode", nullptr}};
  if (!drawn.empty()) {
    picture["blocks"] = matrices_json(data, drawn, result, shared);
    picture["flows"] = flows_json(data, drawn, result);
    if (more > 0)
      picture["message"] =
          fmt::format("{} not drawn.", counted(more, "more block") + (more == 1 ? " is" : " are"));
  } else if (streamed > 0) {
    picture["message"] =
        "These data are large and were read piece by piece; there is no picture of them.";
  } else if (data.size() == 1 && arrays == 1) {
    picture.update(slices_json(data.block(0), result, shared));
  } else {
    picture["message"] = "There is no picture of several arrays of more than two modes.";
  }
  return picture;
}

}  // namespace gingham::report
