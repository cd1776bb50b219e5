#include "annotate/annotate.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "annotate/bags.hpp"
#include "annotate/pool.hpp"
#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/read.hpp"
#include "gingham/tools/output.hpp"

namespace gingham::annotate {
namespace {

struct NamedMeasure {
  const char* name;
  double Measures::*member;
};
constexpr NamedMeasure kMeasures[] = {{"accuracy", &Measures::accuracy},
                                      {"auc", &Measures::auc},
                                      {"sensitivity", &Measures::sensitivity},
                                      {"specificity", &Measures::specificity}};

struct Pooled {
  Block values;
  std::vector<Bag> bags;
};

Pooled read_pooled(const std::string& path) {
  const std::string folder = without_final_slash(path);
  if (!std::filesystem::exists(folder + "/" + kPoolMarker))
    throw Error(ErrorCode::input, printable(folder), "is not a directory that pool made");
  const std::string sparse = folder + "/pooled.npz";
  Pooled pooled{read_block(std::filesystem::exists(sparse) ? sparse : folder + "/pooled.npy"), {}};
  const TextTable table(folder + "/terms.tsv");
  for (Index b = 0; b < table.rows(); ++b)
    pooled.bags.push_back({table.at(b, "bag"), split_terms(table.at(b, "terms"))});
  if (!pooled.values.is_matrix() || pooled.values.has_missing() ||
      pooled.values.shape()[0] != table.rows())
    throw Error(ErrorCode::input, pooled.values.name(),
                fmt::format("expected a matrix of {} rows, one per bag of terms.tsv, without "
                            "missing values",
                            table.rows()));
  return pooled;
}

Matrix dense_of(const Block& block) {
  Matrix dense(block.shape()[0], block.shape()[1]);
  for_each_row(block, [&](Index i, ConstVec row) {
    std::copy(row.begin(), row.end(), dense.row(i).begin());
  });
  return dense;
}

Table table_of(const TermScores& scores) {
  Table table;
  const auto add = [&](const std::string& name, const std::string& n_bags, const Measures& mean,
                       const Measures* deviation) {
    table.add_row();
    table.set("term", name, true);
    table.set("bags", n_bags, true);
    for (const NamedMeasure& measure : kMeasures) {
      table.set(measure.name, mean.*measure.member, true);
      table.set(std::string(measure.name) + "_sd",
                deviation != nullptr ? to_text(deviation->*measure.member) : std::string());
    }
  };
  for (const TermScore& term : scores.terms) {
    const Measures deviation = term.deviation();
    add(printable(term.term, 4096), std::to_string(term.n_bags), term.mean(), &deviation);
  }
  add("(weighted mean)", "", scores.weighted_mean(), nullptr);
  return table;
}

void write_decisions(AtomicDirectory& directory, const std::vector<Bag>& bags,
                     const TermScores& scores) {
  const std::unique_ptr<ByteSink> sink = directory.open("decisions.tsv");
  sink->write("bag\tterm\tfold\ttruth\tdecision\n");
  for (const TermScore& term : scores.terms) {
    for (std::size_t f = 0; f < term.folds.size(); ++f) {
      for (const Decision& decision : term.folds[f].decisions)
        sink->write(fmt::format("{}\t{}\t{}\t{}\t{}\n",
                                bags[static_cast<std::size_t>(decision.bag)].name, term.term, f,
                                decision.truth ? 1 : 0, to_text(decision.value)));
    }
  }
  sink->finish();
}

nlohmann::ordered_json json_of(const Measures& measures) {
  nlohmann::ordered_json json;
  for (const NamedMeasure& measure : kMeasures) json[measure.name] = measures.*measure.member;
  return json;
}

std::string provenance(const AnnotateRequest& request, const Pooled& pooled,
                       const TermScores& scores) {
  nlohmann::ordered_json json;
  json["gingham"] = kVersion;
  const TermOptions& options = request.terms;
  json["parameters"] = {{"top_terms", options.top_terms}, {"folds", options.folds}};
  json["parameters"]["C"] =
      options.cost ? nlohmann::ordered_json(*options.cost) : nlohmann::ordered_json("auto");
  if (options.train_fraction) json["parameters"]["train_fraction"] = *options.train_fraction;
  json["seed"] = options.seed;
  json["pooled"] = {{"path", pooled.values.name()}, {"digest", pooled.values.digest()}};
  json["bags"] = pooled.values.shape()[0];
  json["features"] = pooled.values.shape()[1];
  json["weighted_mean"] = json_of(scores.weighted_mean());
  json["notes"] = scores.left_out;
  json["terms"] = nlohmann::ordered_json::array();
  for (const TermScore& term : scores.terms) {
    nlohmann::ordered_json one;
    one["term"] = printable(term.term, 4096);
    one["bags"] = term.n_bags;
    one["mean"] = json_of(term.mean());
    one["deviation"] = json_of(term.deviation());
    for (const FoldScore& fold : term.folds) {
      nlohmann::ordered_json scored = json_of(fold.measures);
      scored["C"] = fold.cost;
      scored["test_bags"] = fold.decisions.size();
      one["folds"].push_back(scored);
    }
    json["terms"].push_back(one);
  }
  return json.dump(1) + "\n";
}

}  // namespace

AnnotateOutcome annotate(const AnnotateRequest& request) {
  check_parent(request.output);
  check_replaceable(request.output, kAnnotateMarker, "an annotation", request.force);
  const Pooled pooled = read_pooled(request.pooled);
  std::vector<std::vector<std::string>> terms;
  for (const Bag& bag : pooled.bags) terms.push_back(bag.terms);
  ThreadPool executor(request.threads);
  AnnotateOutcome outcome{
      .n_bags = pooled.values.shape()[0],
      .n_features = pooled.values.shape()[1],
      .scores = score_terms(dense_of(pooled.values), terms, request.terms, executor)};
  outcome.table = table_of(outcome.scores);
  AtomicDirectory directory(request.output, request.force, kAnnotateMarker);
  directory.write("scores.tsv", outcome.table.tsv());
  write_decisions(directory, pooled.bags, outcome.scores);
  directory.write(kAnnotateMarker, provenance(request, pooled, outcome.scores));
  directory.commit();
  return outcome;
}

}  // namespace gingham::annotate
