#include "gingham/tools/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "gingham/base/text.hpp"
#include "gingham/io/read_labels.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/metrics/consensus.hpp"
#include "gingham/metrics/scores.hpp"

namespace gingham {
namespace {

std::vector<NamedValue> compare(const std::vector<Index>& found, const std::vector<Index>& truth,
                                const std::string& truth_path) {
  if (found.size() != truth.size()) {
    throw Error(
        ErrorCode::input, printable(truth_path),
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

std::vector<const Membership*> wanted_memberships(const Result& result, const std::string& mode,
                                                  std::size_t n_truths) {
  std::vector<const Membership*> wanted;
  for (const Membership& membership : result.model.memberships) {
    const bool fits = !mode.empty()
                          ? membership.key() == mode || (n_truths > 1 && membership.mode == mode)
                          : wanted.empty() || (n_truths > 1 && membership.mode == wanted[0]->mode);
    if (fits) wanted.push_back(&membership);
  }
  if (wanted.empty()) {
    std::string known;
    for (const Membership& membership : result.model.memberships) known += " " + membership.key();
    throw Error(ErrorCode::usage, "--mode",
                "there are no labels for '" + printable(mode, 40) + "'; there are" + known);
  }
  if (wanted.size() != n_truths) {
    throw Error(
        ErrorCode::usage, "--truth",
        fmt::format("{} files for {} sets of labels; give one for each, or choose with --mode",
                    n_truths, wanted.size()));
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

std::vector<NamedValue> score_clusters(const Result& result, const std::string& path,
                                       const std::string& mode) {
  std::vector<Membership> truth = result.model.memberships;
  for (Membership& membership : truth) membership.members.clear();
  read_clusters(path, truth);
  const Membership* wanted = wanted_memberships(result, mode, 1)[0];
  const auto at = static_cast<std::size_t>(wanted - result.model.memberships.data());
  std::vector<NamedValue> scores = compare(strongest(*wanted), strongest(truth[at]), path);
  const bool whole = std::none_of(truth.begin(), truth.end(),
                                  [](const Membership& m) { return m.block.has_value(); });
  if (whole && truth.size() > 1) {
    scores.push_back(
        {"consensus", consensus_score(coclusters(result.model.memberships), coclusters(truth))});
  }
  return scores;
}

}  // namespace

std::vector<NamedValue> score_result(const Result& result, const std::vector<std::string>& truth,
                                     const std::string& mode) {
  if (truth.empty()) throw Error(ErrorCode::usage, "--truth", "a file is needed");
  if (truth.size() == 1 && truth[0].ends_with(".tsv"))
    return score_clusters(result, truth[0], mode);
  const std::vector<const Membership*> wanted = wanted_memberships(result, mode, truth.size());
  std::vector<NamedValue> average, single;
  for (std::size_t b = 0; b < wanted.size(); ++b) {
    const std::vector<NamedValue> scores =
        compare(strongest(*wanted[b]), truth_labels(truth[b]), truth[b]);
    if (average.empty()) {
      average = scores;
      for (NamedValue& score : average) score.value = 0.0;
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
      average[i].value += scores[i].value / static_cast<double>(wanted.size());
      single.push_back({fmt::format("{}_{}", scores[i].name, b), scores[i].value});
    }
  }
  if (wanted.size() > 1) average.insert(average.end(), single.begin(), single.end());
  return average;
}

std::vector<NamedValue> evaluate(const std::string& found, const std::vector<std::string>& truth,
                                 const std::string& mode) {
  if (std::filesystem::is_directory(found))
    return score_result(read_result(found).json.result, truth, mode);
  if (!mode.empty())
    throw Error(ErrorCode::usage, "--mode", "goes with a result directory, not with a label file");
  if (truth.size() != 1)
    throw Error(ErrorCode::usage, "--truth", "a label file is compared with one other");
  const std::vector<Index> labels = truth_labels(found);
  return compare(labels, truth_labels(truth[0]), truth[0]);
}

}  // namespace gingham
