// The parts of the extension module, and what they hand to each other.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>

#include "gingham/engine/result.hpp"
#include "gingham/io/result_json.hpp"

namespace gingham::python {

namespace py = pybind11;

// Data of a run and how they were read; data from memory have the names of their arguments for
// files.
struct Data {
  Dataset dataset;
  ReadingRecord reading;
};

// A result never changes once it is made; arrays in Python are windows onto it.
struct StoredRun {
  Result result;
  ReadingRecord reading;
};
using RunPointer = std::shared_ptr<const StoredRun>;

void bind_data(py::module_& module);
void bind_registry(py::module_& module);
void bind_results(py::module_& module);
void bind_runs(py::module_& module);
void bind_batches(py::module_& module);
void bind_metrics(py::module_& module);

// Values of ours as arrays of NumPy that keep `owner` alive and cannot be written to.
template <class T>
py::array window(const T* values, std::vector<py::ssize_t> shape, const py::object& owner) {
  py::array array(py::dtype::of<T>(), std::move(shape), values, owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}
py::array copy_of(std::span<const Index> values);
py::object array_of(const NamedArray& array, const py::object& owner);
py::dict named_values(const std::vector<NamedValue>& values);
// Moves the blocks out of a list of them: what is left in the list is of no further use. A copy
// would take the memory of the data once more.
std::vector<Block> take_blocks(const py::list& list);
// A dense matrix: array of float64 in C order, borrowed.
Matrix matrix_of(const py::array& array);
// Components, items and values as three arrays.
py::dict membership_dict(const Membership& membership);
// Contents of options by name: a list of lines, or an array for a matrix.
MemoryContents contents_from(const py::dict& dict);
// The same block; its values stay where they are, and the dataset lives as long.
Block lent(const Block& block, const Dataset& dataset);

}  // namespace gingham::python
