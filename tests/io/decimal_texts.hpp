// Numbers as text, of all kinds, read by read_decimal and by std::from_chars: the same bits.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <string>

#include "gingham/base/rng.hpp"
#include "gingham/io/decimal.hpp"

namespace gingham::testing {

inline std::string random_digits(Rng& rng, Index most) {
  std::string digits;
  for (Index n = rng.below(most + 1); n > 0; --n) digits += static_cast<char>('0' + rng.below(10));
  return digits;
}

inline std::string random_decimal(Rng& rng) {
  const auto any_double = [&] {
    double value = 0.0;
    do value = std::bit_cast<double>(rng.bits());
    while (!std::isfinite(value));
    return value;
  };
  switch (rng.below(6)) {
    case 0:
      return fmt::format("{}", any_double());  // the shortest that reads back
    case 1:
      return fmt::format("{:.{}g}", rng.normal() * std::pow(10.0, rng.uniform(-60, 60)),
                         1 + rng.below(21));
    case 2:
      return fmt::format("{}", (rng.bits() >> 10) | 1);  // 54 bits: often half way
    case 3: {  // half way between neighbours, or next to it, in many digits
      const double value = any_double() * 1e-300, next = std::nextafter(value, 1e308);
      return fmt::format("{:.{}g}", std::abs(value) < 1e300 ? value / 2 + next / 2 : value,
                         15 + rng.below(25));
    }
    default: {
      std::string text = rng.below(2) == 0 ? "-" : "";
      text += random_digits(rng, 12);
      if (rng.below(2) == 0) text += "." + random_digits(rng, 14);
      if (rng.below(3) == 0) {
        constexpr const char* kSigns[] = {"", "+", "-"};
        text += rng.below(2) == 0 ? "e" : "E";
        text += kSigns[rng.below(3)] + random_digits(rng, 3);
      }
      return text;
    }
  }
}

inline void expect_same_bits(const std::string& number) {
  const std::string text = number + ",\n";
  double value = 0.0, expected = 0.0;
  const char* const stop = read_decimal(text.data(), text.data() + text.size(), value);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), expected);
  const bool is_number = error == std::errc() && std::isfinite(expected) &&
                         end == text.data() + number.size() && number.size() <= 384;
  ASSERT_EQ(stop != nullptr && *stop == ',', is_number) << number;
  if (!is_number) return;
  ASSERT_EQ(stop, end) << number;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(expected)) << number;
}

inline void expect_same_bits_at_random(std::uint64_t seed, Index count) {
  Rng rng = Rng::named(seed, "decimal");
  for (Index k = 0; k < count && !::testing::Test::HasFatalFailure(); ++k)
    expect_same_bits(random_decimal(rng));
}

}  // namespace gingham::testing
