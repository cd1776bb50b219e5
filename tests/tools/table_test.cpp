#include "gingham/tools/table.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gingham {
namespace {

TEST(Table, RowsMayHaveDifferentColumns) {
  Table table;
  table.add_row();
  table.set("point", Index{0}, true);
  table.set("size_0", 3.0);
  table.set("end", std::string("a b"));
  table.add_row();
  table.set("point", Index{1}, true);
  table.set("size_0", 0.1);
  table.set("size_1", std::nan(""));  // new: after the one before it
  table.set("end", std::string("tab\there"));
  EXPECT_EQ(table.tsv(), "point\tsize_0\tsize_1\tend\n0\t3\t\ta b\n1\t0.1\t\t\"tab\there\"\n");
  EXPECT_TRUE(table.columns()[0].is_brief);
  EXPECT_FALSE(table.columns()[2].is_brief);
  EXPECT_EQ(table.cell(0, 3), "a b");
}

TEST(Table, ACellOfAnEarlierRowCanBeChanged) {
  Table table;
  table.add_row();
  table.set("a", Index{0});
  table.add_row();
  table.set("a", Index{1});
  table.set("b", std::string());
  table.change(0, "b", "late");
  EXPECT_EQ(table.tsv(), "a\tb\n0\tlate\n1\t\n");
  EXPECT_THROW(table.change(2, "a", "x"), Error);
  EXPECT_THROW(table.change(0, "c", "x"), Error);
}

TEST(Table, IsReadBackAsItWasWritten) {
  Table table;
  for (const char* text :
       {"plain", "tab\there", "a \"quoted\" word", "two\nlines", "", "\"", "\t"}) {
    table.add_row();
    table.set("text", std::string(text));
    table.set("empty", std::string());
    table.set("last", std::string(text));
  }
  const Table again = Table::from_tsv(table.tsv(), "x.tsv");
  EXPECT_EQ(again.tsv(), table.tsv());
  ASSERT_EQ(again.rows(), table.rows());
  for (Index row = 0; row < table.rows(); ++row) {
    for (Index column = 0; column < 3; ++column)
      EXPECT_EQ(again.cell(row, column), table.cell(row, column));
  }
  EXPECT_THROW(Table::from_tsv("a\tb\n1\t2\t3\n", "x.tsv"), Error);
  EXPECT_EQ(Table::from_tsv("", "x.tsv").rows(), 0);
  EXPECT_EQ(Table::from_tsv("a\n\"open", "x.tsv").cell(0, 0), "open");
}

}  // namespace
}  // namespace gingham
