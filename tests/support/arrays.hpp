// Arrays from lists, values compared as bits, and errors looked at.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "gingham/base/memory.hpp"

namespace gingham::test {

template <class T>
Array<T> to_array(const std::vector<T>& values) {
  Array<T> array(std::ssize(values));
  std::copy(values.begin(), values.end(), array.data());
  return array;
}

template <class T>
std::vector<T> to_vector(std::span<const T> values) {
  return {values.begin(), values.end()};
}

inline std::vector<std::uint64_t> bits_of(ConstVec values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

// The Error that a call throws; nothing if it throws none.
template <class Call>
std::optional<Error> error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

// Expects an Error of this code whose text holds every one of `parts`.
template <class Call>
void expect_error(ErrorCode code, const std::vector<std::string>& parts, Call&& call) {
  const std::optional<Error> error = error_of(call);
  ASSERT_TRUE(error) << "nothing was thrown; expected a message with '" << parts.front() << "'";
  EXPECT_EQ(error->code(), code) << error->what();
  for (const std::string& part : parts) {
    EXPECT_NE(std::string(error->what()).find(part), std::string::npos)
        << "'" << part << "' is not in: " << error->what();
  }
}

}  // namespace gingham::test
