// Blocks from arrays of NumPy and back. What has the right type and order is borrowed, not copied;
// the array lives as long as the block.
#include <pybind11/stl.h>

#include <optional>

#include "binding.hpp"
#include "gingham/base/parallel.hpp"
#include "gingham/base/text.hpp"
#include "gingham/data/slices.hpp"
#include "gingham/io/write.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/read_within.hpp"

namespace gingham::python {
namespace {

// Keeps an array of Python alive; let go of on any thread.
std::shared_ptr<const void> keeper_of(const py::object& object) {
  return {new py::object(object), [](const py::object* held) {
            const py::gil_scoped_acquire gil;
            delete held;
          }};
}

template <class T>
const T* checked_data(const py::array& array, const char* what) {
  if (!py::dtype::of<T>().is(array.dtype()) || (array.flags() & py::array::c_style) == 0)
    throw Error(ErrorCode::internal, what, "is not an array of the type and order expected here");
  return static_cast<const T*>(array.data());
}

template <class T>
Array<T> borrow(const py::array& array, const char* what) {
  return Array<T>::borrow(checked_data<T>(array, what), array.size(), keeper_of(array));
}

Shape shape_of(const py::array& array) { return {array.shape(), array.shape() + array.ndim()}; }

Unlisted unlisted_of(const std::string& word) {
  if (word == "zero") return Unlisted::zero;
  if (word == "missing") return Unlisted::missing;
  throw Error(ErrorCode::usage, "unlisted",
              "'" + printable(word, 40) + "' is neither zero nor missing");
}

Duplicates duplicates_of(const std::string& word) {
  if (word == "error") return Duplicates::error;
  if (word == "sum") return Duplicates::sum;
  throw Error(ErrorCode::usage, "duplicates",
              "'" + printable(word, 40) + "' is neither error nor sum");
}

Block dense_block(const std::string& name, const py::array& array, std::vector<Labels> labels) {
  Array<double> values = borrow<double>(array, "values");
  const Shape shape = shape_of(array);
  const py::gil_scoped_release free;
  if (shape.size() == 2)
    return {name, Matrix(shape[0], shape[1], std::move(values)), std::move(labels)};
  return {name, Tensor(shape, std::move(values)), std::move(labels)};
}

// Errors of the data themselves do not know what the argument is called.
template <class Make>
auto naming(const std::string& name, Make&& make) {
  try {
    return make();
  } catch (const Error& error) {
    if (!error.where().empty() || error.code() != ErrorCode::input) throw;
    throw Error(error.code(), name, error.message());
  }
}

Block sparse_block(const std::string& name, Index rows, Index columns, const py::array& pointers,
                   const py::array& indices, const py::array& values, std::vector<Labels> labels,
                   const std::string& unlisted) {
  Array<Index> row_pointers = borrow<Index>(pointers, "pointers");
  Array<std::int32_t> places = borrow<std::int32_t>(indices, "indices");
  Array<double> numbers = borrow<double>(values, "values");
  const Unlisted meaning = unlisted_of(unlisted);
  const py::gil_scoped_release free;
  return naming(name, [&] {
    return Block(
        name,
        SparseMatrix(rows, columns, std::move(row_pointers), std::move(places), std::move(numbers)),
        std::move(labels), meaning);
  });
}

// Two modes make a matrix, more a tensor.
Block coordinate_block(const std::string& name, const Shape& shape,
                       const std::vector<py::array>& coordinates, const py::array& values,
                       std::vector<Labels> labels, const std::string& unlisted,
                       const std::string& duplicates) {
  std::vector<Array<std::int32_t>> places;
  for (const py::array& mode : coordinates)
    places.push_back(borrow<std::int32_t>(mode, "coordinates"));
  Array<double> numbers = borrow<double>(values, "values");
  const Unlisted meaning = unlisted_of(unlisted);
  const Duplicates rule = duplicates_of(duplicates);
  const py::gil_scoped_release free;
  return naming(name, [&]() -> Block {
    if (places.size() == 2) {
      return {name,
              SparseMatrix::from_triplets(shape[0], shape[1], std::move(places[0]),
                                          std::move(places[1]), std::move(numbers), rule),
              std::move(labels), meaning};
    }
    return {name,
            SparseTensor::from_coordinates(shape, std::move(places), std::move(numbers), rule),
            std::move(labels), meaning};
  });
}

py::dict summary_dict(const Block& block) {
  const Summary& summary = block.summary();
  py::dict dict;
  dict["shape"] = py::tuple(py::cast(summary.shape));
  dict["nonzeros"] = summary.nonzeros;
  dict["missing"] = summary.missing;
  dict["min"] = summary.min;
  dict["max"] = summary.max;
  dict["sum"] = summary.sum;
  dict["bytes"] = summary.bytes;
  return dict;
}

// What Python makes an array of: ("dense", array), ("csr", pointers, indices, values, shape) or
// ("coordinates", [indices per mode], values, shape).
py::tuple parts(const py::object& self) {
  const auto& block = self.cast<const Block&>();
  const py::tuple shape(py::cast(block.shape()));
  if (const Matrix* matrix = block.dense_matrix())
    return py::make_tuple("dense", window(matrix->data(), {matrix->rows(), matrix->cols()}, self));
  if (const Tensor* tensor = block.dense_tensor())
    return py::make_tuple(
        "dense", window(tensor->data(), {tensor->shape().begin(), tensor->shape().end()}, self));
  if (const SparseMatrix* matrix = block.sparse_matrix()) {
    return py::make_tuple("csr", window(matrix->pointers().data(), {matrix->rows() + 1}, self),
                          window(matrix->columns().data(), {matrix->entries()}, self),
                          window(matrix->values().data(), {matrix->entries()}, self), shape);
  }
  if (const SparseTensor* tensor = block.sparse_tensor()) {
    py::list coordinates;
    for (Index mode = 0; mode < tensor->modes(); ++mode)
      coordinates.append(window(tensor->coordinates(mode).data(), {tensor->entries()}, self));
    return py::make_tuple("coordinates", coordinates,
                          window(tensor->values().data(), {tensor->entries()}, self), shape);
  }
  throw Error(ErrorCode::usage, block.name(),
              "its rows are read when they are needed; they are not in memory");
}

}  // namespace

std::vector<Block> take_blocks(const py::list& list) {
  std::vector<Block> blocks;
  blocks.reserve(list.size());
  for (const py::handle one : list) blocks.push_back(std::move(one.cast<Block&>()));
  return blocks;
}

namespace {

Data data_of(const py::list& list) {
  std::vector<Block> blocks = take_blocks(list);
  Dataset dataset(std::move(blocks));
  return {dataset, record_of(files_of(dataset))};
}

}  // namespace

Block lent(const Block& block, const Dataset& dataset) {
  const auto keeper = std::make_shared<const Dataset>(dataset);
  const auto lend = [&]<class T>(std::span<const T> values) {
    return Array<T>::borrow(values.data(), std::ssize(values), keeper);
  };
  std::vector<Labels> labels;
  for (Index mode = 0; mode < block.modes(); ++mode) labels.push_back(block.labels(mode));
  const auto made = [&](Block::Values values) {
    return Block(block.name(), std::move(values), std::move(labels), block.unlisted());
  };
  if (const Matrix* m = block.dense_matrix())
    return made(Matrix(m->rows(), m->cols(), lend(m->values())));
  if (const Tensor* t = block.dense_tensor()) return made(Tensor(t->shape(), lend(t->values())));
  if (const SparseMatrix* m = block.sparse_matrix())
    return made(SparseMatrix(m->rows(), m->cols(), lend(m->pointers()), lend(m->columns()),
                             lend(m->values())));
  return block;  // entries of a sparse tensor are shared by its copies
}

namespace {

Data read(std::vector<std::string> files, const std::string& unlisted, Index index_base,
          const std::string& duplicates, const std::string& labels, Shape shape,
          std::vector<std::string> names, std::optional<Index> series_mode,
          double memory_limit_bytes, int threads) {
  const ReadingRecord reading{.unlisted = unlisted,
                              .duplicates = duplicates,
                              .labels = labels,
                              .index_base = index_base,
                              .shape = std::move(shape),
                              .files = std::move(files),
                              .series_mode = series_mode,
                              .names = std::move(names)};
  unlisted_of(unlisted);
  duplicates_of(duplicates);
  const py::gil_scoped_release free;
  ThreadPool pool(threads);
  return {read_within(files_of(reading), memory_limit(memory_limit_bytes), Rows::in_memory, &pool),
          reading};
}

}  // namespace

py::array copy_of(std::span<const Index> values) {
  return py::array_t<Index>(static_cast<py::ssize_t>(values.size()), values.data());
}

Matrix matrix_of(const py::array& array) {
  if (array.ndim() != 2) throw Error(ErrorCode::internal, "matrix", "is not an array of two modes");
  return {array.shape(0), array.shape(1), borrow<double>(array, "matrix")};
}

void bind_data(py::module_& module) {
  py::class_<Block>(module, "Block")
      .def_property_readonly("name", &Block::name)
      .def_property_readonly("shape",
                             [](const Block& block) { return py::tuple(py::cast(block.shape())); })
      .def_property_readonly("is_sparse", &Block::is_sparse)
      .def_property_readonly("unlisted",
                             [](const Block& block) {
                               return block.unlisted() == Unlisted::zero ? "zero" : "missing";
                             })
      .def_property_readonly("labels",
                             [](const Block& block) {
                               py::list all;
                               for (Index mode = 0; mode < block.modes(); ++mode)
                                 all.append(py::cast(block.labels(mode)));
                               return all;
                             })
      .def_property_readonly("summary", &summary_dict)
      .def_property_readonly("digest",
                             [](const Block& block) {
                               const py::gil_scoped_release free;
                               return block.digest();
                             })
      .def("parts", [](const py::object& self) { return parts(self); })
      .def("slices", [](const Block& block, Index mode) {
        const py::gil_scoped_release free;
        return slices(block, mode);
      });
  py::class_<Data>(module, "Data")
      .def(py::init(&data_of), py::arg("blocks"))
      .def("__len__", [](const Data& data) { return data.dataset.size(); })
      .def(
          "block", [](const Data& data, Index i) -> const Block& { return data.dataset.block(i); },
          py::return_value_policy::reference_internal)
      .def("lend",  // all blocks, in a list that can be taken from
           [](const Data& data) {
             const py::gil_scoped_release free;
             std::vector<Block> blocks;
             for (const Block& block : data.dataset.blocks())
               blocks.push_back(lent(block, data.dataset));
             return blocks;
           })
      .def("digests", [](const Data& data) {
        const py::gil_scoped_release free;
        std::vector<std::string> all;
        for (const Block& block : data.dataset.blocks()) all.push_back(block.digest());
        return all;
      });
  module.def("dense_block", &dense_block);
  module.def("sparse_block", &sparse_block);
  module.def("coordinate_block", &coordinate_block);
  module.def("read", &read);
  module.def("write", [](const Block& block, const std::string& path) {
    const py::gil_scoped_release free;
    write_block(block, path);
  });
}

}  // namespace gingham::python
