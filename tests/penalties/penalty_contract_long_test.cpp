#include <gtest/gtest.h>

#include "penalties/all_penalties.hpp"

namespace gingham {
namespace {

TEST(PenaltyContractLong, EveryPenaltyKeepsItOnManyCases) {
  contract::for_all_penalties([](const char* name, const contract::Make& make) {
    const contract::Violations found = contract::check_penalty(name, make, 60000, 16);
    EXPECT_TRUE(found.none()) << name << ": " << found.text();
  });
}

TEST(PenaltyContractLong, LongColumnsKeepIt) {
  contract::for_all_penalties([](const char* name, const contract::Make& make) {
    const contract::Violations found = contract::check_penalty(name, make, 300, 10, 40.0, 2000);
    EXPECT_TRUE(found.none()) << name << ": " << found.text();
  });
}

}  // namespace
}  // namespace gingham
