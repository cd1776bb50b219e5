#include <gtest/gtest.h>

#include "io/decimal_texts.hpp"

namespace gingham {
namespace {

TEST(ReadDecimalLong, GivesTheBitsOfFromChars) {
  testing::expect_same_bits_at_random(2, 100000000);
}

}  // namespace
}  // namespace gingham
