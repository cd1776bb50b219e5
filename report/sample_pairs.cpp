#include "report/sample_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gingham/data/copy_rows.hpp"
#include "report/pack.hpp"

namespace gingham::report {
namespace {

constexpr Index kMaxPairs = 8;
constexpr Index kMaxLength = 10'000;

// a + b copy is closest to the sample: b = cov / var, a = mean(sample) - b mean(copy).
void fit_to(const std::vector<double>& sample, std::vector<double>& copy) {
  const auto n = static_cast<double>(sample.size());
  double sample_mean = 0.0, copy_mean = 0.0, both = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    sample_mean += sample[i] / n;
    copy_mean += copy[i] / n;
  }
  for (std::size_t i = 0; i < sample.size(); ++i) {
    both += (sample[i] - sample_mean) * (copy[i] - copy_mean);
    squares += (copy[i] - copy_mean) * (copy[i] - copy_mean);
  }
  const double slope = squares > 0.0 ? both / squares : 0.0;
  for (double& value : copy) value = sample_mean + slope * (value - copy_mean);
}

}  // namespace

ImageShape image_shape(Index length) {
  const auto side = static_cast<Index>(std::llround(std::sqrt(static_cast<double>(length))));
  return side >= 3 && side * side == length ? ImageShape{side, side} : ImageShape{1, length};
}

Json sample_pairs_json(const Block& block, const SparseMatrix& codes, const Matrix& atoms) {
  const Index length = atoms.rows(), n = codes.rows();
  if (!block.is_matrix() || codes.cols() != atoms.cols() || length > kMaxLength) return nullptr;
  const bool by_rows = block.shape()[0] == n && block.shape()[1] == length;
  if (!by_rows &&
      (block.shape()[1] != n || block.shape()[0] != length || block.row_source() != nullptr))
    return nullptr;
  std::vector<float> originals, copies;
  Json names = Json::array();
  std::vector<double> sample(static_cast<std::size_t>(length)), copy(sample.size());
  Index next = 0;
  for (Index i = 0; i < n && std::ssize(names) < kMaxPairs; ++i) {
    if (i < next || codes.pointers()[i] == codes.pointers()[i + 1]) continue;
    if (by_rows) {
      copy_rows(block, i, 1, std::span<double>(sample));
    } else {
      copy_columns(block, i, 1, std::span<double>(sample));
    }
    std::fill(copy.begin(), copy.end(), 0.0);
    for (Index k = codes.pointers()[i]; k < codes.pointers()[i + 1]; ++k) {
      for (Index d = 0; d < length; ++d)
        copy[d] += codes.values()[k] * atoms(d, codes.columns()[k]);
    }
    fit_to(sample, copy);
    originals.insert(originals.end(), sample.begin(), sample.end());
    copies.insert(copies.end(), copy.begin(), copy.end());
    names.push_back(
        fmt::format("sample {}, {} atoms", i, codes.pointers()[i + 1] - codes.pointers()[i]));
    next = i + std::max<Index>(n / kMaxPairs, 1);
  }
  if (names.empty()) return nullptr;
  const ImageShape shape = image_shape(length);
  return {{"kind", "pairs"},
          {"title", "Samples and their copies"},
          {"text",
           "A few samples as they are, what their atoms make of them (shifted and scaled to fit "
           "best), and the difference."},
          {"height", shape.height},
          {"width", shape.width},
          {"names", names},
          {"originals", packed(originals)},
          {"copies", packed(copies)}};
}

}  // namespace gingham::report
