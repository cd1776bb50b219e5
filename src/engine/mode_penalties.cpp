#include "gingham/engine/mode_penalties.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gingham/base/text.hpp"

namespace gingham {
namespace {

constexpr const char* kOption = "penalty";

}  // namespace

const PenaltyRequest* asked_penalty(const Options& options, std::string_view mode) {
  for (const ModePenalty& one : options.mode_penalties(kOption)) {
    if (one.mode == mode) return &one.penalty;
  }
  return nullptr;
}

std::shared_ptr<const Groups> penalty_groups(const Options& options, std::string_view mode,
                                             Index n_items) {
  const std::string name = fmt::format("{}.{}", kOption, mode);
  if (!options.is_file(name)) return nullptr;
  const std::string& path = options.path(name);
  return std::make_shared<const Groups>(
      Groups::from_lines(options.lines(name), n_items, path.empty() ? "--" + name : path, "item"));
}

void check_mode_penalties(const Options& options, const std::vector<std::string>& modes,
                          const std::vector<Index>& sizes, const std::vector<std::string>& own) {
  for (const ModePenalty& one : options.mode_penalties(kOption)) {
    const auto found = std::find(modes.begin(), modes.end(), one.mode);
    if (found == modes.end()) {
      throw Error(ErrorCode::usage, "--penalty",
                  fmt::format("there is no mode '{}'; there are {}", printable(one.mode, 40),
                              fmt::join(modes, " ")));
    }
    const auto at = static_cast<std::size_t>(found - modes.begin());
    if (at < own.size() && !own[at].empty()) {
      throw Error(
          ErrorCode::usage, "--penalty",
          fmt::format("mode '{}' has --{} as well{}; give one of the two", one.mode, own[at],
                      options.has(own[at]) ? ", " + options.canonical(own[at]) : ""));
    }
    static_cast<void>(penalty_groups(options, one.mode, sizes[at]));
  }
}

std::vector<double> fitted_numbers(const Options& options, const Model& fitted) {
  std::vector<double> numbers;
  bool is_known = true;
  for (const ModePenalty& one : options.mode_penalties(kOption)) {
    const std::vector<double> own = one.penalty.numbers();
    numbers.insert(numbers.end(), own.begin(), own.end());
    is_known = is_known && !one.penalty.has_percentages();
  }
  if (is_known) return numbers;
  for (const UsedValues& used : fitted.used) {
    if (used.option == kOption && used.values.size() == numbers.size()) return used.values;
  }
  throw Error(ErrorCode::input, kOption, "the result does not say which numbers were used");
}

std::unique_ptr<Penalty> fitted_penalty(const Options& options, const Model& fitted,
                                        std::string_view mode, const EntryRule& within) {
  const std::vector<double> numbers = fitted_numbers(options, fitted);
  auto next = numbers.begin();
  for (const ModePenalty& one : options.mode_penalties(kOption)) {
    const auto begin = next;
    next += one.penalty.n_weights();
    if (one.mode != mode) continue;
    const std::string name = fmt::format("{}.{}", kOption, mode);
    const Index n_items = options.is_file(name) ? std::ssize(options.lines(name)) : 0;
    return one.penalty.make({begin, next}, penalty_groups(options, mode, n_items), within);
  }
  return nullptr;
}

ModePenalties::ModePenalties(const Options& options, std::vector<std::string> modes,
                             std::vector<Index> sizes)
    : requests_(modes.size()), groups_(modes.size()), maxima_(modes.size()) {
  for (const ModePenalty& one : options.mode_penalties(kOption)) {
    const auto at = std::find(modes.begin(), modes.end(), one.mode) - modes.begin();
    requests_[at] = one.penalty;
    groups_[at] = penalty_groups(options, one.mode, sizes[at]);
    typed_.push_back(at);
  }
}

void ModePenalties::see(Index mode, ConstVec b, Curvature h, double times) {
  constexpr double kAbove = 1.0 + 1e-12;  // so that rounding leaves nothing at 100 %
  if (!has_percentages(mode)) return;
  std::vector<double> pull(b.begin(), b.end()), each(h.each().begin(), h.each().end());
  for (double& one : pull) one *= times * kAbove;
  for (double& one : each) one *= times;
  const Curvature curvature = h.is_even() ? Curvature(times * h[0]) : Curvature(each);
  const std::vector<double> own = requests_[mode]->maxima(pull, curvature, groups_[mode]);
  maxima_[mode].resize(own.size(), 0.0);
  for (std::size_t i = 0; i < own.size(); ++i) {
    maxima_[mode][i] = std::max(maxima_[mode][i], own[i]);
  }
}

std::shared_ptr<const Penalty> ModePenalties::make(Index mode) const {
  const PenaltyRequest& request = requests_[mode] ? *requests_[mode] : PenaltyRequest();
  return request.make(request.numbers(maxima_[mode]), groups_[mode]);
}

UsedValues ModePenalties::used() const {
  UsedValues all{kOption, {}, {}};
  for (const Index mode : typed_) {
    const std::vector<double> own = requests_[mode]->numbers(maxima_[mode]);
    const std::vector<PenaltyValue> asked = requests_[mode]->values();
    for (std::size_t i = 0; i < own.size(); ++i) {
      const bool is_share = asked[i].kind == PenaltyValue::Kind::percent;
      const double most = maxima_[mode].empty() ? 0.0 : maxima_[mode][i];
      all.values.push_back(own[i]);
      all.maxima.push_back(is_share ? most : kUnknown);
    }
  }
  return all;
}

}  // namespace gingham
