#include "gingham/data/slices.hpp"

#include <fmt/format.h>

namespace gingham {
namespace {

struct Cut {
  Index mode, rows, columns;  // the modes
};

Matrix dense_slice(const Tensor& tensor, const Cut& cut, Index item) {
  const Shape& shape = tensor.shape();
  const Index strides[] = {shape[1] * shape[2], shape[2], 1};
  Matrix matrix(shape[cut.rows], shape[cut.columns]);
  for (Index i = 0; i < matrix.rows(); ++i) {
    const double* from = tensor.data() + item * strides[cut.mode] + i * strides[cut.rows];
    for (double& value : matrix.row(i)) {
      value = *from;
      from += strides[cut.columns];
    }
  }
  return matrix;
}

// Entries lie in lexicographic order, and so do those of one item.
std::vector<SparseMatrix> sparse_slices(const SparseTensor& tensor, const Cut& cut) {
  const Index n_slices = tensor.shape()[cut.mode], n_rows = tensor.shape()[cut.rows];
  const std::span<const std::int32_t> item = tensor.coordinates(cut.mode);
  std::vector<Index> sizes(static_cast<std::size_t>(n_slices));
  for (const std::int32_t i : item) ++sizes[i];
  struct Part {
    Array<Index> pointers;
    Array<std::int32_t> columns;
    Array<double> values;
    Index filled = 0;
  };
  std::vector<Part> parts;
  for (const Index size : sizes)
    parts.push_back({Array<Index>(n_rows + 1), Array<std::int32_t>(size), Array<double>(size)});
  for (Index k = 0; k < tensor.entries(); ++k) {
    Part& part = parts[item[k]];
    ++part.pointers.data()[tensor.coordinates(cut.rows)[k] + 1];
    part.columns.data()[part.filled] = tensor.coordinates(cut.columns)[k];
    part.values.data()[part.filled++] = tensor.values()[k];
  }
  std::vector<SparseMatrix> matrices;
  for (Part& part : parts) {
    for (Index i = 0; i < n_rows; ++i) part.pointers.data()[i + 1] += part.pointers.data()[i];
    matrices.emplace_back(n_rows, tensor.shape()[cut.columns], std::move(part.pointers),
                          std::move(part.columns), std::move(part.values));
  }
  return matrices;
}

}  // namespace

std::vector<Block> slices(const Block& block, Index mode) {
  if (block.modes() != 3) {
    throw Error(ErrorCode::input, block.name(),
                fmt::format("has {} modes ({}); only a tensor of three can be cut into matrices",
                            block.modes(), shape_text(block.shape())));
  }
  if (mode < 0 || mode > 2) {
    throw Error(ErrorCode::usage, block.name(),
                fmt::format("there is no mode {} to cut along; there are 0, 1 and 2", mode));
  }
  const Cut cut{mode, mode == 0 ? 1 : 0, mode == 2 ? 1 : 2};
  const Index n_slices = block.shape()[mode];
  std::vector<SparseMatrix> sparse;
  if (block.is_sparse()) sparse = sparse_slices(*block.sparse_tensor(), cut);
  std::vector<Block> blocks;
  blocks.reserve(static_cast<std::size_t>(n_slices));
  for (Index i = 0; i < n_slices; ++i) {
    Block::Values values = block.is_sparse()
                               ? Block::Values(std::move(sparse[i]))
                               : Block::Values(dense_slice(*block.dense_tensor(), cut, i));
    blocks.emplace_back(fmt::format("{}[mode_{} = {}]", block.name(), mode, i), std::move(values),
                        std::vector<Labels>{block.labels(cut.rows), block.labels(cut.columns)},
                        block.unlisted());
  }
  return blocks;
}

Block as_slice(const Block& block, Index mode) {
  if (mode < 0 || mode > block.modes()) {
    throw Error(ErrorCode::usage, block.name(), fmt::format("cannot be a slice of mode {}", mode));
  }
  Shape shape = block.shape();
  shape.insert(shape.begin() + mode, 1);
  std::vector<Labels> labels;
  for (Index m = 0; m < block.modes(); ++m) labels.push_back(block.labels(m));
  labels.insert(labels.begin() + mode, Labels{});
  if (!block.is_sparse()) {
    Tensor tensor(shape);
    double* to = tensor.data();
    for_each_entry(block, [&](std::span<const Index>, double x) { *to++ = x; });
    return Block(block.name(), std::move(tensor), std::move(labels));
  }
  const Index entries = block.summary().listed;
  std::vector<Array<std::int32_t>> coordinates;
  std::vector<std::int32_t*> to;
  for (std::size_t m = 0; m < shape.size(); ++m) {
    coordinates.emplace_back(entries);  // zeros, as it should be for the new mode
    to.push_back(coordinates.back().data());
  }
  Array<double> values(entries);
  double* value = values.data();
  Index at = 0;
  for_each_entry(block, [&](std::span<const Index> index, double x) {
    for (std::size_t m = 0; m < index.size(); ++m) {
      to[m + (static_cast<Index>(m) < mode ? 0 : 1)][at] = static_cast<std::int32_t>(index[m]);
    }
    value[at++] = x;
  });
  return Block(block.name(),
               SparseTensor::from_coordinates(shape, std::move(coordinates), std::move(values),
                                              Duplicates::error),
               std::move(labels), block.unlisted());
}

}  // namespace gingham
