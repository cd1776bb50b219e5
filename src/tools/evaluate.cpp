#include "gingham/tools/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "gingham/base/digest.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/registry.hpp"
#include "gingham/io/read_labels.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/io/whole_file.hpp"
#include "gingham/metrics/cell_classification.hpp"
#include "gingham/metrics/consensus.hpp"
#include "gingham/metrics/scores.hpp"

namespace gingham {
namespace {

std::vector<NamedValue> score(const std::vector<Index>& found, const std::vector<Index>& truth,
                              const std::string& truth_name) {
  if (found.size() != truth.size()) {
    throw Error(
        ErrorCode::input, printable(truth_name),
        fmt::format("has {} labels, expected {}: one per item", truth.size(), found.size()));
  }
  std::vector<NamedValue> scores;
  for (const auto& [name, value] : score_labels(found, truth).values)
    scores.push_back({name, value});
  return scores;
}

std::vector<Index> truth_labels(const std::string& path) {
  return encode_labels(read_label_file(path));
}

// Numbered as those of a file that lists the same numbers.
std::vector<Index> truth_labels(const std::vector<Index>& labels) {
  std::vector<std::string> texts;
  for (const Index label : labels) texts.push_back(to_text(label));
  return encode_labels(texts);
}

void check_one_kind(const Truth& truth) {
  if (truth.files.empty() || truth.labels.empty()) return;
  throw Error(ErrorCode::usage, "--truth", "give files or labels, not both");
}

// Those whose key is `mode`, or all blocks of the mode of this name; without a name those of the
// first mode there is.
std::vector<const Membership*> wanted_memberships(const Result& result, const std::string& mode) {
  std::vector<const Membership*> wanted;
  for (const Membership& membership : result.model.memberships) {
    const bool fits = mode.empty() ? wanted.empty() || membership.mode == wanted[0]->mode
                                   : membership.key() == mode || membership.mode == mode;
    if (fits) wanted.push_back(&membership);
  }
  if (wanted.empty()) {
    std::string known;
    for (const Membership& membership : result.model.memberships) known += " " + membership.key();
    throw Error(ErrorCode::usage, "--mode",
                "there are no labels for '" + printable(mode, 40) + "'; there are" + known);
  }
  return wanted;
}

// The members of each component in every mode together; components without members cover nothing
// and are left out.
std::vector<CoCluster> coclusters(const std::vector<Membership>& memberships) {
  std::map<Index, CoCluster> by_component;
  for (std::size_t mode = 0; mode < memberships.size(); ++mode) {
    for (const Member& member : memberships[mode].members) {
      CoCluster& one = by_component[member.component];
      one.modes.resize(memberships.size());
      one.modes[mode].push_back(member.item);
    }
  }
  std::vector<CoCluster> all;
  for (auto& [component, one] : by_component) all.push_back(std::move(one));
  return all;
}

bool is_checkerboard(const Result& result) {
  for (const MethodInfo& info : all_methods()) {
    if (info.name == result.method) return info.traits.checkerboard;
  }
  return false;
}

// Shares of cells in exactly the co-clusters they were planted in. Nothing where the truth is not
// about every mode.
std::vector<NamedValue> score_cells(const std::vector<CoCluster>& found,
                                    const std::vector<Membership>& truth, Unmatched unmatched) {
  Shape sizes;
  for (const Membership& membership : truth) {
    if (membership.members.empty()) return {};
    sizes.push_back(membership.n_items);
  }
  if (is_partition(found, sizes)) unmatched = Unmatched::background;
  const CellScores cells = classify_cells(found, coclusters(truth), sizes, unmatched);
  std::vector<NamedValue> scores{{"cells_right", cells.all}};
  if (!std::isnan(cells.planted)) scores.push_back({"planted_right", cells.planted});
  if (!std::isnan(cells.background)) scores.push_back({"background_right", cells.background});
  return scores;
}

// Co-clusters over all modes together.
std::vector<NamedValue> score_coclusters(const Result& result,
                                         const std::vector<Membership>& truth) {
  const std::vector<CoCluster> planted = coclusters(truth);
  const std::vector<CoCluster> found = coclusters(result.model.memberships);
  if (is_checkerboard(result))
    return score_cells(checkerboard(found, planted), truth, Unmatched::background);
  std::vector<NamedValue> scores{{"consensus", consensus_score(found, planted)}};
  for (const NamedValue& cells : score_cells(found, truth, Unmatched::wrong))
    scores.push_back(cells);
  return scores;
}

std::vector<NamedValue> score_clusters(const Result& result, const std::string& path,
                                       const std::string& mode) {
  std::vector<Membership> truth = result.model.memberships;
  for (Membership& membership : truth) membership.members.clear();
  read_clusters_of_modes(path, truth);
  std::vector<std::vector<NamedValue>> blocks;
  for (const Membership* wanted : wanted_memberships(result, mode)) {
    const auto at = static_cast<std::size_t>(wanted - result.model.memberships.data());
    blocks.push_back(score(strongest(*wanted), strongest(truth[at]), path));
  }
  std::vector<NamedValue> scores = average_scores(blocks);
  const bool whole = std::none_of(truth.begin(), truth.end(),
                                  [](const Membership& m) { return m.block.has_value(); });
  if (!whole || truth.size() < 2) return scores;
  for (const NamedValue& score : score_coclusters(result, truth)) scores.push_back(score);
  return scores;
}

}  // namespace

std::vector<NamedValue> average_scores(const std::vector<std::vector<NamedValue>>& blocks) {
  std::vector<NamedValue> all = blocks.front();
  if (blocks.size() == 1) return all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    double sum = 0.0;
    for (const std::vector<NamedValue>& scores : blocks) sum += scores[i].value;
    all[i].value = sum / static_cast<double>(blocks.size());
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const NamedValue& score : blocks[b])
      all.push_back({fmt::format("{}_{}", score.name, b), score.value});
  }
  return all;
}

bool is_block_score(const std::string& name) {
  const std::size_t at = name.rfind('_');
  return at != std::string::npos && at + 1 < name.size() &&
         name.find_first_not_of("0123456789", at + 1) == std::string::npos;
}

std::string Truth::count_text() const {
  return fmt::format("{} {}{}", size(), files.empty() ? "list" : "file", size() == 1 ? "" : "s");
}

Truth Truth::of_block(Index block) const {
  if (size() <= 1) return *this;
  Truth own;
  if (!files.empty()) own.files = {files[block]};
  if (!labels.empty()) own.labels = {labels[block]};
  return own;
}

std::vector<std::string> Truth::identity() const {
  std::vector<std::string> all = files;
  for (const std::vector<Index>& list : labels) {
    Digest digest;
    for (const Index label : list) digest.add(label);
    all.push_back(digest.hex());
  }
  return all;
}

void check_truth(const Truth& truth) {
  check_one_kind(truth);
  for (const std::string& path : truth.files) read_whole_file(path);
}

std::vector<NamedValue> score_result(const Result& result, const Truth& truth,
                                     const std::string& mode) {
  if (truth.empty()) throw Error(ErrorCode::usage, "--truth", "a file is needed");
  check_one_kind(truth);
  if (truth.is_clusters()) return score_clusters(result, truth.files[0], mode);
  const std::vector<const Membership*> wanted = wanted_memberships(result, mode);
  if (truth.size() != 1 && truth.size() != std::ssize(wanted)) {
    throw Error(ErrorCode::usage, "--truth",
                fmt::format("{} for {} sets of labels; give one for each, one for all, or choose "
                            "with --mode",
                            truth.count_text(), wanted.size()));
  }
  std::vector<std::vector<NamedValue>> blocks;
  for (std::size_t b = 0; b < wanted.size(); ++b) {
    const Truth own = truth.of_block(static_cast<Index>(b));
    const std::vector<Index> known =
        own.files.empty() ? truth_labels(own.labels[0]) : truth_labels(own.files[0]);
    const std::string name = !own.files.empty() ? own.files[0]
                             : truth.size() > 1 ? fmt::format("truth[{}]", b)
                                                : "truth";
    blocks.push_back(score(strongest(*wanted[b]), known, name));
  }
  return average_scores(blocks);
}

std::vector<NamedValue> evaluate(const std::string& found, const std::vector<std::string>& truth,
                                 const std::string& mode) {
  if (std::filesystem::is_directory(found))
    return score_result(read_result(found).json.result, {.files = truth}, mode);
  if (!mode.empty())
    throw Error(ErrorCode::usage, "--mode", "goes with a result directory, not with a label file");
  if (truth.size() != 1)
    throw Error(ErrorCode::usage, "--truth", "a label file is compared with one other");
  const std::vector<Index> labels = truth_labels(found);
  return score(labels, truth_labels(truth[0]), truth[0]);
}

}  // namespace gingham
