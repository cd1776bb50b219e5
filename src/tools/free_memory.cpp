#include "gingham/tools/free_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace gingham {
namespace {

double first_number(const char* path) {
  std::ifstream file(path);
  double value = 0.0;
  return file >> value ? value : std::numeric_limits<double>::infinity();
}

}  // namespace

double free_memory_bytes() {
  double available = std::numeric_limits<double>::infinity();
  std::ifstream meminfo("/proc/meminfo");
  std::string key, unit;
  double kilobytes = 0.0;
  while (meminfo >> key >> kilobytes) {
    if (key == "MemAvailable:") available = kilobytes * 1024.0;
    std::getline(meminfo, unit);
  }
  const double group_limit = first_number("/sys/fs/cgroup/memory.max");
  const double group_used = first_number("/sys/fs/cgroup/memory.current");
  if (group_limit < std::numeric_limits<double>::infinity() &&
      group_used < std::numeric_limits<double>::infinity()) {
    available = std::min(available, std::max(group_limit - group_used, 0.0));
  }
  return available;
}

double memory_limit(double asked) {
  constexpr double kShareOfFreeMemory = 0.8;
  return asked > 0.0 ? asked : kShareOfFreeMemory * free_memory_bytes();
}

double memory_limit(double asked, double held_bytes) {
  return memory_limit(asked) + (asked > 0.0 ? 0.0 : held_bytes);
}

}  // namespace gingham
