// One table of measurements: each row names what was measured, its value, what it is compared with
// in the same run, and whether the goal is met. Times are medians over repeats.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace gingham::bench {

// Median seconds of one call: repeated for about half a second, at least three times, after one
// call that does not count.
double seconds_of(const std::function<void()>& work);

// The same for several rivals in turn, round by round, so that a change of the machine's speed
// meets all of them alike.
std::vector<double> seconds_of_rivals(const std::vector<std::function<void()>>& rivals);

// Keeps the compiler from dropping a computed value.
void keep(double value);

struct Goal {
  enum class Kind { none, at_least, at_most } kind = Kind::none;
  double ratio = 0.0;
};
inline Goal at_least(double ratio) { return {Goal::Kind::at_least, ratio}; }
inline Goal at_most(double ratio) { return {Goal::Kind::at_most, ratio}; }

struct Row {
  std::string name;      // area/kernel/variant; what the filter looks at
  std::string measured;  // sizes, threads
  double value = 0.0;
  std::string unit;
  std::string reference;  // what the ratio compares with; empty when the row is a limit itself
  double ratio = 0.0;     // value / reference, both in `unit`
  Goal goal;
};

class Table {
 public:
  explicit Table(std::string filter) : filter_(std::move(filter)) {}
  // Whether rows of this name are wanted; the work behind a row is done only then.
  bool wants(const std::string& name) const { return name.find(filter_) != std::string::npos; }
  void add(Row row);  // prints it at once
  // Prints how many goals were met; returns whether all were.
  bool finish() const;

 private:
  std::string filter_;
  int goals_ = 0;
  int met_ = 0;
  bool has_header_ = false;
};

}  // namespace gingham::bench
