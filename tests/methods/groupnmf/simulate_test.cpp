#include "gingham/methods/groupnmf/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/arrays.hpp"

namespace gingham {
namespace {

using methods::groupnmf::document_simulator;
using methods::groupnmf::language_simulator;
using methods::groupnmf::picture_simulator;
using test::bits_of;
using test::expect_error;
using Given = std::vector<std::pair<std::string, std::string>>;

Simulation make(const Simulator& simulator, const Given& given = {}, std::uint64_t seed = 0) {
  Options options(simulator.options);
  for (const auto& [name, text] : given) options.set(name, text);
  return simulator.make(options, Rng::named(seed, "test"));
}

const Matrix& truth(const Simulation& made, const std::string& name) {
  for (const NamedArray& array : made.truth) {
    if (array.name == name) return std::get<Matrix>(array.values);
  }
  throw Error(ErrorCode::internal, "", "no truth " + name);
}

const std::vector<std::string>& lines(const Simulation& made, const std::string& name) {
  for (const NamedLines& file : made.lines) {
    if (file.name == name) return file.lines;
  }
  throw Error(ErrorCode::internal, "", "no lines " + name);
}

// The counts, dense.
Matrix counts(const Simulation& made) {
  const SparseMatrix& sparse = *made.blocks[0].sparse_matrix();
  Matrix x(sparse.rows(), sparse.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index at = sparse.pointers()[i]; at < sparse.pointers()[i + 1]; ++at)
      x(i, sparse.columns()[at]) = sparse.values()[at];
  }
  return x;
}

double product(const Matrix& w, const Matrix& h, Index i, Index j) {
  double sum = 0.0;
  for (Index k = 0; k < w.cols(); ++k) sum += w(i, k) * h(k, j);
  return sum;
}

bool names(const std::string& line, const std::string& group) {
  return ("," + line + ",").find("," + group + ",") != std::string::npos;
}

TEST(GroupnmfPictures, HaveThePapersSizes) {
  const Simulation made = make(picture_simulator());
  EXPECT_EQ(made.blocks[0].shape(), (Shape{1024, 150}));
  EXPECT_EQ(truth(made, "W").rows(), 1024);
  EXPECT_EQ(truth(made, "W").cols(), 5);
  EXPECT_EQ(truth(made, "H").rows(), 5);
  EXPECT_EQ(truth(made, "H").cols(), 150);
  const std::vector<std::string>& groups = lines(made, "groups");
  ASSERT_EQ(groups.size(), 150u);
  for (Index j = 0; j < 150; ++j) EXPECT_EQ(groups[j], "group_" + std::to_string(j / 30));
}

TEST(GroupnmfPictures, AGroupLacksItsPictureAndNoOther) {
  const Simulation made = make(picture_simulator(), {{"groups", "8"}, {"columns", "7"}});
  const Matrix& h = truth(made, "H");
  for (Index k = 0; k < 8; ++k) {
    for (Index j = 0; j < h.cols(); ++j) {
      EXPECT_EQ(h(k, j) == 0.0, j / 7 == k);
      EXPECT_TRUE(h(k, j) >= 0.0 && h(k, j) < 1.0);
    }
    for (Index b = 0; b < 8; ++b) EXPECT_EQ(truth(made, "used")(k, b), b == k ? 0.0 : 1.0);
  }
}

// No picture is the sum of others: Gram-Schmidt leaves a good part of each.
TEST(GroupnmfPictures, AreIndependentAtAnySide) {
  for (const char* side : {"8", "9", "32"}) {
    Matrix w = truth(make(picture_simulator(), {{"side", side}, {"groups", "8"}}), "W");
    for (Index k = 0; k < 8; ++k) {
      double before = 0.0, after = 0.0;
      for (Index i = 0; i < w.rows(); ++i) {
        EXPECT_TRUE(w(i, k) == 0.0 || w(i, k) == 1.0);
        before += w(i, k) * w(i, k);
      }
      for (Index l = 0; l < k; ++l) {
        double along = 0.0;
        for (Index i = 0; i < w.rows(); ++i) along += w(i, k) * w(i, l);
        for (Index i = 0; i < w.rows(); ++i) w(i, k) -= along * w(i, l);
      }
      for (Index i = 0; i < w.rows(); ++i) after += w(i, k) * w(i, k);
      EXPECT_GT(before, 3.0);
      EXPECT_GT(after, 0.1 * before) << "picture " << k << " of side " << side;
      for (Index i = 0; i < w.rows(); ++i) w(i, k) /= std::sqrt(after);
    }
  }
}

TEST(GroupnmfPictures, TheNoiseHasTheSizeAskedForAndChangesNothingElse) {
  const Simulation made = make(picture_simulator(), {{"snr", "0.3"}});
  const Simulation clean = make(picture_simulator(), {{"snr", "1e90"}});
  const Matrix &w = truth(made, "W"), &h = truth(made, "H");
  EXPECT_EQ(bits_of(h.values()), bits_of(truth(clean, "H").values()));
  double signal = 0.0, noise = 0.0;
  for (Index i = 0; i < 1024; ++i) {
    for (Index j = 0; j < 150; ++j) {
      const double value = product(w, h, i, j);
      signal += value * value;
      noise += std::pow((*made.blocks[0].dense_matrix())(i, j) - value, 2);
      EXPECT_NEAR((*clean.blocks[0].dense_matrix())(i, j), value, 1e-12);
    }
  }
  EXPECT_NEAR(signal / noise, 0.3, 1e-9);
}

TEST(GroupnmfPictures, LabelsAreTheLargestShareOfEachColumn) {
  const Simulation made = make(picture_simulator(), {{"columns", "4"}});
  const Matrix &w = truth(made, "W"), &h = truth(made, "H");
  const std::vector<Index> labels = strongest(made.memberships[1]);
  for (Index j = 0; j < h.cols(); ++j) {
    double largest = 0.0;
    Index best = -1;
    for (Index k = 0; k < h.rows(); ++k) {
      double length = 0.0;
      for (Index i = 0; i < w.rows(); ++i) length += w(i, k);
      if (h(k, j) * h(k, j) * length > largest) {
        largest = h(k, j) * h(k, j) * length;
        best = k;
      }
    }
    EXPECT_EQ(labels[j], best);
  }
}

TEST(GroupnmfDocuments, HaveTheSizesAndLabelsAskedFor) {
  const Simulation made = make(document_simulator(), {{"topics", "4"},
                                                      {"documents", "20"},
                                                      {"labelled", "3"},
                                                      {"terms", "300"},
                                                      {"topic-terms", "30"}});
  EXPECT_EQ(made.blocks[0].shape(), (Shape{300, 80}));
  EXPECT_TRUE(made.blocks[0].is_sparse());
  const std::vector<Index> labels = strongest(made.memberships[1]);
  std::vector<int> named(4), all(4);
  for (Index j = 0; j < 80; ++j) {
    ++all[labels[j]];
    const std::string& line = lines(made, "groups")[j];
    if (line.empty()) continue;
    EXPECT_EQ(line, "topic_" + std::to_string(labels[j]));
    ++named[labels[j]];
  }
  EXPECT_EQ(named, (std::vector<int>{3, 3, 3, 3}));
  EXPECT_EQ(all, (std::vector<int>{20, 20, 20, 20}));
}

// Summed over all documents, so that each expected count is large.
TEST(GroupnmfDocuments, CountsFollowTheTopics) {
  const Simulation made = make(document_simulator(), {{"topics", "3"},
                                                      {"documents", "2000"},
                                                      {"terms", "50"},
                                                      {"topic-terms", "10"},
                                                      {"exponent", "0.5"},
                                                      {"purity", "0.8"}});
  const Matrix x = counts(made);
  const Matrix &w = truth(made, "W"), &h = truth(made, "H");
  const std::vector<Index> labels = strongest(made.memberships[1]);
  for (Index c = 0; c < 3; ++c) {
    double whole = 0.0;
    for (Index i = 0; i < 50; ++i) {
      double seen = 0.0, expected = 0.0;
      for (Index j = 0; j < x.cols(); ++j) {
        if (labels[j] != c) continue;
        seen += x(i, j);
        expected += product(w, h, i, j);
      }
      EXPECT_NEAR(seen, expected, 6.0 * std::sqrt(expected) + 1.0);
      whole += w(i, c);
    }
    EXPECT_NEAR(whole, 1.0, 1e-12);
  }
}

TEST(GroupnmfDocuments, TermsFallAsAPowerOfTheirRank) {
  const Simulation made = make(document_simulator(), {{"common", "1"}, {"terms", "100"}});
  const Matrix& w = truth(made, "W");
  std::vector<double> shares;
  for (Index i = 0; i < 100; ++i) shares.push_back(w(i, 0));
  std::sort(shares.rbegin(), shares.rend());
  for (Index r = 1; r < 100; ++r)
    EXPECT_NEAR(shares[0] / shares[r], static_cast<double>(r + 1), 1e-9);
}

TEST(GroupnmfDocuments, EveryDocumentHasAWord) {
  const Matrix x = counts(make(document_simulator(), {{"length", "0"}, {"terms", "100"}}));
  for (Index j = 0; j < x.cols(); ++j) {
    double words = 0.0;
    for (Index i = 0; i < x.rows(); ++i) words += x(i, j);
    EXPECT_EQ(words, 1.0);
  }
}

TEST(GroupnmfLanguages, NoDocumentUsesATopicThatALanguageLacks) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Simulation made = make(language_simulator(), {{"absent", "0.5"}}, seed);
    const Matrix &used = truth(made, "used"), &w = truth(made, "W"), &h = truth(made, "H");
    const Matrix x = counts(made);
    ASSERT_EQ(made.blocks[0].shape(), (Shape{2000, 500}));
    for (Index l = 0; l < 5; ++l) {
      for (Index c = 0; c < 10; ++c) {
        for (Index i = 400 * l; i < 400 * (l + 1); ++i) EXPECT_TRUE(used(c, l) > 0 || w(i, c) == 0);
      }
      const std::string name = "language_" + std::to_string(l);
      EXPECT_EQ(lines(made, "groups")[400 * l], name);
      for (Index j = 0; j < 500; ++j) {
        const bool is_missing = names(lines(made, "missing_groups")[j], name);
        double words = 0.0;
        for (Index i = 400 * l; i < 400 * (l + 1); ++i) words += x(i, j);
        EXPECT_EQ(words == 0.0, is_missing);
        for (Index c = 0; c < 10 && !is_missing; ++c) EXPECT_TRUE(used(c, l) > 0 || h(c, j) == 0.0);
      }
    }
  }
}

TEST(GroupnmfLanguages, AnyTwoTopicsShareALanguageAndEveryDocumentIsSeen) {
  for (const char* languages : {"1", "2", "3", "4", "7"}) {
    const Simulation made =
        make(language_simulator(),
             {{"languages", languages}, {"absent", "1"}, {"translated", "0"}, {"documents", "60"}});
    const Matrix& used = truth(made, "used");
    for (Index a = 0; a < used.rows(); ++a) {
      for (Index b = 0; b < used.rows(); ++b) {
        double shared = 0.0;
        for (Index l = 0; l < used.cols(); ++l) shared += used(a, l) * used(b, l);
        EXPECT_GE(shared, 1.0);
      }
    }
    for (const std::string& line : lines(made, "missing_groups")) {
      const auto commas = std::count(line.begin(), line.end(), ',');
      EXPECT_EQ(line.empty() ? 0 : commas + 1, used.cols() - 1) << line;
    }
  }
}

TEST(GroupnmfLanguages, WhatIsSeenDoesNotChangeTheDocuments) {
  const Simulation part = make(language_simulator()),
                   whole = make(language_simulator(), {{"translated", "1"}});
  const Matrix x = counts(part), all = counts(whole);
  Index hidden = 0, there = 0;
  for (Index l = 0; l < 5; ++l) {
    const std::string name = "language_" + std::to_string(l);
    for (Index j = 0; j < 500; ++j) {
      const bool is_missing = names(lines(part, "missing_groups")[j], name);
      if (names(lines(whole, "missing_groups")[j], name)) {
        EXPECT_TRUE(is_missing);
        continue;
      }
      ++there;
      hidden += is_missing ? 1 : 0;
      for (Index i = 400 * l; i < 400 * (l + 1); ++i)
        EXPECT_EQ(x(i, j), is_missing ? 0.0 : all(i, j));
    }
  }
  const double texts = static_cast<double>(there), translations = texts - 500.0;
  EXPECT_NEAR(static_cast<double>(hidden) / translations, 0.4, 0.06);
}

TEST(GroupnmfSimulators, TheSameSeedGivesTheSameData) {
  for (const Simulator& simulator :
       {picture_simulator(), document_simulator(), language_simulator()}) {
    const Simulation one = make(simulator, {}, 5), same = make(simulator, {}, 5),
                     other = make(simulator, {}, 6);
    EXPECT_EQ(one.blocks[0].digest(), same.blocks[0].digest());
    EXPECT_NE(one.blocks[0].digest(), other.blocks[0].digest());
    for (std::size_t k = 0; k < one.lines.size(); ++k)
      EXPECT_EQ(one.lines[k].lines, same.lines[k].lines);
  }
}

TEST(GroupnmfSimulators, TakeTheSmallestSizes) {
  EXPECT_EQ(make(picture_simulator(), {{"side", "8"}, {"groups", "2"}, {"columns", "1"}})
                .blocks[0]
                .shape(),
            (Shape{64, 2}));
  const Given one{{"topics", "1"}, {"documents", "1"}, {"terms", "1"}, {"topic-terms", "1"}};
  Given labelled = one, languages = one;
  labelled.emplace_back("labelled", "0");
  languages.emplace_back("languages", "1");
  EXPECT_EQ(make(document_simulator(), labelled).blocks[0].shape(), (Shape{1, 1}));
  EXPECT_EQ(make(language_simulator(), languages).blocks[0].shape(), (Shape{1, 1}));
}

TEST(GroupnmfSimulators, RefuseWhatCannotBe) {
  expect_error(ErrorCode::usage, {"--labelled"}, [] {
    make(document_simulator(), {{"labelled", "61"}});
  });
  expect_error(ErrorCode::usage, {"--topic-terms"}, [] {
    make(document_simulator(), {{"terms", "99"}});
  });
  expect_error(ErrorCode::usage, {"--terms"}, [] {
    make(language_simulator(), {{"terms", "10000000"}, {"languages", "1000"}});
  });
}

}  // namespace
}  // namespace gingham
