#include "gingham/methods/kernel_views/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "gingham/kernels/products.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/row_gram.hpp"

namespace gingham::methods::kernel_views {
namespace {

constexpr int kDigitBits = 11;
constexpr int kDigits = 6;  // 6 * 11 >= 64

int unit_exponent(const PreparedMatrix& view) {
  const double largest = std::sqrt(max_abs(view.row_squares()));
  if (!std::isfinite(largest)) {
    throw Error(ErrorCode::input, view.block().name(),
                "squares of the values overflow; use --scale standardize, unit or rows");
  }
  return largest > 0.0 ? std::ilogb(largest) : 0;
}

Index count_zeros(const Matrix& x, Executor& executor) {
  const Partition blocks = below_diagonal(x.rows());
  return static_cast<Index>(sum_blocks(executor, blocks.count(), [&](Index block) {
    double zeros = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      for (Index j = 0; j < i; ++j) zeros += x(i, j) == 0.0 ? 1.0 : 0.0;
    }
    return zeros;
  }));
}

// The middle one of the distances, the lower of two; of the positive ones where it is 0, and 0
// where there are none.
double median_distance(const Matrix& squared, Executor& executor) {
  const Index n = squared.rows(), pairs = n * (n - 1) / 2;
  if (pairs == 0) return 0.0;
  const double median = select_below_diagonal(squared, (pairs - 1) / 2, executor);
  if (median > 0.0) return std::sqrt(median);
  const Index zeros = count_zeros(squared, executor);
  if (zeros == pairs) return 0.0;
  return std::sqrt(select_below_diagonal(squared, zeros + (pairs - zeros - 1) / 2, executor));
}

}  // namespace

std::vector<OptionRecord> kernel_options() {
  return {views::scale_option("center"),
          {.name = "kernel",
           .type = OptionType::choice,
           .initial = "gaussian",
           .words = {"gaussian", "linear"},
           .help = "How alike two rows of a view are: gaussian exp(-distance^2 / (2 width^2)) or "
                   "linear, their inner product (with --scale unit or standardize where the views' "
                   "units differ)."},
          {.name = "width",
           .type = OptionType::penalties,
           .initial = "auto",
           .min = 0,
           .words = {"auto"},
           .help = "Width of the gaussian kernel, one for all views or one for each: a number, a "
                   "share of the median distance between two rows, or auto, which is 100%."}};
}

KernelKind kernel_of(const Options& options) {
  return options.text("kernel") == "linear" ? KernelKind::linear : KernelKind::gaussian;
}

void check_widths(const Dataset& data, const Options& options) {
  const std::vector<PenaltyValue>& widths = options.penalties("width");
  if (std::ssize(widths) != 1 && std::ssize(widths) != data.size()) {
    throw Error(ErrorCode::usage, "--width",
                fmt::format("{} widths for {} views; give one for all, or one for each",
                            widths.size(), data.size()));
  }
  for (const PenaltyValue& width : widths) {
    if (width.kind != PenaltyValue::Kind::word && !(width.number > 0.0))
      throw Error(ErrorCode::usage, "--width", "is 0; expected a width above 0, or auto");
  }
}

const PenaltyValue& width_of(const Options& options, Index view) {
  const std::vector<PenaltyValue>& widths = options.penalties("width");
  return widths[widths.size() == 1 ? 0 : static_cast<std::size_t>(view)];
}

// Non-negative numbers are ordered as their bits: one digit after the other, from the highest.
double select_below_diagonal(const Matrix& x, Index rank, Executor& executor) {
  const Index n = x.rows();
  const Partition blocks = below_diagonal(n);
  std::uint64_t prefix = 0;
  for (int digit = kDigits - 1; digit >= 0; --digit) {
    const int shift = digit * kDigitBits;
    std::vector<double> counts(std::size_t{1} << kDigitBits, 0.0);
    sum_blocks(executor, blocks.count(), Vec(counts), [&](Index block, Vec partial) {
      constexpr std::uint64_t kMask = (std::uint64_t{1} << kDigitBits) - 1;
      for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
        const double* row = x.row(i).data();
        for (Index j = 0; j < i; ++j) {
          const std::uint64_t high = std::bit_cast<std::uint64_t>(row[j]) >> shift;
          if (digit == kDigits - 1 || high >> kDigitBits == prefix) partial[high & kMask] += 1.0;
        }
      }
    });
    std::size_t bucket = 0;
    while (rank >= static_cast<Index>(counts[bucket])) rank -= static_cast<Index>(counts[bucket++]);
    prefix = prefix << kDigitBits | bucket;
  }
  return std::bit_cast<double>(prefix);
}

Kernel make_kernel(const PreparedMatrix& view, KernelKind kind, const PenaltyValue& width,
                   FunctionRef<void()> pause) {
  Executor& executor = view.executor();
  const int exponent = unit_exponent(view);
  Kernel kernel{.values = gram_of_rows(view, exponent, pause), .exponent = exponent};
  if (kind == KernelKind::linear) return kernel;
  Matrix& values = kernel.values;
  to_row_distances(view, exponent, values);
  pause();
  kernel.exponent = 0;
  kernel.width = width.number;
  if (width.kind != PenaltyValue::Kind::number) {
    const double median = median_distance(values, executor);
    const double share = width.kind == PenaltyValue::Kind::word ? 1.0 : width.resolve(1.0);
    kernel.width = share * (median > 0.0 ? std::ldexp(median, exponent) : 1.0);
  }
  const double in_units = std::ldexp(kernel.width, -exponent);
  const Partition blocks = Partition::even(values.rows(), 8 * values.cols());
  executor.map(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      for (double& value : values.row(i))
        value = value == 0.0 ? 1.0 : std::exp(-0.5 * (value / in_units) / in_units);
    }
  });
  return kernel;
}

double kernel_bytes(const Block& view) {
  const auto n = static_cast<double>(view.shape()[0]), d = static_cast<double>(view.shape()[1]);
  // What scaling keeps and takes on the way, and a sparse view's other orientation.
  return 8.0 * (8.0 * n + 20.0 * d) + transposed_bytes(view) + row_gram_bytes(view);
}

}  // namespace gingham::methods::kernel_views
