#include "rivals.hpp"

#include <cstdio>

namespace gingham::bench {

double scikit_seconds(const std::string& file, const std::string& expression, int threads) {
  const std::string read = file.ends_with(".npz") ? "scipy.sparse.load_npz" : "numpy.load";
  const std::string script =
      "import time, numpy, scipy.sparse, warnings; warnings.simplefilter('ignore'); X = " + read +
      "('" + file +
      "'); from sklearn.cluster import KMeans, SpectralCoclustering; best = 1e9\n"
      "for repeat in range(3):\n"
      "    begin = time.perf_counter(); " +
      expression +
      "; best = min(best, time.perf_counter() - begin)\n"
      "print(best)";
  const std::string command = "OMP_NUM_THREADS=" + std::to_string(threads) +
                              " OPENBLAS_NUM_THREADS=" + std::to_string(threads) +
                              " /usr/bin/python3 -c \"" + script + "\" 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  double seconds = -1.0;
  if (pipe == nullptr) return seconds;
  if (std::fscanf(pipe, "%lf", &seconds) != 1) seconds = -1.0;
  pclose(pipe);
  return seconds;
}

}  // namespace gingham::bench
