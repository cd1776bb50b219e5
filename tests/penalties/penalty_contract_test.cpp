#include <gtest/gtest.h>

#include "penalties/all_penalties.hpp"

namespace gingham {
namespace {

TEST(PenaltyContract, EveryPenaltyKeepsItOnTenThousandCases) {
  contract::for_all_penalties([](const char* name, const auto& make) {
    const contract::Violations found = contract::check_penalty(name, make, 10000);
    EXPECT_TRUE(found.none()) << name << ": " << found.text();
  });
}

}  // namespace
}  // namespace gingham
