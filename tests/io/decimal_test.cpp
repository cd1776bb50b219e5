#include "gingham/io/decimal.hpp"

#include <gtest/gtest.h>

#include "io/decimal_texts.hpp"

namespace gingham {
namespace {

TEST(ReadDecimal, GivesTheBitsOfFromChars) { testing::expect_same_bits_at_random(1, 300000); }

TEST(ReadDecimal, GivesTheBitsOfFromCharsWhereItIsHard) {
  const std::string zeros(400, '0');
  for (const std::string number : {"0",
                                   "-0",
                                   "0.0",
                                   "-0.0e5",
                                   "0e999999999",
                                   "1.",
                                   ".5",
                                   "-.5",
                                   "9007199254740992",
                                   "9007199254740993",
                                   "9007199254740993.0000000000000000001",
                                   "9007199254740995",
                                   "18446744073709551615",
                                   "18446744073709551616",
                                   "9999999999999999999",
                                   "1e22",
                                   "1e23",
                                   "-1e-22",
                                   "1e-23",
                                   "123456789012345678e-55",
                                   "123456789012345678e-56",
                                   "123456789012345678e55",
                                   "123456789012345678e56",
                                   "2.2250738585072014e-308",
                                   "2.2250738585072011e-308",
                                   "4.9e-324",
                                   "2.4703282292062327e-324",
                                   "1.7976931348623157e308",
                                   "1.7976931348623159e308",
                                   "0.000000000000000000000000000012345678901234567",
                                   "0000000000000000000000000000012345678901234567",
                                   "8.5",
                                   "6.1e-5",
                                   "12345678",
                                   "123456789",
                                   "1.12345678",
                                   "1.1234567812345678",
                                   "179769313486231580793728971405301"}) {
    testing::expect_same_bits(number);
    testing::expect_same_bits("-" + number);
    testing::expect_same_bits(number + "1");
  }
  for (const std::size_t n : {10u, 380u, 381u, 382u, 383u, 384u, 385u, 400u})
    testing::expect_same_bits(zeros.substr(0, n - 2) + ".5");
  for (int power = -345; power <= 310; ++power) {
    for (const char* digits :
         {"1", "12345678901234567", "9999999999999999", "5", "4503599627370497"})
      testing::expect_same_bits(digits + ("e" + std::to_string(power)));
  }
}

TEST(ReadDecimal, LeavesAllElseToOthers) {
  for (const std::string text : {"", "-", "+1", ".", "-.", "e5", "1e", "1e+", "nan", "inf", "1e999",
                                 "-1e999", "--1", " 1", "\"1\""}) {
    const std::string line = text + "\n";
    double value = 0.0;
    EXPECT_EQ(read_decimal(line.data(), line.data() + line.size(), value), nullptr) << text;
  }
}

}  // namespace
}  // namespace gingham
