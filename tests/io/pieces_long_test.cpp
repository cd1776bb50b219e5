#include <gtest/gtest.h>

#include "io/read_in_pieces.hpp"

namespace gingham {
namespace {

constexpr Index kFiles = 40000, kWays = 8;

std::unique_ptr<ByteSource> from_memory(const std::string& bytes) {
  return memory_bytes("file", bytes);
}

TEST(ReadInPiecesLong, GivesTheTableOrTheErrorOfReadingByLines) {
  testing::hold_tables(11, kFiles, kWays, ',', from_memory);
}
TEST(ReadInPiecesLong, GivesTheMatrixMarketFileOrTheErrorOfReadingByLines) {
  testing::hold_matrix_market(12, kFiles, kWays, from_memory);
}
TEST(ReadInPiecesLong, GivesTheTensorOrTheErrorOfReadingByLines) {
  testing::hold_tensors(13, kFiles, kWays, from_memory);
}

}  // namespace
}  // namespace gingham
