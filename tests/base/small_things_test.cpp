// Digest, FunctionRef, Error, checked sizes.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "gingham/base/digest.hpp"
#include "gingham/base/function_ref.hpp"
#include "gingham/base/index.hpp"

namespace gingham {
namespace {

TEST(Digest, DoesNotDependOnHowTheBytesArrive) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += static_cast<char>(i * 7);
  for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{255}, text.size()}) {
    Digest digest;
    digest.add_bytes(text.data(), cut);
    digest.add_bytes(text.data() + cut, text.size() - cut);
    EXPECT_EQ(digest.value(), digest_bytes(text.data(), text.size()));
  }
}

TEST(Digest, TextsCarryTheirLength) {
  const auto of = [](std::initializer_list<std::string_view> texts) {
    Digest digest;
    for (const std::string_view text : texts) digest.add(text);
    return digest.value();
  };
  const std::set<std::uint64_t> all{of({"ab", "c"}), of({"a", "bc"}), of({"abc"}), of({"", "abc"}),
                                    of({})};
  EXPECT_EQ(all.size(), 5u);
}

TEST(Digest, DependsOnTypeAndOrder) {
  const auto of = [](auto... values) {
    Digest digest;
    (digest.add(values), ...);
    return digest.hex();
  };
  EXPECT_NE(of(1, 2), of(2, 1));
  EXPECT_NE(of(1.0), of(1));
  EXPECT_NE(of(0.0), of(-0.0));
  EXPECT_EQ(of(1, 2), of(1, 2));
  EXPECT_EQ(of(1).size(), 16u);
  EXPECT_EQ(of(1).find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(Digest, CanBeReadOnTheWayAndMoved) {
  Digest digest;
  digest.add(1);
  const std::uint64_t first = digest.value();
  EXPECT_EQ(digest.value(), first);
  Digest moved = std::move(digest);
  EXPECT_EQ(moved.value(), first);
  moved.add(2);
  EXPECT_NE(moved.value(), first);
}

int twice(int x) { return 2 * x; }

TEST(FunctionRef, CallsWhatItRefersTo) {
  int calls = 0;
  auto count = [&](int x) {
    ++calls;
    return x + 1;
  };
  const FunctionRef<int(int)> ref = count;
  const FunctionRef<int(int)> copy = ref;
  EXPECT_EQ(ref(1), 2);
  EXPECT_EQ(copy(2), 3);
  EXPECT_EQ(calls, 2);
  const auto constant = [](int x) { return -x; };
  EXPECT_EQ(FunctionRef<int(int)>(constant)(3), -3);
  const auto pointer = &twice;
  EXPECT_EQ(FunctionRef<int(int)>(pointer)(4), 8);
  EXPECT_EQ(FunctionRef<double(int)>(pointer)(4), 8.0);
}

TEST(FunctionRef, SeesChangesOfTheObjectAndPassesReferences) {
  struct Counter {
    int total = 0;
    void operator()(int& x) { total += x++; }
  } counter;
  const FunctionRef<void(int&)> ref = counter;
  int x = 5;
  ref(x);
  ref(x);
  EXPECT_EQ(counter.total, 11);
  EXPECT_EQ(x, 7);
  const FunctionRef<std::unique_ptr<int>(std::unique_ptr<int>)> through =
      [](std::unique_ptr<int> p) { return p; };
  EXPECT_EQ(*through(std::make_unique<int>(3)), 3);
}

TEST(FunctionRef, DropsAResultNobodyWants) {
  std::set<int> seen;
  auto insert = [&](int x) { return seen.insert(x); };
  const FunctionRef<void(int)> ref = insert;
  ref(4);
  EXPECT_EQ(seen.count(4), 1u);
}

TEST(Error, SaysWhereAndWhat) {
  const Error error(ErrorCode::input, "a.csv:3", "too short");
  EXPECT_STREQ(error.what(), "a.csv:3: too short");
  EXPECT_EQ(error.where(), "a.csv:3");
  EXPECT_EQ(error.message(), "too short");
  EXPECT_EQ(error.code(), ErrorCode::input);
  EXPECT_STREQ(Error(ErrorCode::usage, "", "alone").what(), "alone");
  const Error copy = error;
  EXPECT_STREQ(copy.what(), error.what());
}

TEST(CheckedSizes, RefuseWhatDoesNotFit) {
  constexpr Index kMost = std::numeric_limits<Index>::max();
  EXPECT_EQ(checked_mul(3037000499, 3037000499, "x"), 3037000499 * Index{3037000499});
  EXPECT_EQ(checked_add(kMost - 1, 1, "x"), kMost);
  EXPECT_THROW(checked_mul(3037000500, 3037000500, "x"), Error);
  EXPECT_THROW(checked_add(kMost, 1, "x"), Error);
  try {
    checked_mul(kMost, 2, "the thing");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::memory);
    EXPECT_NE(error.message().find("the thing"), std::string::npos);
  }
}

}  // namespace
}  // namespace gingham
