//   X = sum_k level_k a_k^(1) o ... o a_k^(N) + noise
//
// a_k^(n) is 1 on the items of block k in mode n and 0 elsewhere; with --signed every other item of
// a block is -1 in all modes but the last. Blocks that overlap add. Those of the paper lie at
// (20-24, 20-24, 1-3), (40-44, 70-74, 2-5) and (37-41, 73-77, 4-8), counted from 1, with levels
// 4, 2 and 4. Blocks placed at random have `block` items per mode: a share `overlap` of them, in
// every mode, is taken from the block before, the rest from items that no block has, and once a
// mode has none of these left (a short one such as time), from any.
//
//   sparse     a cell is hit with probability share, and then + level * N(0, 1)
//   dense      + level * N(0, 1) everywhere
//   poisson    Poisson(mean + share * level) in place of the mean
//   outliers   as sparse, and then some cells set to a large value
//
// What is planted is drawn first, then the noise, then which cells are missing: neither the noise
// nor the share of missing cells changes what is planted.
#include "gingham/methods/tensor/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gingham/base/text.hpp"

namespace gingham::methods::tensor {
namespace {

constexpr Index kFewestModes = 2, kMostModes = 5;
constexpr double kLargestCount = 1e4;  // a count takes time in proportion to its mean

const Shape kPaperShape{80, 80, 8};

struct Planted {
  double level = 0.0;
  std::vector<std::vector<Index>> items;  // per mode
};

std::vector<Index> range(Index first, Index last) {
  std::vector<Index> items;
  for (Index i = first; i <= last; ++i) items.push_back(i);
  return items;
}

std::vector<Planted> paper_blocks() {
  return {{4.0, {range(19, 23), range(19, 23), range(0, 2)}},
          {2.0, {range(39, 43), range(69, 73), range(1, 4)}},
          {4.0, {range(36, 40), range(72, 76), range(3, 7)}}};
}

// "80,80,8"
Shape read_sizes(const Options& options, const std::string& name) {
  Shape sizes;
  const std::string& text = options.text(name);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto size = parse_integer(std::string_view(text).substr(begin, end - begin));
    if (!size || *size < 1) {
      throw Error(ErrorCode::usage, "--" + name,
                  fmt::format("expected sizes of at least 1 with commas between, found '{}'",
                              printable(text, 60)));
    }
    sizes.push_back(*size);
    begin = end + 1;
  }
  return sizes;
}

Shape read_shape(const Options& options) {
  Shape shape = read_sizes(options, "size");
  if (std::ssize(shape) < kFewestModes || std::ssize(shape) > kMostModes) {
    throw Error(
        ErrorCode::usage, "--size",
        fmt::format("expected {} to {} sizes, found {}", kFewestModes, kMostModes, shape.size()));
  }
  return shape;
}

// One size for all modes, or one per mode; a block is nowhere larger than the array.
Shape read_block(const Options& options, const Shape& shape) {
  Shape block = read_sizes(options, "block");
  if (block.size() == 1) block.resize(shape.size(), block[0]);
  if (block.size() != shape.size()) {
    throw Error(ErrorCode::usage, "--block",
                fmt::format("expected one size, or one for each of the {} modes, found {}",
                            shape.size(), block.size()));
  }
  for (std::size_t n = 0; n < shape.size(); ++n) block[n] = std::min(block[n], shape[n]);
  return block;
}

// The items of one mode for all blocks.
std::vector<std::vector<Index>> draw_items(Index n_items, Index size, Index n_shared,
                                           Index n_blocks, Rng& rng) {
  const std::vector<Index> order = rng.permutation(n_items);
  auto unused = order.begin();
  std::vector<std::vector<Index>> blocks;
  for (Index k = 0; k < n_blocks; ++k) {
    std::vector<Index> items;
    if (k > 0) {
      for (const Index at : rng.sample(size, n_shared)) items.push_back(blocks.back()[at]);
    }
    while (std::ssize(items) < size) {
      const Index item = unused != order.end() ? *unused++ : rng.below(n_items);
      if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
    }
    std::sort(items.begin(), items.end());
    blocks.push_back(std::move(items));
  }
  return blocks;
}

std::vector<Planted> random_blocks(const Options& options, const Shape& shape, Rng& rng) {
  const Shape block = read_block(options, shape);
  const Index k = options.integer("clusters");
  const double overlap = options.real("overlap");
  bool fits = overlap > 0.0 || k < 2;
  std::vector<Planted> blocks(static_cast<std::size_t>(k));
  for (Planted& one : blocks) one.level = options.real("level");
  for (std::size_t n = 0; n < shape.size(); ++n) {
    fits = fits || k <= shape[n] / block[n];
    const auto shared = static_cast<Index>(std::llround(overlap * static_cast<double>(block[n])));
    const auto items = draw_items(shape[n], block[n], shared, k, rng);
    for (Index b = 0; b < k; ++b) blocks[b].items.push_back(items[b]);
  }
  if (!fits) {
    throw Error(ErrorCode::usage, "--clusters",
                "the blocks do not fit: without --overlap, clusters * block must be at most the "
                "size of the array in one mode at least");
  }
  return blocks;
}

std::vector<Planted> draw_blocks(const Options& options, const Shape& shape, Rng& rng) {
  const std::string& place = options.text("place");
  const bool is_paper = shape == kPaperShape && options.integer("clusters") == 3;
  if (place == "paper" && !is_paper) {
    throw Error(ErrorCode::usage, "--place",
                fmt::format("the paper has 3 blocks in an array of {}: use --place random",
                            shape_text(kPaperShape)));
  }
  return is_paper && place != "random" ? paper_blocks() : random_blocks(options, shape, rng);
}

double sign_of(const Options& options, const Shape& shape, Index mode, std::size_t item) {
  const bool may_fall = options.flag("signed") && mode + 1 < std::ssize(shape);
  return may_fall && item % 2 == 1 ? -1.0 : 1.0;
}

// a_k^(n) for all k: items x blocks.
Matrix factor(const Options& options, const Shape& shape, const std::vector<Planted>& blocks,
              Index mode) {
  Matrix result(shape[mode], std::ssize(blocks));
  for (Index k = 0; k < result.cols(); ++k) {
    const std::vector<Index>& items = blocks[k].items[mode];
    for (std::size_t at = 0; at < items.size(); ++at)
      result(items[at], k) = sign_of(options, shape, mode, at);
  }
  return result;
}

// x += value * the outer product of a block's indicators, one mode after the other.
void plant(Tensor& x, const std::vector<Matrix>& factors, const Planted& block, Index k,
           std::size_t mode, Index cell, double value) {
  if (mode == factors.size()) {
    x.data()[cell] += value;
    return;
  }
  for (const Index item : block.items[mode]) {
    plant(x, factors, block, k, mode + 1, cell * x.shape()[mode] + item,
          value * factors[mode](item, k));
  }
}

void add_noise(Tensor& x, const Options& options, Rng& rng) {
  const std::string& kind = options.text("noise");
  const double level = options.real("noise-level"), share = options.real("noise-share");
  if (kind == "none") return;
  for (double& value : x.values()) {
    if (kind == "poisson") {
      value = static_cast<double>(rng.poisson(value + share * level));
    } else if (kind == "dense" || rng.uniform() < share) {
      value += level * rng.normal();
    }
  }
  if (kind != "outliers") return;
  for (const Index cell : rng.sample(x.size(), options.integer("outliers")))
    x.data()[cell] = options.real("outlier-size");
}

// | sum over the last mode |
Tensor flattened(const Tensor& x) {
  const Index depth = x.shape().back();
  Tensor result(Shape(x.shape().begin(), x.shape().end() - 1));
  for (Index cell = 0; cell < result.size(); ++cell) {
    double sum = 0.0;
    for (Index t = 0; t < depth; ++t) sum += x.data()[cell * depth + t];
    result.data()[cell] = std::abs(sum);
  }
  return result;
}

void hide(Tensor& x, double probability, Rng& rng) {
  if (probability == 0.0) return;
  for (double& value : x.values()) {
    if (rng.uniform() < probability) value = std::numeric_limits<double>::quiet_NaN();
  }
}

// Every cell that is not zero, missing ones too.
SparseTensor sparse_from(const Tensor& x) {
  const auto listed = x.size() - std::count(x.values().begin(), x.values().end(), 0.0);
  std::vector<Array<std::int32_t>> coordinates(x.shape().size(), Array<std::int32_t>(listed));
  Array<double> values(listed);
  Index entry = 0;
  for (Index cell = 0; cell < x.size(); ++cell) {
    if (x.data()[cell] == 0.0) continue;
    values.data()[entry] = x.data()[cell];
    Index rest = cell;
    for (std::size_t n = x.shape().size(); n-- > 0; rest /= x.shape()[n])
      coordinates[n].data()[entry] = static_cast<std::int32_t>(rest % x.shape()[n]);
    ++entry;
  }
  return SparseTensor::from_coordinates(x.shape(), std::move(coordinates), std::move(values),
                                        Duplicates::error);
}

Block block_of(const Tensor& x, bool is_sparse) {
  if (x.modes() > 2) {
    return is_sparse ? Block("data", sparse_from(x)) : Block("data", x);
  }
  Matrix matrix(x.shape()[0], x.shape()[1]);
  std::copy(x.values().begin(), x.values().end(), matrix.data());
  return is_sparse ? Block("data", SparseMatrix::from_dense(matrix))
                   : Block("data", std::move(matrix));
}

void check(const Options& options, const Shape& shape) {
  const std::string& noise = options.text("noise");
  if (noise == "poisson" && options.flag("signed")) {
    throw Error(ErrorCode::usage, "--noise", "counts have no sign: poisson goes without --signed");
  }
  const double largest = options.real("level") * static_cast<double>(options.integer("clusters"));
  if (noise == "poisson" && largest + options.real("noise-level") > kLargestCount) {
    throw Error(ErrorCode::usage, "--noise",
                "level * clusters + noise-level, the largest mean count, must be at most 10000");
  }
  if (noise == "outliers" && options.integer("outliers") > cells(shape)) {
    throw Error(ErrorCode::usage, "--outliers", "there are more outliers than cells");
  }
  if (options.flag("flatten") && shape.size() < 3) {
    throw Error(ErrorCode::usage, "--flatten", "a sum over the last mode needs three modes");
  }
}

Simulation make(const Options& options, Rng rng) {
  const Shape shape = read_shape(options);
  check(options, shape);
  const std::vector<Planted> blocks = draw_blocks(options, shape, rng);
  std::vector<Matrix> factors;
  for (Index n = 0; n < std::ssize(shape); ++n)
    factors.push_back(factor(options, shape, blocks, n));
  Tensor x(shape);
  std::vector<double> levels;
  for (const Planted& block : blocks) {
    plant(x, factors, block, std::ssize(levels), 0, 0, block.level);
    levels.push_back(block.level);
  }
  add_noise(x, options, rng);
  if (options.flag("flatten")) x = flattened(x);
  hide(x, options.real("missing"), rng);
  Simulation simulation;
  for (Index n = 0; n < x.modes(); ++n) {
    const std::string name = n == 0 ? "rows" : "columns";
    simulation.memberships.push_back(membership_of(
        x.modes() > 2 ? "mode_" + std::to_string(n) : name, std::nullopt, factors[n]));
  }
  simulation.truth.push_back({"levels", std::move(levels)});
  simulation.blocks.push_back(block_of(x, options.flag("sparse")));
  return simulation;
}

OptionRecord flag_option(const char* name, const char* help) {
  return {.name = name, .type = OptionType::flag, .initial = "no", .help = help};
}

}  // namespace

Simulator simulator() {
  return {
      .name = "tensor",
      .title = "An array of two to five modes with planted blocks that may overlap",
      .options = {{.name = "size",
                   .type = OptionType::text,
                   .initial = "80,80,8",
                   .help = "Sizes of the array, two to five of them."},
                  integer_option("clusters", "3", 0, 1e4, "Planted blocks."),
                  {.name = "place",
                   .type = OptionType::choice,
                   .initial = "auto",
                   .words = {"auto", "paper", "random"},
                   .help = "Where blocks lie: as in the paper, at random, or as in the paper where "
                           "size and clusters are the paper's."},
                  {.name = "block",
                   .type = OptionType::text,
                   .initial = "5",
                   .help = "Items of a block placed at random: one size for all modes, or one per "
                           "mode."},
                  real_option("level", "4", 0, 1e100, "Value of blocks placed at random."),
                  real_option("overlap", "0", 0, 1,
                              "Share of its items, in every mode, that a block placed at random "
                              "has from the block before."),
                  flag_option("signed",
                              "Half of a block's items go down, in all modes but the "
                              "last."),
                  {.name = "noise",
                   .type = OptionType::choice,
                   .initial = "sparse",
                   .words = {"sparse", "dense", "poisson", "outliers", "none"},
                   .help = "Noise in a share of the cells, in all, as counts, in a share with "
                           "large outliers besides, or none."},
                  real_option("noise-level", "1", 0, 1e100, "Standard deviation of the noise."),
                  real_option("noise-share", "0.1", 0, 1,
                              "Probability that a cell has noise; of counts, their mean outside "
                              "the blocks over noise-level."),
                  integer_option("outliers", "20", 0, 1e9, "Cells that are outliers."),
                  real_option("outlier-size", "20", -1e100, 1e100, "Their value."),
                  real_option("missing", "0", 0, 0.99, "Probability that a cell is missing (NaN)."),
                  flag_option("sparse", "List only what is not zero."),
                  flag_option("flatten",
                              "The absolute value of the sum over the last mode, in "
                              "place of the array.")},
      .make = make};
}

}  // namespace gingham::methods::tensor
