// What the machine can do at best: simple loops and square matrix products, run in turn with what
// is compared with them, so that a busy or throttled machine slows both.
#pragma once
#include <functional>

namespace gingham::bench {

struct Limit {
  const char* name;
  const char* unit;  // of amount / seconds, in 10^9
  double amount;     // bytes or flops of one run
  std::function<void()> run;
};

Limit read_limit(int threads);   // plain vectorised sum over a large array
Limit triad_limit(int threads);  // a = b + 3 c, three streams counted
Limit dgemm_limit(int threads);  // one square product per thread
Limit sgemm_limit(int threads);

}  // namespace gingham::bench
