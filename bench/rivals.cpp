#include "rivals.hpp"

#include <cstdio>

namespace gingham::bench {
namespace {

// The numbers that a command prints; empty when it is not there.
std::vector<double> numbers_of(const std::string& command) {
  std::vector<double> numbers;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return numbers;
  for (double number = 0.0; std::fscanf(pipe, "%lf", &number) == 1;) numbers.push_back(number);
  pclose(pipe);
  return numbers;
}

std::string on_threads(int threads) {
  return "OMP_NUM_THREADS=" + std::to_string(threads) +
         " OPENBLAS_NUM_THREADS=" + std::to_string(threads) + " ";
}

std::string reading(const std::string& file) {
  return (file.ends_with(".npz") ? "scipy.sparse.load_npz('" : "numpy.load('") + file + "')";
}

}  // namespace

double scikit_seconds(const std::string& file, const std::string& expression, int threads) {
  const std::string script =
      "import time, numpy, scipy.sparse, warnings; warnings.simplefilter('ignore'); X = " +
      reading(file) +
      "; from sklearn.cluster import KMeans, SpectralCoclustering; best = 1e9\n"
      "for repeat in range(3):\n"
      "    begin = time.perf_counter(); " +
      expression +
      "; best = min(best, time.perf_counter() - begin)\n"
      "print(best)";
  const std::vector<double> printed =
      numbers_of(on_threads(threads) + "/usr/bin/python3 -c \"" + script + "\" 2>/dev/null");
  return printed.empty() ? -1.0 : printed[0];
}

std::vector<NmfRival> nmf_rivals(const std::string& file, long rank, int iterations,
                                 const std::string& precision, int threads) {
  std::vector<NmfRival> rivals;
  const auto add = [&](const char* name, const std::vector<double>& printed) {
    if (printed.size() == 3) rivals.push_back({name, printed[0], printed[1], printed[2]});
  };
  const std::string k = std::to_string(rank), n = std::to_string(iterations);
  const std::string scikit =
      "import time, numpy, scipy.sparse, scipy.sparse.linalg, warnings\n"
      "warnings.simplefilter('ignore'); from sklearn.decomposition import NMF; X = " +
      reading(file) + ".astype('" + (precision == "float" ? "float32" : "float64") +
      "')\n"
      "norm = scipy.sparse.linalg.norm(X) if scipy.sparse.issparse(X) else numpy.linalg.norm(X)\n"
      "def fit(n):\n"
      "    begin = time.perf_counter(); m = NMF(" +
      k +
      ", init='random', tol=0, max_iter=n, random_state=0).fit(X)\n"
      "    return time.perf_counter() - begin, m.reconstruction_err_ / norm\n"
      "few, many = min(fit(5) for r in range(3)), min(fit(" +
      n + ") for r in range(3))\nprint((many[0] - few[0]) / (" + n + " - 5), many[0], many[1])";
  add("scikit-learn",
      numbers_of(on_threads(threads) + "/usr/bin/python3 -c \"" + scikit + "\" 2>/dev/null"));
  if (precision == "float") return rivals;
  const std::string matrix =
      file.ends_with(".npz")
          ? "as(readMM('" + file.substr(0, file.size() - 4) + ".mtx'), 'dgCMatrix')"
          : "{f <- file('" + file +
                "', 'rb'); h <- rawToChar(readBin(f, 'raw', 128)); s <- as.integer(regmatches(h, "
                "regexec('\\\\((\\\\d+), (\\\\d+)\\\\)', h))[[1]][2:3]); "
                "matrix(readBin(f, 'double', prod(s)), s[1], s[2], byrow = TRUE)}";
  const std::string rcpp =
      "suppressMessages({library(Matrix); library(RcppML)}); setRcppMLthreads(" +
      std::to_string(threads) + "); X <- " + matrix +
      "; fit <- function(n) {t <- proc.time()[3]; m <- nmf(X, " + k +
      ", tol = 1e-30, maxit = n, verbose = FALSE, seed = 1); list(proc.time()[3] - t, m)}; "
      "few <- fit(2); many <- fit(20); m <- many[[2]]; e <- if (is.list(m)) mse(X, m\\$w, m\\$d, "
      "m\\$h) else mse(X, m@w, m@d, m@h); "
      "cat((many[[1]] - few[[1]]) / 18, many[[1]], sqrt(e * length(X) / sum(X^2)))";
  add("RcppML", numbers_of(on_threads(threads) + "Rscript -e \"" + rcpp + "\" 2>/dev/null"));
  return rivals;
}

}  // namespace gingham::bench
