// NPZ archives: one NPY file per array inside of a zip container, written straight from the arrays.
#include "gingham/io/npy.hpp"
#include "gingham/io/write.hpp"
#include "gingham/io/zip_writer.hpp"

namespace gingham {
namespace {

template <class T>
void add_array(ZipWriter& zip, const std::string& name, std::span<const T> values,
               const Shape& shape, const char* type) {
  const std::string start = npy_start(shape, type);
  zip.add(name + ".npy", {start, bytes_of(values)});
}

template <class T>
void add_list(ZipWriter& zip, const std::string& name, std::span<const T> values,
              const char* type) {
  add_array(zip, name, values, {std::ssize(values)}, type);
}

}  // namespace

void write_npz_sparse(ByteSink& sink, const SparseMatrix& matrix) {
  ZipWriter zip(sink);
  const std::vector<Index> shape{matrix.rows(), matrix.cols()};
  add_list(zip, "data", matrix.values(), "<f8");
  // A single value of three bytes, as NumPy stores the name of the format.
  zip.add("format.npy", {npy_start({}, "|S3"), "csr"});
  add_list(zip, "indices", matrix.columns(), "<i4");
  add_list(zip, "indptr", matrix.pointers(), "<i8");
  add_list(zip, "shape", std::span<const Index>(shape), "<i8");
  zip.finish();
}

void write_npz(ByteSink& sink, const Block& block) {
  if (const SparseMatrix* sparse = block.sparse_matrix()) return write_npz_sparse(sink, *sparse);
  if (block.is_sparse()) {
    throw Error(ErrorCode::usage, block.name(),
                "a sparse tensor cannot be written as .npz; use .tns");
  }
  const Matrix* matrix = block.dense_matrix();
  ZipWriter zip(sink);
  add_array(zip, "arr_0", matrix != nullptr ? matrix->values() : block.dense_tensor()->values(),
            block.shape(), "<f8");
  zip.finish();
}

}  // namespace gingham
