#include "gingham/data/scan.hpp"

#include <algorithm>
#include <numeric>

namespace gingham {

inline void Scan::look(std::size_t lane, double x) {
  const bool observed = x == x;
  missing_[lane] += observed ? 0 : 1;
  zeros_[lane] += x == 0.0 ? 1 : 0;
  low_[lane] = x < low_[lane] ? x : low_[lane];
  high_[lane] = x > high_[lane] ? x : high_[lane];
  sum_[lane] += observed ? x : 0.0;
}

void Scan::add(std::span<const double> values) {
  std::size_t k = 0;
  for (; k < values.size() && (count_ + k) % kLanes != 0; ++k)
    look((count_ + k) % kLanes, values[k]);
  Scan local = *this;  // kept in registers
  for (; k + kLanes <= values.size(); k += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) local.look(lane, values[k + lane]);
  }
  *this = local;
  for (; k < values.size(); ++k) look((count_ + k) % kLanes, values[k]);
  count_ += values.size();
}

Index Scan::missing() const { return std::accumulate(missing_.begin(), missing_.end(), Index{0}); }
Index Scan::zeros() const { return std::accumulate(zeros_.begin(), zeros_.end(), Index{0}); }
double Scan::min() const { return *std::min_element(low_.begin(), low_.end()); }
double Scan::max() const { return *std::max_element(high_.begin(), high_.end()); }
double Scan::sum() const { return std::accumulate(sum_.begin(), sum_.end(), 0.0); }

}  // namespace gingham
