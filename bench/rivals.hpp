// Other people's programs, timed in the same run.
#pragma once
#include <string>
#include <vector>

namespace gingham::bench {

// Seconds that scikit-learn takes for `expression` on X, read from `file` (.npy, or .npz for a
// sparse matrix); the best of three; negative when it is not there.
double scikit_seconds(const std::string& file, const std::string& expression, int threads);

// A non-negative factorisation of another program from a random start, with its default settings
// and nothing that stops it early.
struct NmfRival {
  std::string name;
  double iteration = 0.0;  // seconds
  double seconds = 0.0;    // of all iterations
  double error = 0.0;      // |X - W H| / |X| after them
};
// Those that are installed: scikit-learn, and RcppML (double only). `file`: .npy, or .npz with the
// same matrix as .mtx beside it.
std::vector<NmfRival> nmf_rivals(const std::string& file, long rank, int iterations,
                                 const std::string& precision, int threads);

}  // namespace gingham::bench
