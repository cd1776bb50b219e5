#include "gingham/base/text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "gingham/base/rng.hpp"

namespace gingham {
namespace {

TEST(ParseReal, TakesTheWholeFieldOrNothing) {
  EXPECT_EQ(parse_real("1"), 1.0);
  EXPECT_EQ(parse_real("+1"), 1.0);
  EXPECT_EQ(parse_real("-1.5e3"), -1500.0);
  EXPECT_EQ(parse_real(".5"), 0.5);
  EXPECT_EQ(parse_real("5."), 5.0);
  EXPECT_EQ(parse_real("1E+2"), 100.0);
  EXPECT_EQ(parse_real("4.9406564584124654e-324"), 4.9406564584124654e-324);
  for (const char* bad : {"",
                          " ",
                          "+",
                          "-",
                          "+-1",
                          "-+1",
                          "++1",
                          "--1",
                          "1.5abc",
                          " 1",
                          "1 ",
                          "\t1",
                          "0x10",
                          "0x1p3",
                          "1,5",
                          "1e",
                          "1e+",
                          "e5",
                          ".",
                          "1e999",
                          "-1e999",
                          "nan(0x1)",
                          "nan()",
                          "abc",
                          "1_000",
                          "1.2.3",
                          "\xC2\xA0"
                          "1"}) {
    EXPECT_FALSE(parse_real(bad)) << "'" << bad << "'";
  }
  EXPECT_FALSE(parse_real(std::string_view("1\0", 2)));
  EXPECT_FALSE(parse_real(std::string_view("\0", 1)));
}

TEST(ParseReal, ReadsTheSpecialValuesInAnyCase) {
  for (const char* text : {"nan", "NaN", "NAN", "+nan", "-nan"}) {
    ASSERT_TRUE(parse_real(text)) << text;
    EXPECT_TRUE(std::isnan(*parse_real(text))) << text;
  }
  for (const char* text : {"inf", "Inf", "+INF", "infinity"}) {
    EXPECT_EQ(parse_real(text), std::numeric_limits<double>::infinity()) << text;
  }
  EXPECT_EQ(parse_real("-inf"), -std::numeric_limits<double>::infinity());
  for (const char* text : {"in", "infi", "na", "nanx"}) EXPECT_FALSE(parse_real(text)) << text;
}

TEST(ParseReal, ReadsLongFields) {
  EXPECT_EQ(parse_real("0." + std::string(400, '3')), 1.0 / 3.0);
  EXPECT_EQ(parse_real(std::string(400, '0') + "7"), 7.0);
  EXPECT_FALSE(parse_real(std::string(400, '9')));
}

TEST(ParseInteger, TakesTheWholeFieldOrNothing) {
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("+12"), 12);
  EXPECT_EQ(parse_integer("-0012"), -12);
  EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<Index>::max());
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<Index>::min());
  for (const char* bad : {"", "+", "-", "+-1", "1.0", "1e3", " 1", "1 ", "0x10", "1,000", "nan",
                          "9223372036854775808", "-9223372036854775809"}) {
    EXPECT_FALSE(parse_integer(bad)) << "'" << bad << "'";
  }
}

TEST(ToText, ReadsBackAsTheSameBits) {
  Rng rng = Rng::named(5, "text");
  const auto check = [](double value) {
    const auto again = parse_real(to_text(value));
    ASSERT_TRUE(again) << to_text(value);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(*again), std::bit_cast<std::uint64_t>(value))
        << to_text(value);
  };
  for (const double value : {0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308,
                             2.225073858507201e-308, 1.7976931348623157e308, 9007199254740993.0,
                             1e22, 1e23, 0.1, std::numeric_limits<double>::infinity()}) {
    check(value);
    check(-value);
  }
  for (int i = 0; i < 100000; ++i) {
    std::uint64_t bits = rng.bits();
    if (i % 4 == 0) bits &= 0x800FFFFFFFFFFFFF;  // a denormal
    const auto value = std::bit_cast<double>(bits);
    if (!std::isnan(value)) check(value);
  }
  EXPECT_EQ(to_text(Index{-7}), "-7");
  EXPECT_EQ(to_text(0.1), "0.1");
}

TEST(HumanBytes, CountsInThousands) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(999.6), "1.0 kB");
  EXPECT_EQ(human_bytes(999940), "999.9 kB");
  EXPECT_EQ(human_bytes(999960), "1.0 MB");
  EXPECT_EQ(human_bytes(12345678), "12.3 MB");
  EXPECT_EQ(human_bytes(2e18), "2000.0 PB");
}

TEST(Printable, ReplacesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("plain text, Größe, 漢字, 😀"), "plain text, Größe, 漢字, 😀");
  EXPECT_EQ(printable("a\x1b[31mb\n\t\r\x7f"), "a?[31mb????");
  EXPECT_EQ(printable("a\xC2\x9B"
                      "31m"),
            "a?31m");  // a C1 control: the eight-bit form of ESC [
  EXPECT_EQ(printable("\xC2\xA0"), "\xC2\xA0");
  EXPECT_EQ(printable("\xFF\xC0\xAF\xE2\x82"), "?????");  // a '?' for each byte that fits nowhere
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a?b");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, CutsAfterWholeCharacters) {
  EXPECT_EQ(printable("ääää", 4), "ääää");
  EXPECT_EQ(printable("ääää", 3), "äää…");
  EXPECT_EQ(printable("abc", 0), "…");
  EXPECT_EQ(printable("", 0), "");
  EXPECT_EQ(printable(std::string(1000, 'x')), std::string(200, 'x') + "…");
}

TEST(Printable, GivesValidTextForAnyBytes) {
  Rng rng = Rng::named(6, "bytes");
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text(static_cast<std::size_t>(rng.below(12)), ' ');
    for (char& c : text)
      c = static_cast<char>(rng.uniform() < 0.5 ? rng.bits() : rng.bits() | 0x80);
    const std::string shown = printable(text);
    ASSERT_FALSE(invalid_utf8(shown));
    for (const char c : shown) ASSERT_GE(static_cast<unsigned char>(c), 0x20);
  }
}

// Whether `bytes` are the encoding of one code point, by encoding all of them.
std::string encoded(unsigned code) {
  const auto byte = [](unsigned value) { return static_cast<char>(value); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 63))};
  if (code < 0x10000)
    return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 63)), byte(0x80 | (code & 63))};
  return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 63)), byte(0x80 | (code >> 6 & 63)),
          byte(0x80 | (code & 63))};
}

TEST(InvalidUtf8, AcceptsEveryCodePointAndNoSurrogate) {
  for (unsigned code = 0; code <= 0x10FFFF; ++code) {
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    ASSERT_EQ(invalid_utf8(encoded(code)).has_value(), surrogate) << code;
  }
}

TEST(InvalidUtf8, RefusesOverlongCutAndStrayBytes) {
  const std::vector<std::string> bad{"\x80",
                                     "\xBF",
                                     "\xC0\x80",
                                     "\xC1\xBF",
                                     "\xE0\x80\x80",
                                     "\xE0\x9F\xBF",
                                     "\xED\xA0\x80",
                                     "\xED\xBF\xBF",
                                     "\xF0\x80\x80\x80",
                                     "\xF0\x8F\xBF\xBF",
                                     "\xF4\x90\x80\x80",
                                     "\xF5\x80\x80\x80",
                                     "\xFE",
                                     "\xFF",
                                     "\xC2",
                                     "\xE2\x82",
                                     "\xF0\x9F\x98",
                                     "\xC2\x41",
                                     "\xE2\x28\xA1",
                                     "\xF8\x88\x80\x80\x80"};
  for (const std::string& text : bad) {
    EXPECT_EQ(invalid_utf8(text), 0u);
    EXPECT_EQ(invalid_utf8("aä" + text), 3u);
    EXPECT_EQ(invalid_utf8("aä" + text + "b"), 3u);
  }
  EXPECT_FALSE(invalid_utf8(""));
}

TEST(InvalidUtf8, KnowsAllPairsOfBytes) {
  for (unsigned first = 0x80; first < 0x100; ++first) {
    for (unsigned second = 0; second < 0x100; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      const bool valid = first >= 0xC2 && first <= 0xDF && second >= 0x80 && second <= 0xBF;
      ASSERT_EQ(!invalid_utf8(text), valid) << first << " " << second;
    }
  }
}

}  // namespace
}  // namespace gingham
