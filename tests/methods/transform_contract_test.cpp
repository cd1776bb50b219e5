// What every transform must keep, whatever method it belongs to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gingham/engine/run.hpp"
#include "methods/contract_data.hpp"

namespace gingham {
namespace {

using testing::dataset_for;
using testing::planted_matrix;

class TransformContract : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    fit_ = run(info(), dataset_for(info(), planted_matrix(24, 18, 5)), info().make_options());
  }
  const MethodInfo& info() const { return find_method(GetParam()); }
  Transformed rows_of(const Matrix& x, int threads = 1) const {
    ThreadPool pool(threads);
    Context ctx(pool, 0, 0);
    return info().transform(dataset_for(info(), x), fit_.options, fit_.model, 0, ctx);
  }
  Result fit_;
};

// Component, and value as written, of each member of one item.
std::vector<std::pair<Index, double>> of_item(const Membership& membership, Index item) {
  std::vector<std::pair<Index, double>> found;
  for (const Member& member : membership.members) {
    if (member.item == item) found.emplace_back(member.component, member.value);
  }
  return found;
}

TEST_P(TransformContract, GivesEveryNewRowItsMembers) {
  const Matrix fresh = planted_matrix(11, 18, 6);
  const Transformed found = rows_of(fresh);
  std::vector<std::string> expected, keys;  // those of the fit's rows, one per time of a series
  for (const Membership& one : fit_.model.memberships) {
    if (one.mode == fit_.model.memberships.at(0).mode) expected.push_back(one.key());
  }
  for (const Membership& rows : found.memberships) {
    keys.push_back(rows.key());
    EXPECT_EQ(rows.n_items, 11);
    for (const Member& member : rows.members) {
      EXPECT_TRUE(member.component >= 0 && member.component < std::ssize(fit_.model.components));
      EXPECT_TRUE(member.item >= 0 && member.item < 11 && std::isfinite(member.value));
    }
  }
  EXPECT_EQ(keys, expected);
  EXPECT_TRUE(std::isfinite(found.terms.objective()));
  EXPECT_LE(found.terms.gap(), fit_.options.real("tolerance"));
}

TEST_P(TransformContract, ARowDoesNotDependOnTheOthersNorOnThreads) {
  const Matrix fresh = planted_matrix(11, 18, 7);
  const Transformed all = rows_of(fresh), threaded = rows_of(fresh, 3);
  EXPECT_EQ(all.terms.objective(), threaded.terms.objective());
  for (Index i = 0; i < fresh.rows(); ++i) {
    Matrix one(1, fresh.cols());
    std::copy(fresh.row(i).begin(), fresh.row(i).end(), one.data());
    const Transformed alone = rows_of(one);
    for (std::size_t b = 0; b < alone.memberships.size(); ++b) {
      const auto expected = of_item(alone.memberships[b], 0);
      EXPECT_EQ(of_item(all.memberships[b], i), expected);
      EXPECT_EQ(of_item(threaded.memberships[b], i), expected);
    }
  }
}

std::vector<std::string> methods_with_transform() {
  std::vector<std::string> names;
  for (const MethodInfo& info : all_methods()) {
    if (info.transform) names.push_back(info.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, TransformContract, ::testing::ValuesIn(methods_with_transform()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace gingham
