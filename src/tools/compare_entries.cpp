#include "gingham/tools/compare_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "gingham/engine/check.hpp"

namespace gingham {
namespace {

bool takes_one(const MethodInfo& info) {
  return info.input == InputKind::matrix || info.input == InputKind::tensor;
}

bool are_views(const std::vector<CompareEntry>& entries, const Dataset& data) {
  const auto has = [&](InputKind kind) {
    return std::any_of(entries.begin(), entries.end(),
                       [&](const CompareEntry& entry) { return entry.info->input == kind; });
  };
  return data.size() > 1 && has(InputKind::views) && !has(InputKind::series) &&
         std::all_of(data.blocks().begin(), data.blocks().end(), [&](const Block& block) {
           return block.shape()[0] == data.block(0).shape()[0];
         });
}

// Whether the method can work on the data; if not, the entry says why.
void check_entry(CompareEntry& entry, const Dataset& data, double limit) {
  entry.is_per_block = takes_one(*entry.info) && data.size() > 1 && !entry.view;
  try {
    for (Index block = 0; block < n_parts(data, entry); ++block) {
      const Dataset part = part_of(data, entry, block);
      check_inputs(*entry.info, part, entry.options);
      const double beside = is_part(entry) ? static_cast<double>(data.bytes()) : 0.0;
      static_cast<void>(race_within(*entry.info, part, entry.options, limit - beside));
      check_memory(estimate_bytes(*entry.info, part, entry.options) + beside, limit);
    }
  } catch (const Error& error) {
    if (!is_refusal(error)) throw;
    entry.refusal = error.what();
  }
}

}  // namespace

std::vector<CompareEntry> entries_of(const CompareRequest& request) {
  std::vector<CompareEntry> entries;
  std::map<std::string, int> seen;
  std::set<std::string> unused;
  for (const auto& [name, text] : request.options) unused.insert(name);
  for (const MethodChoice& choice : request.methods) {
    const int occurrence = ++seen[choice.info->name];
    CompareEntry entry{.name = choice.info->name,
                       .method = choice.info->name,
                       .info = choice.info,
                       .has_truth = !request.truth.empty()};
    if (occurrence > 1) entry.name = entry.method += fmt::format("_{}", occurrence);
    entry.options = choice.info->make_options();
    const auto note = [&](const std::string& name, const std::string& text) {
      entry.given += (entry.given.empty() ? "" : ":") + name + "=" + text;
    };
    const auto set = [&](const std::string& name, const std::string& text) {
      entry.options.set(name, text);
      note(name, text);
    };
    for (const auto& [name, text] : request.options) {
      if (!entry.options.has(name)) continue;
      unused.erase(name);
      const bool is_overruled =
          choice.contents.contains(name) ||
          std::any_of(choice.settings.begin(), choice.settings.end(),
                      [&](const auto& setting) { return setting.first == name; });
      if (!is_overruled) set(name, text);
    }
    for (const auto& [name, text] : choice.settings) set(name, text);
    attach_contents(entry.options, choice.contents);
    for (const auto& [name, content] : choice.contents) note(name, entry.options.canonical(name));
    entries.push_back(std::move(entry));
  }
  if (entries.empty()) throw Error(ErrorCode::usage, "--methods", "a method is needed");
  if (!unused.empty())
    throw Error(ErrorCode::usage, "--" + *unused.begin(), "none of these methods has this option");
  return entries;
}

std::vector<CompareEntry> by_view(const std::vector<CompareEntry>& entries, const Dataset& data) {
  if (!are_views(entries, data)) return entries;
  std::vector<CompareEntry> all;
  for (const CompareEntry& entry : entries) {
    if (!takes_one(*entry.info)) {
      all.push_back(entry);
      continue;
    }
    for (Index view = 0; view < data.size(); ++view) {
      all.push_back(entry);
      all.back().view = view;
      all.back().name += fmt::format("_view{}", view);
    }
  }
  return all;
}

bool is_part(const CompareEntry& entry) { return entry.is_per_block || entry.view; }

Dataset part_of(const Dataset& data, const CompareEntry& entry, Index block) {
  return is_part(entry) ? Dataset(data.block(entry.view.value_or(block))) : data;
}

Index n_parts(const Dataset& data, const CompareEntry& entry) {
  return entry.is_per_block ? data.size() : 1;
}

bool is_refusal(const Error& error) {
  return error.code() == ErrorCode::input || error.code() == ErrorCode::usage ||
         error.code() == ErrorCode::memory;
}

void check_entries(std::vector<CompareEntry>& entries, const CompareRequest& request,
                   const Dataset& data, double limit) {
  std::string refusals;
  bool one_works = false;
  for (CompareEntry& entry : entries) {
    check_entry(entry, data, limit);
    one_works = one_works || entry.refusal.empty();
    refusals += (refusals.empty() ? "" : "; ") + entry.name + ": " + entry.refusal;
    if (!is_part(entry) || request.truth.empty()) continue;
    if (request.truth.size() != 1 && request.truth.size() != data.size()) {
      throw Error(ErrorCode::usage, "--truth",
                  fmt::format("{} for {} blocks; give one for each, or one for all",
                              request.truth.count_text(), data.size()));
    }
    if (!request.truth.files.empty() && request.truth.files[0].ends_with(".tsv")) {
      throw Error(ErrorCode::usage, "--truth",
                  fmt::format("{} runs on every {} by itself; give {}", entry.info->name,
                              entry.view ? "view" : "block",
                              entry.view ? "a label file" : "a label file per block"));
    }
  }
  if (!one_works)
    throw Error(ErrorCode::input, "", "no method can work on these data: " + refusals);
}

}  // namespace gingham
