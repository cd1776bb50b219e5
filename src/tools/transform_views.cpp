#include "gingham/tools/transform_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace gingham {
namespace {

bool holds(const std::vector<Index>& list, Index value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

void check_count(const MethodInfo& info, Index n_given, Index n_fitted) {
  if (n_given == n_fitted) return;
  std::string message = fmt::format("{} input{} given; the result was fitted to {}", n_given,
                                    n_given == 1 ? " was" : "s were", n_fitted);
  if (info.input == InputKind::views) {
    message += fmt::format(" views: give all of them, or say which these are, as in --views {}",
                           n_fitted > 2 ? "0,2" : "0");
  }
  throw Error(ErrorCode::usage, info.name, message);
}

void check_views(const std::vector<Index>& views, Index n_given, Index n_fitted) {
  for (std::size_t at = 0; at < views.size(); ++at) {
    if (views[at] < 0 || views[at] >= n_fitted) {
      throw Error(ErrorCode::usage, "--views",
                  fmt::format("there is no view {}; the result was fitted to views 0 to {}",
                              views[at], n_fitted - 1));
    }
    if (holds({views.begin(), views.begin() + static_cast<Index>(at)}, views[at]))
      throw Error(ErrorCode::usage, "--views",
                  fmt::format("view {} is there twice; name each view once", views[at]));
  }
  if (std::ssize(views) == n_given) return;
  throw Error(ErrorCode::usage, "--views",
              fmt::format("{} views for {} inputs; name one view for each input, in their order",
                          views.size(), n_given));
}

}  // namespace

std::vector<Index> places_of(const std::vector<Index>& views, const MethodInfo& info,
                             const std::vector<InputSummary>& fitted, Index n_given) {
  if (views.empty()) {
    check_count(info, n_given, std::ssize(fitted));
    std::vector<Index> all(fitted.size());
    std::iota(all.begin(), all.end(), Index{0});
    return all;
  }
  if (info.input != InputKind::views) {
    throw Error(ErrorCode::usage, "--views",
                fmt::format("{} is not a method of views; leave this option out", info.name));
  }
  check_views(views, n_given, std::ssize(fitted));
  return views;
}

Dataset in_places(std::vector<Block> given, const std::vector<Index>& places,
                  const std::vector<InputSummary>& fitted) {
  const Index rows = given[0].shape()[0];
  std::vector<Block> blocks;
  for (std::size_t b = 0; b < fitted.size(); ++b) {
    const auto place = std::find(places.begin(), places.end(), static_cast<Index>(b));
    if (place != places.end()) {
      blocks.push_back(std::move(given[place - places.begin()]));
      continue;
    }
    if (fitted[b].shape.size() != 2)
      throw Error(ErrorCode::input, fitted[b].path, "was not a matrix in the fit");
    blocks.emplace_back(
        fitted[b].path,
        SparseMatrix::from_triplets(rows, fitted[b].shape[1], {}, {}, {}, Duplicates::error),
        std::vector<Labels>{}, Unlisted::missing);
  }
  return Dataset(std::move(blocks));
}

bool is_of_absent_view(const std::string& name, const MethodInfo& info,
                       const std::vector<Index>& views, Index n_views) {
  for (const ArrayInfo& array : info.arrays) {
    const std::size_t at = array.name.find("<i>");
    if (at == std::string::npos) continue;
    for (Index b = 0; b < n_views; ++b) {
      std::string of_view = array.name;
      if (!holds(views, b) && of_view.replace(at, 3, std::to_string(b)) == name) return true;
    }
  }
  return false;
}

}  // namespace gingham
