#include "gingham/io/decimal.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gingham/io/limits.hpp"

namespace gingham {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kMaxPower = 55;              // 5^55 < 2^128
constexpr int kMaxExactPower = 22;         // 10^22 is a double
constexpr std::ptrdiff_t kMaxDigits = 19;  // 10^19 < 2^64

// 5^q = (significand + r) * 2^exponent with 0 <= r < 1 and the top bit of the significand set.
struct Power {
  std::uint64_t high = 0, low = 0;
  int exponent = 0;
};

constexpr int bits_of(Wide x) {
  int bits = 0;
  for (; x != 0; x >>= 1) ++bits;
  return bits;
}

constexpr Power power_of(Wide significand, int exponent) {
  return {static_cast<std::uint64_t>(significand >> 64), static_cast<std::uint64_t>(significand),
          exponent};
}

constexpr auto make_powers() {
  std::array<Power, 2 * kMaxPower + 1> powers{};
  Wide five = 1;  // 5^q
  for (int q = 0; q <= kMaxPower; ++q) {
    if (q > 0) five *= 5;
    const int bits = bits_of(five);
    powers[kMaxPower + q] = power_of(five << (128 - bits), bits - 128);
    if (q == 0) continue;
    // 2^(127 + bits) / 5^q, by long division: its first 128 bits are the whole quotient.
    Wide rest = Wide{1} << (bits - 1), quotient = 0;
    for (int bit = 0; bit < 128; ++bit) {
      const bool carry = (rest >> 127) != 0;
      rest <<= 1;
      const bool one = carry || rest >= five;
      if (one) rest -= five;
      quotient = quotient << 1 | (one ? 1 : 0);
    }
    powers[kMaxPower - q] = power_of(quotient, -127 - bits);
  }
  return powers;
}

constexpr auto kPowers = make_powers();

constexpr double kTens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::uint64_t kIntegerTens[] = {1,      10,      100,      1000,     10000,
                                          100000, 1000000, 10000000, 100000000};

// The bits of w * 10^q for w > 0 and |q| <= kMaxPower; false where the first 128 bits do not
// decide.
bool scaled(std::uint64_t w, int q, std::uint64_t& bits) {
  const Power& power = kPowers[kMaxPower + q];
  const int shift = std::countl_zero(w);
  const Wide normal = w << shift;
  // The true product lies in [product, product + 2) * 2^64: less than one is lost with the lowest
  // 64 bits, less than one with the rest of the power. It is at least 2^126.
  const Wide product = normal * power.high + (normal * power.low >> 64);
  const auto high = static_cast<std::uint64_t>(product >> 64);
  const auto low = static_cast<std::uint64_t>(product);
  // 53 bits and the one that rounds are kept of `high`.
  const int dropped = 9 + static_cast<int>(high >> 63);
  const std::uint64_t ones = (std::uint64_t{1} << dropped) - 1, rest = high & ones;
  if (low + 2 <= 2 && (rest == 0 || rest == ones))
    return false;  // a tie, or the next number, is near
  const std::uint64_t mantissa = ((high >> dropped) + 1) >> 1;
  // Between 10^-55 and 10^75: always a normal number. A mantissa of 2^53 carries into the exponent.
  const int exponent = 64 + dropped + 1 + 64 + power.exponent + q - shift;
  bits = (static_cast<std::uint64_t>(exponent + 52 + 1023 - 1) << 52) + mantissa;
  return true;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Eight digits, the first in the lowest byte, as a number.
constexpr std::uint64_t number_of(std::uint64_t digits) {
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  digits = digits * 10 + (digits >> 8);
  return ((digits & kPairs) * (100 + (std::uint64_t{1000000} << 32)) +
          (digits >> 16 & kPairs) * (1 + (std::uint64_t{10000} << 32))) >>
         32;
}

// Appends the digits at `at` to w, eight at a time; returns where they end.
const char* take_digits(const char* at, const char* end, std::uint64_t& w) {
  if constexpr (std::endian::native == std::endian::little) {
    while (end - at >= 8) {
      std::uint64_t digits = 0;
      std::memcpy(&digits, at, sizeof digits);
      digits ^= 0x3030303030303030;  // each byte its digit, or 10 and more
      // The lowest high bit marks the first byte that is no digit; carries only reach those above.
      const std::uint64_t others = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
      if (others == 0) {
        w = w * kIntegerTens[8] + number_of(digits);
        at += 8;
        continue;
      }
      const int count = std::countr_zero(others) / 8;
      if (count == 0) return at;
      w = w * kIntegerTens[count] + number_of(digits << (64 - 8 * count));  // zeros come first
      return at + count;
    }
  }
  for (; is_digit(*at); ++at) w = 10 * w + static_cast<std::uint64_t>(*at - '0');
  return at;
}

const char* ask_from_chars(const char* begin, const char* stop, double& value) {
  const auto [found, error] = std::from_chars(begin, stop, value);
  return error == std::errc() && found == stop && std::isfinite(value) ? stop : nullptr;
}

}  // namespace

const char* read_decimal(const char* begin, const char* end, double& value) {
  const bool negative = *begin == '-';
  const char* at = begin + (negative ? 1 : 0);
  const char* const first = at;
  std::uint64_t w = 0;
  for (; is_digit(*at); ++at) w = 10 * w + static_cast<std::uint64_t>(*at - '0');
  std::ptrdiff_t n_digits = at - first;
  constexpr std::ptrdiff_t kFewDigits = 15;  // 10^15 < 2^53
  if (*at != '.' && (*at | 0x20) != 'e' && n_digits > 0 && n_digits <= kFewDigits) {
    const auto count = static_cast<double>(static_cast<std::int64_t>(w));
    value = negative ? -count : count;
    return at;
  }
  std::ptrdiff_t q = 0;
  if (*at == '.') {
    const char* const point = at;
    at = take_digits(at + 1, end, w);
    q = point + 1 - at;
    n_digits -= q;
  }
  if (n_digits == 0) return nullptr;
  if ((*at | 0x20) == 'e') {
    ++at;
    const bool down = *at == '-';
    if (down || *at == '+') ++at;
    if (!is_digit(*at)) return nullptr;
    constexpr std::ptrdiff_t kFarAway = 100000;
    std::ptrdiff_t exponent = 0;
    for (; is_digit(*at); ++at) exponent = std::min(10 * exponent + (*at - '0'), kFarAway);
    q += down ? -exponent : exponent;
  }
  if (at - begin > kMaxNumberBytes) return nullptr;
  if (n_digits > kMaxDigits) {
    for (const char* zero = first; *zero == '0' || *zero == '.'; ++zero) {
      if (*zero == '0') --n_digits;
    }
    if (n_digits > kMaxDigits) return ask_from_chars(begin, at, value);
  }
  constexpr std::uint64_t kMaxExact = std::uint64_t{1} << 53;
  std::uint64_t bits = 0;
  if (w <= kMaxExact && q >= -kMaxExactPower && q <= kMaxExactPower) {
    const auto exact = static_cast<double>(w);
    bits = std::bit_cast<std::uint64_t>(q < 0 ? exact / kTens[-q] : exact * kTens[q]);
  } else if (w != 0 && (q < -kMaxPower || q > kMaxPower || !scaled(w, static_cast<int>(q), bits))) {
    return ask_from_chars(begin, at, value);
  }
  value = std::bit_cast<double>(bits | std::uint64_t{negative} << 63);
  return at;
}

}  // namespace gingham
