#include <gtest/gtest.h>

#include "penalties/all_penalties.hpp"

namespace gingham {
namespace {

TEST(PenaltyContractSlow, GapsVanishOnAMillionCasesEach) {
  contract::for_all_penalties([](const char* name, const auto& make) {
    const contract::Violations found = contract::check_gaps(name, make, 1000000);
    EXPECT_TRUE(found.none()) << name << ": " << found.text();
  });
}

TEST(PenaltyContractSlow, LongVectorsKeepTheContract) {
  contract::for_all_penalties([](const char* name, const auto& make) {
    const contract::Violations found = contract::check_penalty(name, make, 300, 10, 100.0, 2000);
    EXPECT_TRUE(found.none()) << name << ": " << found.text();
  });
}

}  // namespace
}  // namespace gingham
