#include "gingham/engine/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "gingham/base/rng.hpp"
#include "gingham/engine/status.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

TEST(Membership, ListsTheNonzeroEntriesByComponentThenItem) {
  const Matrix factor(3, 2, test::to_array<double>({0, -2, 5, 0, 1, -0.0}));
  const Membership rows = membership_of("rows", std::nullopt, factor);
  EXPECT_EQ(rows.n_items, 3);
  EXPECT_EQ(rows.key(), "rows");
  ASSERT_EQ(rows.members.size(), 3u);
  const std::vector<std::pair<Index, Index>> expected{{0, 1}, {0, 2}, {1, 0}};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(std::pair(rows.members[k].component, rows.members[k].item), expected[k]);
    EXPECT_EQ(rows.members[k].value, factor(rows.members[k].item, rows.members[k].component));
  }
  EXPECT_EQ(size_of(rows, 0), 2);
  EXPECT_EQ(size_of(rows, 1), 1);
  EXPECT_EQ(size_of(rows, 7), 0);
  EXPECT_EQ(membership_of("columns", 2, Matrix(1, 1)).key(), "columns_2");
}

TEST(Membership, TheStrongestHasTheLargestValueAndTheLowestNumber) {
  const Matrix factor(5, 3,
                      test::to_array<double>({1, -3, 2,  //
                                              2, -2, 2,  //
                                              0, 0, 0,   //
                                              0, 1, -1,  //
                                              0, 0, 5e-324}));
  EXPECT_EQ(strongest(membership_of("rows", std::nullopt, factor)),
            (std::vector<Index>{1, 0, -1, 1, 2}));
  EXPECT_TRUE(strongest(Membership{}).empty());
}

TEST(Membership, LabelsComeBackAsTheyWere) {
  Rng rng = Rng::named(1, "labels");
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Index> labels(static_cast<std::size_t>(rng.below(40)));
    for (Index& label : labels) label = rng.below(6) - 1;
    const Membership membership = membership_of("rows", 0, labels);
    EXPECT_EQ(strongest(membership), labels);
    for (std::size_t k = 1; k < membership.members.size(); ++k) {
      const Member &a = membership.members[k - 1], &b = membership.members[k];
      EXPECT_LT(std::pair(a.component, a.item), std::pair(b.component, b.item));
    }
    for (Index c = 0; c < 5; ++c) {
      EXPECT_EQ(size_of(membership, c), std::count(labels.begin(), labels.end(), c));
      EXPECT_EQ(sizes_of(membership, 5)[c], size_of(membership, c));
      EXPECT_EQ(std::ssize(sizes_of(membership, c)), c);
    }
  }
}

TEST(Membership, ALargeLabelTakesNoMemory) {
  const std::vector<Index> labels{std::numeric_limits<Index>::max(), -5, Index{1} << 50};
  EXPECT_EQ(strongest(membership_of("rows", 0, labels)),
            (std::vector<Index>{labels[0], -1, labels[2]}));
}

TEST(Status, NamesReadBack) {
  for (const Status status :
       {Status::converged, Status::finished, Status::iteration_limit, Status::time_limit,
        Status::cancelled, Status::numerical_failure, Status::cycle}) {
    EXPECT_TRUE(is_status(status));
    EXPECT_EQ(status_from_name(status_name(status)), status);
  }
  EXPECT_EQ(status_name(Status::numerical_failure), "numerical_failure");
  EXPECT_EQ(status_name(Status::cycle), "cycle");
  EXPECT_FALSE(is_status(static_cast<Status>(8)));
  EXPECT_FALSE(is_status(static_cast<Status>(-1)));
  test::expect_error(ErrorCode::input, {"unknown status 'Converged?'"},
                     [] { status_from_name("Converged\n"); });
}

TEST(Status, TheWorseOfTwo) {
  const std::vector<Status> order{Status::converged,        Status::finished,   Status::cycle,
                                  Status::iteration_limit,  Status::time_limit, Status::cancelled,
                                  Status::numerical_failure};
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = 0; b < order.size(); ++b)
      EXPECT_EQ(worse(order[a], order[b]), order[std::max(a, b)]);
  }
}

}  // namespace
}  // namespace gingham
