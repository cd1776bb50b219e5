#include "table.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace gingham::bench {
namespace {

constexpr double kEnoughSeconds = 0.5;
constexpr double kBusy = 2.5;  // load average with our own two threads counted
constexpr int kLeastRepeats = 3;
constexpr int kMostRepeats = 1000;

double timed(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

}  // namespace

std::vector<double> seconds_of_rivals(const std::vector<std::function<void()>>& rivals) {
  std::vector<std::vector<double>> times(rivals.size());
  double spent = 0.0;
  for (const auto& work : rivals) work();
  for (int repeat = 0; repeat < kMostRepeats; ++repeat) {
    if (repeat >= kLeastRepeats && spent > kEnoughSeconds * static_cast<double>(rivals.size()))
      break;
    for (std::size_t i = 0; i < rivals.size(); ++i) {
      times[i].push_back(timed(rivals[i]));
      spent += times[i].back();
    }
  }
  std::vector<double> medians;
  for (const auto& list : times) medians.push_back(median(list));
  return medians;
}

double seconds_of(const std::function<void()>& work) { return seconds_of_rivals({work})[0]; }

void keep(double value) { asm volatile("" : : "x"(value)); }

void Table::add(Row row) {
  if (!has_header_) {
    std::printf("%-36s %-34s %9s %-9s %-30s %6s  %s\n", "name", "measured", "value", "unit",
                "reference", "ratio", "goal");
    has_header_ = true;
  }
  std::printf("%-36s %-34s %9.4g %-9s ", row.name.c_str(), row.measured.c_str(), row.value,
              row.unit.c_str());
  if (!row.reference.empty()) std::printf("%-30s %6.2f  ", row.reference.c_str(), row.ratio);
  if (row.goal.kind != Goal::Kind::none) {
    const bool is_floor = row.goal.kind == Goal::Kind::at_least;
    const bool is_met = is_floor ? row.ratio >= row.goal.ratio : row.ratio <= row.goal.ratio;
    std::printf("%s %.2f %s", is_floor ? ">=" : "<=", row.goal.ratio, is_met ? "met" : "NOT MET");
    ++goals_;
    met_ += is_met;
  }
  std::printf("\n");
  std::fflush(stdout);
}

bool Table::finish() const {
  std::printf("%d of %d goals met\n", met_, goals_);
  double load = 0.0;
  if (getloadavg(&load, 1) == 1 && load > kBusy) {
    std::printf("the machine was busy (load %.1f): rows with two threads mean little\n", load);
  }
  return met_ == goals_;
}

}  // namespace gingham::bench
