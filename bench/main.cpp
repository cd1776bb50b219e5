// gingham_bench [filter]: measures the rows whose name contains the filter and prints one table.
// Exit code 0 when every goal among them is met, 1 otherwise.
#include "areas.hpp"

int main(int argc, char** argv) {
  gingham::bench::Table table(argc > 1 ? argv[1] : "");
  gingham::bench::all_areas(table);
  return table.finish() ? 0 : 1;
}
