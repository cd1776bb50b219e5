// Reading in pieces on several threads held against reading line by line: the same block to the
// bit, or the same error.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "gingham/io/formats.hpp"
#include "io/ugly_text.hpp"
#include "support/shuffled_executor.hpp"

namespace gingham::testing {

// What reading gave, as text: the digest and the labels, or the error.
inline std::string outcome_of(const std::function<Block()>& read) {
  try {
    const Block block = read();
    std::string text = "block " + block.digest();
    for (Index mode = 0; mode < block.modes(); ++mode) {
      for (const std::string& label : block.labels(mode)) text += "|" + label;
      text += "/";
    }
    return text;
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.code())) + " " + error.what();
  }
}

using TextReader =
    std::function<Block(ByteSource& source, const ReadOptions& options, const Pieces& pieces)>;

struct Held {
  Index blocks = 0, errors = 0;
};

class Executors {
 public:
  static constexpr int kThreads[] = {1, 2, 3, 7};
  Executors() {
    for (const int threads : kThreads) pools_.push_back(std::make_unique<ThreadPool>(threads));
  }
  // None, a pool, or one that shuffles.
  Executor* pick(UglyText& random) {
    const Index which = random.below(20);
    if (which == 0) return nullptr;
    if (which == 1) return &shuffled_;
    return pools_[static_cast<std::size_t>(random.below(std::ssize(pools_)))].get();
  }

 private:
  std::vector<std::unique_ptr<ThreadPool>> pools_;
  ShuffledExecutor shuffled_{1};
};

using Opener = std::function<std::unique_ptr<ByteSource>(const std::string& bytes)>;

// Random files, whole and damaged, each read `n_ways` times in pieces of a few bytes.
inline Held hold_against_lines(std::uint64_t seed, Index n_files, Index n_ways,
                               const std::function<std::string(UglyText&)>& make,
                               const TextReader& read, const Opener& open) {
  UglyText random(seed);
  Executors executors;
  Held held;
  for (Index file = 0; file < n_files && !::testing::Test::HasFailure(); ++file) {
    std::string bytes = make(random);
    if (random.chance(0.3)) bytes = random.damaged(std::move(bytes));
    const ReadOptions options = random.options();
    const auto outcome = [&](const Pieces& pieces) {
      return outcome_of([&] {
        const auto source = open(bytes);
        return read(*source, options, pieces);
      });
    };
    const std::string expected = outcome({.bytes = 0});
    ++(expected.starts_with("block") ? held.blocks : held.errors);
    for (Index way = 0; way < n_ways; ++way) {
      constexpr Index kBytes[] = {1, 2, 3, 5, 9, 17, 40, 100, 1 << 17};
      const Pieces pieces{executors.pick(random), kBytes[random.below(std::ssize(kBytes))]};
      EXPECT_EQ(outcome(pieces), expected)
          << "pieces of " << pieces.bytes << " bytes on "
          << (pieces.executor != nullptr ? pieces.executor->threads() : 0) << " threads\n"
          << bytes;
    }
  }
  return held;
}

inline Held hold_tables(std::uint64_t seed, Index n_files, Index n_ways, char delimiter,
                        const Opener& open) {
  return hold_against_lines(
      seed, n_files, n_ways, [&](UglyText& random) { return random.table(delimiter); },
      [&](ByteSource& source, const ReadOptions& options, const Pieces& pieces) {
        return read_csv(source, delimiter, options, pieces);
      },
      open);
}

inline Held hold_matrix_market(std::uint64_t seed, Index n_files, Index n_ways,
                               const Opener& open) {
  return hold_against_lines(
      seed, n_files, n_ways, [](UglyText& random) { return random.matrix_market(); }, read_mtx,
      open);
}

inline Held hold_tensors(std::uint64_t seed, Index n_files, Index n_ways, const Opener& open) {
  return hold_against_lines(
      seed, n_files, n_ways, [](UglyText& random) { return random.tensor(); }, read_tns, open);
}

}  // namespace gingham::testing
