#include "gingham/engine/archive.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "gingham/base/rng.hpp"
#include "gingham/data/matrix.hpp"
#include "gingham/engine/status.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using test::error_of;
using test::expect_error;

struct Inner {
  std::int32_t number = 0;
  std::string text;
  template <class A>
  void state(A& ar) {
    ar("number", number)("text", text);
  }
};

struct Everything {
  bool yes = false;
  char letter = ' ';
  std::uint8_t small = 0;
  Index whole = 0;
  float single = 0;
  double real = 0;
  Status status = Status::converged;
  std::string text;
  std::vector<double> reals;
  std::vector<bool> flags;
  std::vector<std::string> words;
  std::vector<std::vector<Index>> lists;
  std::vector<Inner> inners;
  std::vector<std::byte> bytes;
  Array<std::int32_t> array;
  Matrix matrix;
  MatrixF matrix_f;
  std::vector<Matrix> matrices;
  Rng rng;
  Inner inner;

  template <class A>
  void state(A& ar) {
    ar("yes", yes)("letter", letter)("small", small)("whole", whole)("single", single)("real",
                                                                                       real);
    ar("status", status)("text", text)("reals", reals)("flags", flags)("words", words)("lists",
                                                                                       lists);
    ar("inners", inners)("bytes", bytes)("array", array)("matrix", matrix)("matrix_f", matrix_f);
    ar("matrices", matrices)("rng", rng)("inner", inner);
  }
};

Everything filled() {
  Everything e;
  e.yes = true;
  e.letter = 'x';
  e.small = 200;
  e.whole = std::numeric_limits<Index>::min();
  e.single = 1.5f;
  e.real = -0.0;
  e.status = Status::cycle;
  e.text = std::string("a\0ü", 4);
  e.reals = {1.0, std::numeric_limits<double>::quiet_NaN(), 5e-324};
  e.flags = {true, false, true, true};
  e.words = {"", "one", "two"};
  e.lists = {{}, {1, 2}, {3}};
  e.inners = {{1, "i"}, {2, ""}};
  e.bytes = {std::byte{1}, std::byte{255}};
  e.array = test::to_array<std::int32_t>({7, 8, 9});
  e.matrix = Matrix(2, 2, test::to_array<double>({1, 2, 3, 4}));
  e.matrix_f = MatrixF(1, 2, test::to_array<float>({1, 2}));
  e.matrices = {Matrix(1, 1), Matrix(0, 5)};
  e.rng = Rng::named(3, "x", 4);
  e.rng.bits();
  e.inner = {-5, "inside"};
  return e;
}

TEST(Archive, ReadsBackEveryKindOfField) {
  Everything first = filled();
  const std::vector<std::byte> bytes = save_state(first);
  Everything second;
  second.reals.resize(10);  // what was there before does not matter
  second.flags.resize(10);
  second.inners.resize(10);
  load_state(second, bytes);
  EXPECT_EQ(save_state(second), bytes);
  EXPECT_EQ(save_state(first), bytes);  // writing changes nothing
  EXPECT_EQ(second.text, first.text);
  EXPECT_EQ(second.whole, first.whole);
  EXPECT_EQ(second.flags, first.flags);
  EXPECT_EQ(second.words, first.words);
  EXPECT_EQ(second.lists, first.lists);
  EXPECT_EQ(second.inners[0].text, "i");
  EXPECT_EQ(second.inners.size(), 2u);
  EXPECT_EQ(second.status, Status::cycle);
  EXPECT_TRUE(std::signbit(second.real));
  EXPECT_EQ(test::bits_of(second.reals), test::bits_of(first.reals));
  EXPECT_EQ(second.matrix(1, 0), 3.0);
  EXPECT_EQ(second.matrices[1].cols(), 5);
  EXPECT_EQ(second.rng.bits(), first.rng.bits());
}

// Fields smaller and larger than the pieces, which nobody sees.
TEST(Archive, WritesAndReadsPieceByPieceWhatItWritesAtOnce) {
  for (const Index size : {0, 1, 1000, 8191, 8192, 8193, 100000}) {
    std::vector<Everything> first(3, filled());
    first[1].matrix = Matrix(1, size);
    first[2].words.assign(static_cast<std::size_t>(size) / 10, "some words");
    for (Index k = 0; k < size; ++k) first[1].matrix(0, k) = static_cast<double>(k);
    Archive whole;
    whole("all", first);
    const std::vector<std::byte> bytes = whole.take();
    std::vector<std::byte> pieces;
    std::size_t n_pieces = 0;
    Archive writer([&](std::span<const std::byte> piece) {
      pieces.insert(pieces.end(), piece.begin(), piece.end());
      ++n_pieces;
    });
    writer("all", first);
    writer.finish();
    EXPECT_EQ(pieces, bytes);
    EXPECT_LE(n_pieces, 3 + bytes.size() / 10000);
    std::size_t at = 0;
    Archive reader(
        [&](std::span<std::byte> piece) {
          ASSERT_LE(piece.size(), bytes.size() - at);
          std::copy_n(bytes.begin() + static_cast<Index>(at), piece.size(), piece.begin());
          at += piece.size();
        },
        bytes.size());
    std::vector<Everything> second;
    reader("all", second);
    EXPECT_TRUE(reader.at_end());
    EXPECT_EQ(save_state(second[1]), save_state(first[1]));
    EXPECT_EQ(save_state(second[2]), save_state(first[2]));
  }
}

TEST(Archive, WritesABorrowedArrayWhereItLies) {
  const std::vector<double> values{1, 2, 3};
  Array<double> borrowed = Array<double>::borrow(values.data(), 3, nullptr);
  Archive archive;
  archive("values", borrowed);
  EXPECT_EQ(std::as_const(borrowed).data(), values.data());
}

TEST(Archive, RefusesEveryShorterAndEveryLongerText) {
  Everything first = filled();
  std::vector<std::byte> bytes = save_state(first);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Everything second;
    expect_error(ErrorCode::input, {"saved state"}, [&] {
      load_state(second, {bytes.data(), size});
    });
  }
  bytes.push_back(std::byte{0});
  Everything second;
  expect_error(ErrorCode::input, {"bytes left over"}, [&] { load_state(second, bytes); });
}

// Damage is noticed or reads as other values; nothing else is thrown, and no memory is asked for
// beyond what the bytes can fill.
TEST(Archive, SurvivesEveryFlippedByte) {
  Everything first = filled();
  const std::vector<std::byte> bytes = save_state(first);
  Rng rng = Rng::named(1, "flips");
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int trial = 0; trial < 12; ++trial) {
      std::vector<std::byte> damaged = bytes;
      damaged[at] ^= trial < 8 ? std::byte(1u << trial) : std::byte(1 + rng.below(255));
      Everything second;
      const auto error = error_of([&] { load_state(second, damaged); });
      if (error) {
        ASSERT_EQ(error->code(), ErrorCode::input) << error->what();
      }
    }
  }
}

TEST(Archive, SurvivesRandomBytesAfterAGoodBeginning) {
  Everything first = filled();
  const std::vector<std::byte> bytes = save_state(first);
  Rng rng = Rng::named(2, "noise");
  for (int trial = 0; trial < 3000; ++trial) {
    std::vector<std::byte> damaged = bytes;
    for (std::size_t at = static_cast<std::size_t>(rng.below(std::ssize(bytes))); at < bytes.size();
         ++at) {
      damaged[at] = std::byte(rng.bits());
    }
    Everything second;
    const auto error = error_of([&] { load_state(second, damaged); });
    if (error) {
      ASSERT_EQ(error->code(), ErrorCode::input) << error->what();
    }
  }
}

template <class T>
struct One {
  const char* name;
  T value{};
  template <class A>
  void state(A& ar) {
    ar(name, value);
  }
};

template <class To, class From>
void expect_other_layout(From value, const char* from = "x", const char* to = "x") {
  One<From> written{from, value};
  const std::vector<std::byte> bytes = save_state(written);
  One<To> read{to};
  expect_error(ErrorCode::input, {"saved state"}, [&] { load_state(read, bytes); });
}

TEST(Archive, NoticesAnotherNameOrType) {
  expect_other_layout<double>(1.0, "x", "y");
  expect_other_layout<double>(Index{1});
  expect_other_layout<Index>(std::uint64_t{1});
  expect_other_layout<std::int32_t>(Index{1});
  expect_other_layout<std::uint8_t>(true);
  expect_other_layout<std::vector<Index>>(std::vector<double>{1.0});
  expect_other_layout<Array<double>>(std::vector<double>{1.0});
  expect_other_layout<std::vector<char>>(std::string("ab"));
  expect_other_layout<std::vector<std::int32_t>>(std::vector<Index>{1});
}

TEST(Archive, ReadsOnlyTrueAndFalseAsABool) {
  One<bool> written{"x", true};
  std::vector<std::byte> bytes = save_state(written);
  for (int value = 0; value < 256; ++value) {
    bytes.back() = std::byte(value);
    One<bool> read{"x"};
    EXPECT_EQ(error_of([&] { load_state(read, bytes); }).has_value(), value > 1);
  }
}

TEST(Archive, DoesNotBelieveSizes) {
  struct Large {  // much memory per item, few bytes in the archive
    std::array<double, 4096> unsaved{};
    bool saved = false;
    void state(Archive& ar) { ar("saved", saved); }
  };
  One<std::vector<Large>> written{"x", std::vector<Large>(1)};
  std::vector<std::byte> bytes = save_state(written);
  bytes.resize(bytes.size() + (1 << 22));  // room for the claim, not for the items
  const Index claim = 1 << 22;             // 128 GiB of items
  std::memcpy(bytes.data() + 4, &claim, sizeof claim);
  One<std::vector<Large>> read{"x"};
  expect_error(ErrorCode::input, {"saved state"}, [&] { load_state(read, bytes); });

  One<Matrix> matrix{"x", Matrix(1, 1)};
  bytes = save_state(matrix);
  const Index huge = Index{1} << 40;  // rows * columns does not fit 64 bits
  std::memcpy(bytes.data() + 8, &huge, sizeof huge);
  std::memcpy(bytes.data() + 20, &huge, sizeof huge);
  expect_error(ErrorCode::input, {"rows * columns"}, [&] { load_state(matrix, bytes); });
}

}  // namespace
}  // namespace gingham
