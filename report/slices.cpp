// An array of three or more modes as slices along its shortest mode, and per component as the mean
// over that mode by the component's weights there. Further modes are averaged over.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "gingham/engine/item_labels.hpp"
#include "report/block_picture.hpp"
#include "report/names.hpp"
#include "report/picture.hpp"
#include "report/text.hpp"

namespace gingham::report {
namespace {

constexpr Index kMaxSlices = 24, kMaxWeighted = 12;

struct Roles {
  Index profile = 0, rows = 0, columns = 0;
};

// Slices run along the shortest mode, the last of equal ones; the longest two others are drawn.
Roles roles_of(const Shape& shape) {
  std::vector<Index> modes;
  for (Index mode = 0; mode < std::ssize(shape); ++mode) modes.push_back(mode);
  Roles roles;
  roles.profile = *std::min_element(modes.rbegin(), modes.rend(),
                                    [&](Index a, Index b) { return shape[a] < shape[b]; });
  std::erase(modes, roles.profile);
  std::stable_sort(modes.begin(), modes.end(),
                   [&](Index a, Index b) { return shape[a] > shape[b]; });
  roles.rows = std::min(modes[0], modes[1]);
  roles.columns = std::max(modes[0], modes[1]);
  return roles;
}

struct Slicing {
  Roles roles;
  Axis profile;                              // as given, in bins
  std::vector<std::vector<double>> weights;  // per component, over the items of the profile mode
  double others = 1.0;                       // cells of the other modes behind each cell drawn
};

// visit(item of the rows, of the columns, of the profile, value) for every stored cell, in order.
template <class Visit>
void for_cells(const Block& block, const Roles& roles, Visit&& visit) {
  if (const SparseTensor* sparse = block.sparse_tensor()) {
    const auto row = sparse->coordinates(roles.rows), column = sparse->coordinates(roles.columns),
               profile = sparse->coordinates(roles.profile);
    const ConstVec values = sparse->values();
    for (std::size_t e = 0; e < values.size(); ++e) visit(row[e], column[e], profile[e], values[e]);
    return;
  }
  for_each_entry(block, [&](std::span<const Index> at, double value) {
    visit(at[roles.rows], at[roles.columns], at[roles.profile], value);
  });
}

std::vector<Grid> grids_of(const Block& block, const Slicing& slicing, const Axis& rows,
                           const Axis& columns, int threads) {
  const double unit = unit_of(block);
  const auto n_slices = static_cast<std::size_t>(slicing.profile.bins());
  std::vector<MeanGrid> sums(n_slices + slicing.weights.size(),
                             MeanGrid(rows.bins(), columns.bins(), unit));
  const bool zeros = block.is_sparse() && block.unlisted() == Unlisted::zero;
  for (std::size_t s = 0; zeros && s < sums.size(); ++s) {
    double weight = 0.0;
    if (s < n_slices) {
      weight = static_cast<double>(slicing.profile.size[s]);
    } else {
      for (const double one : slicing.weights[s - n_slices]) weight += one;
    }
    sums[s].add_zeros(rows, columns, weight * slicing.others);
  }
  // Per item of the profile mode the pictures that it is part of, with its weight there.
  std::vector<std::vector<std::pair<MeanGrid*, double>>> of_item(slicing.profile.bin.size());
  for (std::size_t p = 0; p < of_item.size(); ++p) {
    of_item[p].push_back({&sums[slicing.profile.bin[p]], 1.0});
    for (std::size_t k = 0; k < slicing.weights.size(); ++k) {
      if (slicing.weights[k][p] > 0.0)
        of_item[p].push_back({&sums[n_slices + k], slicing.weights[k][p]});
    }
  }
  ThreadPool pool(threads);
  for_bins(rows.bins(), pool, [&](Index begin, Index end) {
    for_cells(block, slicing.roles, [&](Index row, Index column, Index profile, double value) {
      const Index i = rows.bin[row];
      if (i < begin || i >= end) return;
      const Index j = columns.bin[column];
      for (const auto& [grid, weight] : of_item[profile])
        zeros ? grid->replace(i, j, value, weight) : grid->add(i, j, value, weight);
    });
  });
  std::vector<Grid> grids;
  for (const MeanGrid& one : sums) grids.push_back(one.means());
  return grids;
}

// |value| of each item of a component, relative to the largest.
std::vector<double> weights_of(const Membership& membership, Index component) {
  std::vector<double> weights(static_cast<std::size_t>(membership.n_items), 0.0);
  double largest = 0.0;
  for (const Member& member : membership.members) {
    if (member.component != component || !std::isfinite(member.value)) continue;
    weights[member.item] = std::abs(member.value);
    largest = std::max(largest, weights[member.item]);
  }
  for (double& weight : weights) weight = largest > 0.0 ? weight / largest : 0.0;
  return weights;
}

Slicing slicing_of(const Block& block, const Result& result) {
  Slicing slicing;
  slicing.roles = roles_of(block.shape());
  const Index n = block.shape()[slicing.roles.profile];
  slicing.profile = make_axis(nullptr, n, kMaxSlices);
  for (Index mode = 0; mode < block.modes(); ++mode) {
    const Roles& roles = slicing.roles;
    if (mode != roles.profile && mode != roles.rows && mode != roles.columns)
      slicing.others *= static_cast<double>(block.shape()[mode]);
  }
  const Membership* membership = membership_of_block(result, 0, slicing.roles.profile);
  if (membership == nullptr || membership->n_items != n) return slicing;
  const Index shown = std::min<Index>(std::ssize(result.model.components), kMaxWeighted);
  for (Index k = 0; k < shown; ++k) slicing.weights.push_back(weights_of(*membership, k));
  return slicing;
}

// Slices share a scale, components another: means over a few good months are far larger.
std::vector<Json> fields_of(const std::vector<Grid>& grids, std::size_t n_slices,
                            Json (*make)(const Grid&, const Scale&)) {
  std::vector<Json> fields;
  for (const auto& [begin, end] : {std::pair{std::size_t{0}, n_slices}, {n_slices, grids.size()}}) {
    std::vector<const Grid*> some;
    for (std::size_t s = begin; s < end; ++s) some.push_back(&grids[s]);
    const Scale scale = scale_of(some);
    for (const Grid* grid : some) fields.push_back(make(*grid, scale));
  }
  return fields;
}

// The cells one by one as given, where there is room for that; all results share the slices. Where
// there is room for these only, components have none.
std::optional<std::vector<Index>> exact_fields(const Block& block, Slicing& slicing, int threads,
                                               Shared& shared) {
  const Index rows = block.shape()[slicing.roles.rows],
              columns = block.shape()[slicing.roles.columns];
  const auto n_slices = static_cast<std::size_t>(slicing.profile.bins());
  std::vector<Json> made =
      fields_of(grids_of(block, slicing, make_axis(nullptr, rows, std::max<Index>(rows, 4)),
                         make_axis(nullptr, columns, std::max<Index>(columns, 4)), threads),
                n_slices, exact_field);
  const auto end_of_slices = made.begin() + static_cast<std::ptrdiff_t>(n_slices);
  std::vector<Json> components(std::make_move_iterator(end_of_slices),
                               std::make_move_iterator(made.end()));
  made.erase(end_of_slices, made.end());
  const std::string what = "slices " + block.digest();
  std::optional<std::vector<Index>> fields = shared.known(what);
  if (!fields) {
    fields = shared.add_exact(std::move(made));
    shared.remember(what, fields.value_or(std::vector<Index>{}));
  }
  if (!fields || fields->empty()) return std::nullopt;
  if (const auto more = shared.add_exact(std::move(components))) {
    fields->insert(fields->end(), more->begin(), more->end());
  } else {
    slicing.weights.clear();
  }
  return fields;
}

// "March", or "March to May" where a slice is the mean of several items.
std::string slice_name(const Axis& profile, const Labels* labels, Index slice) {
  Index first = 0;
  for (Index s = 0; s < slice; ++s) first += profile.size[s];
  const auto name = [&](Index item) {
    const std::string text = labels == nullptr ? "" : clean((*labels)[item], kMaxLabel);
    return text.empty() ? std::to_string(item) : text;
  };
  if (profile.size[slice] == 1) return name(first);
  return name(first) + " to " + name(first + profile.size[slice] - 1);
}

// The components that have an item of the profile mode in this slice.
std::vector<bool> present_in(const Slicing& slicing, const Membership* membership, Index slice,
                             Index n_components) {
  std::vector<bool> present(static_cast<std::size_t>(n_components), membership == nullptr);
  if (membership == nullptr) return present;
  for (const Member& member : membership->members) {
    if (slicing.profile.bin[member.item] == slice) present[member.component] = true;
  }
  return present;
}

std::vector<Stretch> only(std::vector<Stretch> all, const std::vector<bool>& present) {
  std::erase_if(all, [&](const Stretch& one) { return !present[one.component]; });
  return all;
}

}  // namespace

Json slices_json(const Block& block, const Result& result, Shared& shared) {
  Slicing slicing = slicing_of(block, result);
  const Roles roles = slicing.roles;
  const int threads = threads_of(result);
  const Shape& shape = block.shape();
  const auto n_slices = static_cast<std::size_t>(slicing.profile.bins());
  const auto n_pictures = static_cast<Index>(n_slices + slicing.weights.size());
  const auto members = [&](Index mode) {
    const Membership* one = membership_of_block(result, 0, mode);
    return one != nullptr && one->n_items == shape[mode] ? one : nullptr;
  };
  const auto side = [&](Index mode, bool is_exact) {
    const Index bins =
        side_for(2.0 * static_cast<double>(n_pictures) * static_cast<double>(shared.n_results()));
    return make_side(members(mode), shape[mode], is_exact, bins, fmt::format("mode {}", mode),
                     shared.names(labels_of(result, 0, mode, shape[mode])), shared);
  };

  std::optional<std::vector<Index>> fields;
  if (may_be_exact(shape[roles.rows], shape[roles.columns], n_pictures))
    fields = exact_fields(block, slicing, threads, shared);
  const bool is_exact = fields.has_value();
  const Side rows = side(roles.rows, is_exact), columns = side(roles.columns, is_exact);
  std::vector<Index> given;
  if (!is_exact) {
    fields.emplace();
    for (Json& one : fields_of(grids_of(block, slicing, rows.ordered, columns.ordered, threads),
                               n_slices, level_field))
      fields->push_back(shared.add_field(std::move(one)));
    for (Json& one : fields_of(grids_of(block, slicing, rows.given, columns.given, threads),
                               n_slices, level_field))
      given.push_back(shared.add_field(std::move(one)));
  }

  const Index n_components = std::min<Index>(std::ssize(result.model.components), kMaxComponents);
  const std::vector<Stretch> row_places = places(rows, members(roles.rows), n_components);
  const std::vector<Stretch> column_places = places(columns, members(roles.columns), n_components);
  const std::string row_word = fmt::format("item of mode {}", roles.rows),
                    column_word = fmt::format("item of mode {}", roles.columns);
  const auto picture = [&](std::string name, std::size_t at, const std::vector<bool>& present) {
    return block_json({.name = std::move(name),
                       .caption = "",
                       .rows = &rows,
                       .columns = &columns,
                       .row_stretches = only(row_places, present),
                       .column_stretches = only(column_places, present),
                       .field = (*fields)[at],
                       .given_field = is_exact ? std::nullopt : std::optional<Index>(given[at])});
  };
  const Labels* names = labels_of(result, 0, roles.profile, shape[roles.profile]);
  Json blocks = Json::array(), components = Json::array();
  for (std::size_t s = 0; s < n_slices; ++s) {
    const auto slice = static_cast<Index>(s);
    blocks.push_back(picture(slice_name(slicing.profile, names, slice), s,
                             present_in(slicing, members(roles.profile), slice, n_components)));
  }
  for (std::size_t k = 0; k < slicing.weights.size(); ++k) {
    std::vector<bool> present(static_cast<std::size_t>(n_components), false);
    present[k] = true;
    components.push_back(
        {{"component", k},
         {"block", picture(fmt::format("Component {}", k), n_slices + k, present)}});
  }
  std::string message =
      fmt::format("Slices along mode {}; mode {} is drawn downwards, mode {} across.",
                  roles.profile, roles.rows, roles.columns);
  if (block.modes() > 3) message += " Further modes are averaged over.";
  return {{"arrangement", "slices"},
          {"message", message},
          {"blocks", blocks},
          {"component_slices", components},
          {"profile_mode", fmt::format("mode_{}", roles.profile)}};
}

}  // namespace gingham::report
