#include "annotate/pool.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gingham/base/rng.hpp"
#include "gingham/io/read.hpp"
#include "gingham/io/write.hpp"
#include "io/temporary_folder.hpp"

namespace gingham::annotate {
namespace {

Matrix random_codes(Index n, Index m, Rng& rng, double density = 0.3) {
  Matrix codes(n, m);
  for (double& value : codes.values())
    if (rng.uniform() < density) value = rng.normal();
  return codes;
}

// Cell by cell.
Matrix naive_pool(const Matrix& codes, const std::vector<Index>& bag_of, Index n_bags,
                  const Pooling& pooling) {
  Matrix pooled(n_bags, codes.cols());
  for (Index b = 0; b < n_bags; ++b) {
    for (Index j = 0; j < codes.cols(); ++j) {
      std::vector<double> values;
      for (Index i = 0; i < codes.rows(); ++i)
        if (bag_of[static_cast<std::size_t>(i)] == b)
          values.push_back(pooling.is_absolute ? std::abs(codes(i, j)) : codes(i, j));
      if (values.empty()) continue;
      double sum = 0.0;
      for (const double value : values) sum += value;
      pooled(b, j) = pooling.is_max ? *std::max_element(values.begin(), values.end())
                                    : sum / static_cast<double>(values.size());
    }
  }
  return pooled;
}

TEST(Pool, EqualsThePlainLoopsForSparseAndDenseCodes) {
  Rng rng(5, 6);
  for (int round = 0; round < 40; ++round) {
    const Index n = 1 + rng.below(40), m = 1 + rng.below(8), n_bags = 1 + rng.below(6);
    const Matrix codes = random_codes(n, m, rng, round % 3 == 0 ? 1.0 : 0.3);
    std::vector<Index> bag_of;
    for (Index i = 0; i < n; ++i) bag_of.push_back(rng.below(n_bags));
    for (const bool is_max : {true, false}) {
      for (const bool is_absolute : {true, false}) {
        const Pooling pooling{is_max, is_absolute};
        const Matrix wanted = naive_pool(codes, bag_of, n_bags, pooling);
        const Block dense = pool_codes(Block("c", codes), bag_of, n_bags, pooling);
        const Block sparse =
            pool_codes(Block("c", SparseMatrix::from_dense(codes)), bag_of, n_bags, pooling);
        EXPECT_FALSE(dense.is_sparse());
        EXPECT_TRUE(sparse.is_sparse());
        for (const Block* block : {&dense, &sparse}) {
          for_each_row(*block, [&](Index b, ConstVec row) {
            for (Index j = 0; j < m; ++j) EXPECT_NEAR(row[j], wanted(b, j), 1e-12);
          });
        }
      }
    }
  }
}

TEST(Pool, RefusesCodesThatDoNotFit) {
  Rng rng(1, 1);
  EXPECT_THROW(pool_codes(Block("c", random_codes(3, 2, rng)), {0, 0}, 1, {}), Error);
  Matrix missing = random_codes(2, 2, rng);
  missing(1, 1) = std::nan("");
  EXPECT_THROW(pool_codes(Block("c", missing), {0, 0}, 1, {}), Error);
}

void write_features(const TemporaryFolder& folder) {
  std::filesystem::create_directory(folder / "features");
  folder.write("features/features.json", "{}\n");
  folder.write("features/bags.tsv",
               "bag\timages\tpatches\tterms\na\t1\t2\tred,blue\nb\t1\t0\t\nc\t1\t1\tred\n");
  folder.write("features/patches.tsv",
               "row\timage\tbag\tx\ty\n0\t1.png\ta\t0\t0\n1\t2.png\tc\t0\t0\n2\t1.png\ta\t8\t0\n");
}

TEST(Pool, FindsCodesAndCarriesTermsAlong) {
  const TemporaryFolder folder;
  write_features(folder);
  Matrix codes(3, 2);
  codes(0, 0) = -2.0;
  codes(2, 0) = 1.0;
  codes(1, 1) = 3.0;
  std::filesystem::create_directory(folder / "fit");
  write_block(Block("codes", SparseMatrix::from_dense(codes)), folder / "fit/codes.npz");
  const PoolOutcome outcome =
      pool({.features = folder / "features/", .codes = folder / "fit", .output = folder / "out"});
  EXPECT_EQ(outcome.n_empty_bags, 1);
  EXPECT_EQ(outcome.n_nonzeros, 2);
  EXPECT_EQ(TemporaryFolder::read(folder / "out/bags.txt"), "a\nb\nc\n");
  EXPECT_EQ(TemporaryFolder::read(folder / "out/terms.tsv"),
            "bag\tterms\na\tred,blue\nb\t\nc\tred\n");
  const Block pooled = read_block(folder / "out/pooled.npz");
  ASSERT_TRUE(pooled.is_sparse());
  const double wanted[3][2] = {{2.0, 0.0}, {0.0, 0.0}, {0.0, 3.0}};
  for_each_row(pooled, [&](Index b, ConstVec row) {
    EXPECT_EQ(row[0], wanted[b][0]);
    EXPECT_EQ(row[1], wanted[b][1]);
  });
  write_block(Block("codes", codes), folder / "codes.npy");
  pool(
      {.features = folder / "features", .codes = folder / "codes.npy", .output = folder / "dense"});
  EXPECT_EQ(read_block(folder / "dense/pooled.npy").shape(), (Shape{3, 2}));
}

TEST(Pool, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  write_features(folder);
  std::filesystem::create_directory(folder / "empty");
  const auto refusal = [&](const std::string& features, const std::string& codes) {
    try {
      pool({.features = folder / features, .codes = folder / codes, .output = folder / "out"});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal("empty", "x.npy").find("features made"), std::string::npos);
  EXPECT_NE(refusal("features", "empty").find("no codes.npz"), std::string::npos);
  EXPECT_NE(refusal("features", "x.npy").find("x.npy"), std::string::npos);
  folder.write("features/patches.tsv", "row\timage\tbag\tx\ty\n0\t1.png\tz\t0\t0\n");
  EXPECT_NE(refusal("features", "x.npy").find("patches.tsv:2"), std::string::npos);
  EXPECT_FALSE(folder.content().contains("out"));
}

}  // namespace
}  // namespace gingham::annotate
