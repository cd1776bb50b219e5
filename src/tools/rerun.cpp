#include "gingham/tools/rerun.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/engine/run.hpp"

namespace gingham {
namespace {

constexpr double kDouble = 1e-12, kFloat = 1e-6;

// JSON has one word for all that is not finite.
double finite_or_nan(double x) { return std::isfinite(x) ? x : std::nan(""); }

class Rerun {
 public:
  Rerun(const Result& said, const Result& found, Comparison& compare)
      : said_(said),
        found_(found),
        compare_(compare),
        share_(said.options.text("precision") == "float" ? kFloat : kDouble) {}

  void all() {
    text("status", std::string(status_name(said_.status)), std::string(status_name(found_.status)));
    trace();
    restarts();
    number("loss", said_.terms.loss, found_.terms.loss);
    named("term", said_.terms.penalties, found_.terms.penalties);
    named("gap", said_.terms.gaps, found_.terms.gaps);
    named("measure", said_.model.measures, found_.model.measures);
    number("explained", said_.model.explained, found_.model.explained, 1.0);
    used();
    arrays();
    components();
    const std::vector<Membership>&members = said_.model.memberships,
          &again = found_.model.memberships;
    if (same_size("memberships", members.size(), again.size())) {
      for (std::size_t i = 0; i < members.size(); ++i) compare_.members(members[i], again[i]);
    }
    stabilities();
    if (same_size("notes", said_.model.notes.size(), found_.model.notes.size())) {
      for (std::size_t i = 0; i < said_.model.notes.size(); ++i)
        text(fmt::format("note {}", i), said_.model.notes[i], found_.model.notes[i]);
    }
  }

 private:
  void number(const std::string& what, double said, double found, double size = 0.0) {
    compare_.number(again(what), finite_or_nan(said), finite_or_nan(found), share_ * size);
  }
  static std::string again(const std::string& what) { return "run again: " + what; }
  void text(const std::string& what, const std::string& said, const std::string& found) {
    compare_.truth(said == found,
                   fmt::format("{} is reported as '{}', found '{}'", again(what), said, found));
  }
  bool same_size(const std::string& what, std::size_t said, std::size_t found) {
    compare_.truth(said == found,
                   fmt::format("{}: {} are reported, {} found", again(what), said, found));
    return said == found;
  }
  void named(const std::string& kind, const std::vector<NamedValue>& said,
             const std::vector<NamedValue>& found) {
    if (!same_size(kind + "s", said.size(), found.size())) return;
    for (std::size_t i = 0; i < said.size(); ++i) {
      text("name of a " + kind, said[i].name, found[i].name);
      number(kind + " " + said[i].name, said[i].value, found[i].value, 1e-3);
    }
  }

  void trace() {
    const std::vector<Record>&said = said_.trace, &found = found_.trace;
    if (!same_size("trace", said.size(), found.size())) return;
    double most = 0.0;
    for (const Record& one : found) most = std::max(most, std::abs(finite_or_nan(one.objective)));
    for (std::size_t i = 0; i < said.size(); ++i) {
      const std::string name = fmt::format("trace record {}: ", i);
      number(name + "component", static_cast<double>(said[i].component),
             static_cast<double>(found[i].component));
      number(name + "iteration", static_cast<double>(said[i].iteration),
             static_cast<double>(found[i].iteration));
      number(name + "objective", said[i].objective, found[i].objective, most);
      number(name + "gap", said[i].gap, found[i].gap, 1e-3);
      number(name + "moved", said[i].moved, found[i].moved, 1e-3);
    }
  }

  void restarts() {
    if (!same_size("restarts", said_.restarts.size(), found_.restarts.size())) return;
    number("best_restart", static_cast<double>(said_.best_restart),
           static_cast<double>(found_.best_restart));
    for (std::size_t i = 0; i < said_.restarts.size(); ++i) {
      const RestartSummary &said = said_.restarts[i], &found = found_.restarts[i];
      const std::string name = fmt::format("restart {}: ", i);
      number(name + "objective", said.objective, found.objective);
      text(name + "status", std::string(status_name(said.status)),
           std::string(status_name(found.status)));
      number(name + "iterations", static_cast<double>(said.iterations),
             static_cast<double>(found.iterations));
      number(name + "round", static_cast<double>(said.round), static_cast<double>(found.round));
    }
  }

  // One number stands for several that are alike.
  void used() {
    for (const UsedValues& found : found_.model.used) {
      const auto said =
          std::find_if(said_.model.used.begin(), said_.model.used.end(),
                       [&](const UsedValues& one) { return one.option == found.option; });
      const bool is_there =
          said != said_.model.used.end() && (!said->values.empty() || found.values.empty());
      compare_.truth(is_there, again(found.option) + " used is not in the result");
      for (std::size_t k = 0; is_there && k < found.values.size(); ++k) {
        number(fmt::format("{} used, number {}", found.option, k),
               said->values[std::min(k, said->values.size() - 1)], found.values[k]);
      }
    }
  }

  void arrays() {
    const std::vector<NamedArray>&said = said_.model.arrays, &found = found_.model.arrays;
    if (!same_size("arrays", said.size(), found.size())) return;
    for (std::size_t a = 0; a < said.size(); ++a) {
      text("name of an array", said[a].name, found[a].name);
      const std::span<const double> values = values_of(said[a]), other = values_of(found[a]);
      if (!same_size(said[a].name, values.size(), other.size())) continue;
      const auto *sparse = std::get_if<SparseMatrix>(&said[a].values),
                 *again = std::get_if<SparseMatrix>(&found[a].values);
      if (sparse != nullptr && again != nullptr)
        compare_.truth(std::ranges::equal(sparse->columns(), again->columns()) &&
                           std::ranges::equal(sparse->pointers(), again->pointers()),
                       "run again: " + said[a].name + " lists other entries");
      double most = 0.0;
      for (const double one : other) most = std::max(most, std::abs(finite_or_nan(one)));
      for (std::size_t i = 0; i < values.size(); ++i) {
        // Naming a place in a long list costs more than looking.
        if (values[i] == other[i]) {
          ++compare_.result.n_checked;
        } else {
          number(place_in(said[a], i), values[i], other[i], most);
        }
      }
    }
  }

  void components() {
    const std::vector<Component>&said = said_.model.components, &found = found_.model.components;
    if (!same_size("components", said.size(), found.size())) return;
    double most = 0.0;
    for (const Component& one : found) most = std::max(most, std::abs(one.weight));
    for (std::size_t k = 0; k < said.size(); ++k) {
      const std::string name = fmt::format("component {}: ", k);
      number(name + "weight", said[k].weight, found[k].weight, most);
      number(name + "level", said[k].level, found[k].level, most);
      number(name + "explained", said[k].explained, found[k].explained, 1.0);
      const std::vector<double>&shares = said[k].block_explained, &other = found[k].block_explained;
      if (!same_size(name + "blocks", shares.size(), other.size())) continue;
      for (std::size_t b = 0; b < shares.size(); ++b)
        number(fmt::format("{}explained of block {}", name, b), shares[b], other[b], 1.0);
    }
  }

  // Where there are no members no file says whether they had any.
  void stabilities() {
    const auto is_empty = [](const std::vector<double>& shares) { return shares.empty(); };
    if (std::ranges::all_of(said_.stability, is_empty) &&
        std::ranges::all_of(found_.stability, is_empty))
      return;
    if (!same_size("stabilities", said_.stability.size(), found_.stability.size())) return;
    for (std::size_t i = 0; i < said_.stability.size(); ++i) {
      const std::vector<double>&said = said_.stability[i], &found = found_.stability[i];
      const std::string key = said_.model.memberships[i].key();
      if (!same_size("stability of " + key, said.size(), found.size())) continue;
      for (std::size_t m = 0; m < said.size(); ++m)
        number(fmt::format("stability of {}, member {}", key, m), said[m], found[m]);
    }
  }

  const Result &said_, &found_;
  Comparison& compare_;
  double share_;
};

}  // namespace

void compare_rerun(const Dataset& data, const Result& result, Comparison& compare) {
  if (is_unfinished(result.status)) {
    throw Error(ErrorCode::usage, "--deep",
                fmt::format("the run was stopped ({}) and cannot be repeated; finish it with fit "
                            "--resume",
                            status_name(result.status)));
  }
  if (result.is_warm) {
    throw Error(ErrorCode::usage, "--deep",
                "the run began from another result and cannot be repeated alone; path --cold "
                "starts every one afresh");
  }
  const MethodInfo& info = find_method(result.method);
  Options options = result.options;
  options.set("threads", "0");
  options.set("time-limit", "1e12");
  const Result found = run(info, data, options);
  compare.set_relative(result.options.text("precision") == "float" ? kFloat : kDouble);
  Rerun(result, found, compare).all();
}

}  // namespace gingham
