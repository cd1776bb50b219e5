// NMI, ARI, AUC and consensus score against scikit-learn on random problems.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gingham/base/rng.hpp"
#include "gingham/metrics/ari.hpp"
#include "gingham/metrics/auc.hpp"
#include "gingham/metrics/consensus.hpp"
#include "gingham/metrics/nmi.hpp"

namespace gingham {
namespace {

constexpr Index kItems = 12;  // per mode of a co-cluster, as in the script

struct Problem {
  std::vector<Index> a, b, binary;
  std::vector<double> scores;
  std::vector<CoCluster> x, y;
};

std::vector<Index> random_labels(Index n, Index k, Rng& rng) {
  std::vector<Index> labels;
  for (Index i = 0; i < n; ++i) labels.push_back(rng.below(k) - 1);
  return labels;
}

std::vector<CoCluster> random_clusters(Rng& rng) {
  std::vector<CoCluster> clusters;
  for (Index c = 1 + rng.below(4); c > 0; --c) {
    clusters.push_back(
        {{rng.sample(kItems, 1 + rng.below(kItems)), rng.sample(kItems, 1 + rng.below(kItems))}});
  }
  return clusters;
}

Problem random_problem(Rng& rng) {
  Problem p;
  const Index n = 2 + rng.below(100);
  p.a = random_labels(n, 1 + rng.below(8), rng);
  p.b = rng.below(2) == 0 ? p.a : random_labels(n, 1 + rng.below(8), rng);
  for (Index& label : p.b) label = rng.below(5) == 0 ? 0 : label;
  for (Index i = 0; i < n; ++i) {
    p.scores.push_back(rng.below(2) == 0 ? rng.normal() : static_cast<double>(rng.below(3)));
    p.binary.push_back(i < 2 ? i : rng.below(2));
  }
  p.x = random_clusters(rng);
  p.y = rng.below(2) == 0 ? p.x : random_clusters(rng);
  return p;
}

template <class T, class Write>
void write_list(std::ostream& out, const std::vector<T>& items, Write&& write) {
  out << '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out << ',';
    write(items[i]);
  }
  out << ']';
}

void write(std::ostream& out, const Problem& p) {
  const auto numbers = [&](const auto& list) {
    write_list(out, list, [&](auto value) { out << value; });
  };
  const auto clusters = [&](const std::vector<CoCluster>& list) {
    write_list(out, list, [&](const CoCluster& c) { write_list(out, c.modes, numbers); });
  };
  out.precision(17);
  out << "{\"a\":";
  numbers(p.a);
  out << ",\"b\":";
  numbers(p.b);
  out << ",\"binary\":";
  numbers(p.binary);
  out << ",\"scores\":";
  numbers(p.scores);
  out << ",\"x\":";
  clusters(p.x);
  out << ",\"y\":";
  clusters(p.y);
  out << "}\n";
}

std::string run(const std::string& command, int& status) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
  char buffer[4096];
  while (const std::size_t got = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, got);
  status = pclose(pipe);
  return output;
}

TEST(ScoresSlow, AgreeWithScikitLearn) {
  int status = 0;
  run(GINGHAM_PYTHON " -c 'import sklearn' 2>/dev/null", status);
  if (status != 0) GTEST_SKIP() << "scikit-learn is not installed";
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) /
                                     ("gingham_scores_" + std::to_string(getpid()) + ".json");
  Rng rng = Rng::named(1, "sklearn");
  std::vector<Problem> problems;
  std::ofstream out(file);
  for (int trial = 0; trial < 1000; ++trial) write(out, problems.emplace_back(random_problem(rng)));
  out.close();
  std::istringstream answers(run(
      GINGHAM_PYTHON " -W ignore '" GINGHAM_SKLEARN_SCRIPT "' < '" + file.string() + "'", status));
  std::filesystem::remove(file);
  ASSERT_EQ(status, 0);
  for (const Problem& p : problems) {
    double their_nmi = 0, their_ari = 0, their_auc = 0, their_consensus = 0;
    ASSERT_TRUE(answers >> their_nmi >> their_ari >> their_auc >> their_consensus);
    ASSERT_NEAR(nmi(p.a, p.b), their_nmi, 1e-10);
    ASSERT_NEAR(ari(p.a, p.b), their_ari, 1e-12);
    ASSERT_NEAR(auc(p.scores, p.binary), their_auc, 1e-12);
    ASSERT_NEAR(consensus_score(p.x, p.y), their_consensus, 1e-12);
  }
}

}  // namespace
}  // namespace gingham
