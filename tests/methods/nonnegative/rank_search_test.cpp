// --rank auto: as many components as predict cells that were held out.
#include "methods/nonnegative/fits.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using testing::digest_of;
using testing::fit;
using testing::low_rank;
using testing::options_of;
using testing::runs_of_groups;

const std::vector<Setting> kSearch{
    {"rank", "auto"}, {"max-rank", 7}, {"restarts", 2}, {"max-iterations", 20}};

double used_rank(const Result& result) {
  for (const UsedValues& used : result.model.used) {
    if (used.option == "rank") return used.values.at(0);
  }
  return -1.0;
}

TEST(NmfRank, ThePlantedRankIsFound) {
  for (const Index rank : {1, 3, 5}) {
    const Matrix x = low_rank(60, 50, rank, 0.1, static_cast<std::uint64_t>(rank));
    for (const bool sparse : {false, true}) {
      const Dataset data = sparse ? Dataset(Block("X", SparseMatrix::from_dense(x))) : Dataset(x);
      const Result result = fit("nmf", data, kSearch);
      // The noise has a mean: a component of its own is no mistake.
      EXPECT_GE(result.matrix("W").cols(), rank);
      EXPECT_LE(result.matrix("W").cols(), rank + 1);
      EXPECT_EQ(used_rank(result), static_cast<double>(result.matrix("W").cols()));
    }
  }
}

TEST(NmfRank, TheCurveIsInTheResult) {
  const Result result = fit("groupnmf", Dataset(low_rank(40, 30, 3, 0.1, 1)), kSearch,
                            {{"groups", runs_of_groups(30, 3)}});
  const Matrix& curve = result.matrix("rank_curve");
  const auto rank = static_cast<Index>(used_rank(result));
  ASSERT_EQ(curve.cols(), 3);
  ASSERT_GE(curve.rows(), rank);
  EXPECT_LE(curve.rows(), 7);
  Index best = 0;
  for (Index r = 0; r < curve.rows(); ++r) {
    EXPECT_EQ(curve(r, 0), static_cast<double>(r + 1));
    EXPECT_GE(curve(r, 1), 0.0);
    EXPECT_GE(curve(r, 2), 0.0);
    best = curve(r, 1) < curve(best, 1) ? r : best;
  }
  EXPECT_LT(curve(best, 1), 0.5 * curve(0, 1));
  const double enough = curve(best, 1) + curve(best, 2);
  EXPECT_LE(curve(rank - 1, 1), enough);
  for (Index r = 0; r < rank - 1; ++r) EXPECT_GT(curve(r, 1), enough);
}

TEST(NmfRank, AGivenRankHasNoCurve) {
  const Result result = fit("nmf", Dataset(low_rank(20, 15, 3, 0.1, 1)), {{"rank", 2}});
  for (const NamedArray& array : result.model.arrays) EXPECT_NE(array.name, "rank_curve");
}

TEST(NmfRank, IsTheSameForAnyThreads) {
  const Dataset data(low_rank(40, 30, 3, 0.1, 2));
  const MethodInfo& info = find_method("nmf");
  ThreadPool one(1), two(2), three(3);
  const Options options = options_of("nmf", kSearch);
  const std::string expected = digest_of(run(info, data, options, {}, &one));
  EXPECT_EQ(digest_of(run(info, data, options, {}, &two)), expected);
  EXPECT_EQ(digest_of(run(info, data, options, {}, &three)), expected);
}

class Snapshots final : public Observer {
 public:
  Verdict notice(const Event& event) override {
    taken.push_back(event.session.snapshot());
    return Verdict::go_on;
  }
  std::vector<std::vector<std::byte>> taken;
};

TEST(NmfRank, TheSearchGoesOnFromEveryStepToTheSameBits) {
  Matrix holes = low_rank(20, 15, 2, 0.1, 3);
  for (Index i = 0; i < 20; ++i) holes(i, i % 15) = std::nan("");
  const Matrix full = low_rank(20, 15, 2, 0.1, 4);
  const Dataset inputs[] = {
      Dataset(full), Dataset(holes),
      Dataset(Block("X", SparseMatrix::from_dense(full), {}, Unlisted::missing))};
  for (const Dataset& data : inputs) {
    for (const char* method : {"nmf", "groupnmf"}) {
      const MethodInfo& info = find_method(method);
      const Options options = options_of(
          method, {{"rank", "auto"}, {"max-rank", 3}, {"restarts", 2}, {"max-iterations", 5}});
      Snapshots snapshots;
      const std::string expected = digest_of(run(info, data, options, {&snapshots}));
      const std::size_t stride = snapshots.taken.size() / 25 | 1;
      for (std::size_t i = 0; i < snapshots.taken.size(); i += stride) {
        EXPECT_EQ(digest_of(run(info, data, options, {}, nullptr, snapshots.taken[i])), expected)
            << "step " << i << " of " << snapshots.taken.size();
      }
    }
  }
}

TEST(NmfRank, TakesDataThatLeaveNothingToSearch) {
  Matrix nothing(5, 4);
  for (double& value : nothing.values()) value = std::nan("");
  Matrix one_cell = nothing;
  one_cell(2, 1) = 3.0;
  for (const Matrix& x : {Matrix(5, 4), nothing, one_cell, low_rank(1, 1, 1, 0.0, 1),
                          low_rank(1, 8, 1, 0.1, 2), low_rank(8, 1, 1, 0.1, 3)}) {
    const Result result = fit("nmf", Dataset(x), {{"rank", "auto"}, {"restarts", 1}});
    EXPECT_GE(result.matrix("W").cols(), 1);
  }
}

TEST(NmfRank, ARankMustBeAWholeNumberThatMakesSense) {
  const Dataset data(low_rank(6, 5, 2, 0.1, 1));
  for (const char* method : {"nmf", "groupnmf"}) {
    for (const char* rank : {"2.5", "101", "1e6"}) {
      test::expect_error(ErrorCode::usage, {"--rank", "from 1 to 100"}, [&] {
        run(method, data, {{"rank", rank}});
      });
    }
  }
}

}  // namespace
}  // namespace gingham
