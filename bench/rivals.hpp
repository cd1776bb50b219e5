// Other people's programs, timed in the same run.
#pragma once
#include <string>

namespace gingham::bench {

// Seconds that scikit-learn takes for `expression` on X, read from `file` (.npy, or .npz for a
// sparse matrix); the best of three; negative when it is not there.
double scikit_seconds(const std::string& file, const std::string& expression, int threads);

}  // namespace gingham::bench
