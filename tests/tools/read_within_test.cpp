#include "gingham/tools/read_within.hpp"

#include <gtest/gtest.h>

#include "gingham/io/write.hpp"
#include "io/temporary_folder.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

TEST(ReadWithin, StreamsWhatTakesAQuarterOfTheMemoryWhereTheMethodTakesIt) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.npy";
  write_block(Block("X", Matrix(1000, 10)), path);
  const DataFiles input{.files = {path}};
  const auto is_streamed = [&](double memory, Rows rows) {
    return read_within(input, memory, rows).block(0).row_source() != nullptr;
  };
  EXPECT_TRUE(is_streamed(319e3, Rows::may_be_streamed));
  EXPECT_FALSE(is_streamed(321e3, Rows::may_be_streamed));
  EXPECT_FALSE(is_streamed(319e3, Rows::in_memory));
  // What would not fit at all.
  EXPECT_TRUE(is_streamed(1e3, Rows::may_be_streamed));
  test::expect_error(ErrorCode::input, {path}, [&] { is_streamed(1e3, Rows::in_memory); });
  EXPECT_EQ(stream_beyond(1e12, Rows::may_be_streamed), 1e9);
}

TEST(RowsFor, AsksTheMethodAboutItsOptions) {
  MethodInfo info;
  info.options = {{.name = "turned", .type = OptionType::flag, .initial = "no"}};
  Options options = info.make_options();
  EXPECT_EQ(rows_for(info, options), Rows::in_memory);
  info.streams = [](const Options& chosen) { return !chosen.flag("turned"); };
  EXPECT_EQ(rows_for(info, options), Rows::may_be_streamed);
  options.set("turned", "yes");
  EXPECT_EQ(rows_for(info, options), Rows::in_memory);
}

}  // namespace
}  // namespace gingham
