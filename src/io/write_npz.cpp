// NPZ archives: one NPY file per array inside of a zip container made in memory by libzip.
#include <fmt/format.h>
#include <zip.h>

#include <map>

#include "gingham/io/write.hpp"

namespace gingham {
namespace {

using Members = std::map<std::string, std::string>;  // name -> content

[[noreturn]] void refuse_zip(zip_error_t* error) {
  throw Error(ErrorCode::output, "",
              fmt::format("cannot make the archive: {}", zip_error_strerror(error)));
}

std::string npy_bytes(std::span<const double> values) {
  MemorySink sink;
  write_npy(sink, values, {static_cast<Index>(values.size())});
  return sink.bytes();
}
std::string npy_bytes(std::span<const Index> values) {
  MemorySink sink;
  write_npy(sink, values, {static_cast<Index>(values.size())});
  return sink.bytes();
}

void write_archive(ByteSink& sink, const Members& members) {
  zip_error_t error;
  zip_error_init(&error);
  struct FreeSource {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
  };
  const std::unique_ptr<zip_source_t, FreeSource> buffer(
      zip_source_buffer_create(nullptr, 0, 0, &error));
  if (buffer == nullptr) refuse_zip(&error);
  zip_source_keep(buffer.get());
  zip_t* archive = zip_open_from_source(buffer.get(), ZIP_TRUNCATE, &error);
  if (archive == nullptr) {
    zip_source_free(buffer.get());
    refuse_zip(&error);
  }
  struct Discard {
    void operator()(zip_t* open) const { zip_discard(open); }
  };
  std::unique_ptr<zip_t, Discard> guard(archive);
  for (const auto& [name, bytes] : members) {
    zip_source_t* content = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    const zip_int64_t place =
        content == nullptr ? -1 : zip_file_add(archive, (name + ".npy").c_str(), content, 0);
    if (place < 0) {
      zip_source_free(content);
      refuse_zip(zip_get_error(archive));
    }
    // The first day a zip file can name: the same data give the same bytes.
    zip_file_set_dostime(archive, static_cast<zip_uint64_t>(place), 0, (1 << 5) | 1, 0);
  }
  if (zip_close(archive) != 0) refuse_zip(zip_get_error(archive));
  guard.release();  // NOLINT: closed just now
  if (zip_source_open(buffer.get()) != 0) refuse_zip(zip_source_error(buffer.get()));
  std::string piece(1 << 18, '\0');
  for (;;) {
    const zip_int64_t got = zip_source_read(buffer.get(), piece.data(), piece.size());
    if (got < 0) refuse_zip(zip_source_error(buffer.get()));
    if (got == 0) break;
    sink.write({piece.data(), static_cast<std::size_t>(got)});
  }
  zip_source_close(buffer.get());
}

}  // namespace

void write_npz_sparse(ByteSink& sink, const SparseMatrix& matrix) {
  std::vector<Index> columns(matrix.columns().begin(), matrix.columns().end());
  const std::vector<Index> shape{matrix.rows(), matrix.cols()};
  // A single value of three bytes, as NumPy stores the name of the format.
  std::string format("\x93NUMPY\x01\x00\x76\x00", 10);
  format += "{'descr': '|S3', 'fortran_order': False, 'shape': (), }";
  format.append(127 - format.size(), ' ');
  format += "\ncsr";
  write_archive(sink, {{"data", npy_bytes(matrix.values())},
                       {"format", format},
                       {"indices", npy_bytes(std::span<const Index>(columns))},
                       {"indptr", npy_bytes(matrix.pointers())},
                       {"shape", npy_bytes(std::span<const Index>(shape))}});
}

void write_npz(ByteSink& sink, const Block& block) {
  if (const SparseMatrix* sparse = block.sparse_matrix()) return write_npz_sparse(sink, *sparse);
  MemorySink array;
  if (const Matrix* matrix = block.dense_matrix()) {
    write_npy(array, *matrix);
  } else if (const Tensor* tensor = block.dense_tensor()) {
    write_npy(array, *tensor);
  } else {
    throw Error(ErrorCode::usage, block.name(),
                "a sparse tensor cannot be written as .npz; use .tns");
  }
  write_archive(sink, {{"arr_0", array.bytes()}});
}

}  // namespace gingham
