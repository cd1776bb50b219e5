#include "gingham/io/write.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gingham/io/atomic.hpp"
#include "gingham/io/npy.hpp"
#include "gingham/io/text_writer.hpp"
#include "gingham/io/zip_writer.hpp"

namespace gingham {
namespace {

[[noreturn]] void refuse_pair(const Block& block, const char* ending, const char* hint) {
  throw Error(
      ErrorCode::usage, block.name(),
      fmt::format("a {}{} cannot be written as {}; {}", block.is_sparse() ? "sparse" : "dense",
                  block.is_matrix() ? " matrix" : " tensor", ending, hint));
}

template <class T>
void write_npy_values(ByteSink& sink, std::span<const T> values, const Shape& shape,
                      const char* type) {
  sink.write(npy_start(shape, type));
  sink.write(bytes_of(values));
}

void write_label_row(TextWriter& out, const Block& block, char delimiter) {
  const Labels& columns = block.labels(1);
  if (columns.empty()) return;
  // An empty corner above the labels of rows.
  if (!block.labels(0).empty()) out.character(delimiter);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (j > 0) out.character(delimiter);
    out.text(table_field(columns[j], delimiter));
  }
  out.character('\n');
}

void write_dense_array(TextWriter& out, const Matrix& matrix) {
  out.text(fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", matrix.rows(),
                       matrix.cols()));
  for (Index j = 0; j < matrix.cols(); ++j) {
    for (Index i = 0; i < matrix.rows(); ++i) {
      out.real(matrix(i, j), "nan");
      out.character('\n');
    }
  }
}

}  // namespace

std::string npy_start(const Shape& shape, const char* type) {
  std::string sizes;
  for (const Index size : shape) sizes += std::to_string(size) + ",";
  if (shape.size() > 1) sizes.pop_back();
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, sizes);
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kPrefix = 10;  // magic, version, length
  const std::size_t total =
      (kPrefix + header.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  header.append(total - kPrefix - header.size() - 1, ' ');
  header += '\n';
  std::string start("\x93NUMPY\x01\x00", 8);
  start += static_cast<char>(header.size() & 0xFF);
  start += static_cast<char>(header.size() >> 8);
  return start + header;
}

std::string table_field(std::string_view text, char delimiter) {
  const bool has_special =
      text.find_first_of(std::string("\"\r\n") + delimiter) != std::string_view::npos;
  // A mark at the start of a file would be taken for the file's own.
  const bool has_edge =
      text.empty() || text.front() == ' ' || text.back() == ' ' || text.starts_with("\xEF\xBB\xBF");
  if (!has_special && !has_edge) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

void write_table(ByteSink& sink, const Block& block, char delimiter) {
  if (!block.is_matrix()) refuse_pair(block, "a table", "use .npy or .tns");
  TextWriter out(sink);
  write_label_row(out, block, delimiter);
  const Matrix* dense = block.dense_matrix();
  const SparseMatrix* sparse = block.sparse_matrix();
  const double unlisted = block.unlisted() == Unlisted::missing ? std::nan("") : 0.0;
  for (Index i = 0; i < block.shape()[0]; ++i) {
    if (!block.labels(0).empty()) {
      out.text(table_field(block.labels(0)[i], delimiter));
      out.character(delimiter);
    }
    Index k = sparse != nullptr ? sparse->pointers()[i] : 0;
    for (Index j = 0; j < block.shape()[1]; ++j) {
      if (j > 0) out.character(delimiter);
      double value = unlisted;
      if (dense != nullptr) {
        value = (*dense)(i, j);
      } else if (k < sparse->pointers()[i + 1] && sparse->columns()[k] == j) {
        value = sparse->values()[k++];
      }
      out.real(value, "NaN");
    }
    out.character('\n');
  }
  out.flush();
}

void write_npy_header(ByteSink& sink, const char* type, const Shape& shape) {
  sink.write(npy_start(shape, type));
}
void write_npy(ByteSink& sink, std::span<const double> values, const Shape& shape) {
  write_npy_values(sink, values, shape, "<f8");
}
void write_npy(ByteSink& sink, std::span<const Index> values, const Shape& shape) {
  write_npy_values(sink, values, shape, "<i8");
}
void write_npy(ByteSink& sink, const Matrix& matrix) {
  write_npy(sink, matrix.values(), {matrix.rows(), matrix.cols()});
}
void write_npy(ByteSink& sink, const Tensor& tensor) {
  write_npy(sink, tensor.values(), tensor.shape());
}

void write_mtx(ByteSink& sink, const Block& block) {
  if (!block.is_matrix()) refuse_pair(block, ".mtx", "use .npy or .tns");
  TextWriter out(sink);
  if (const Matrix* dense = block.dense_matrix()) {
    write_dense_array(out, *dense);
  } else {
    out.text(fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n",
                         block.shape()[0], block.shape()[1], block.sparse_matrix()->entries()));
    for_each_entry(block, [&](std::span<const Index> at, double value) {
      out.integer(at[0] + 1);
      out.character(' ');
      out.integer(at[1] + 1);
      out.character(' ');
      out.real(value, "nan");
      out.character('\n');
    });
  }
  out.flush();
}

void write_tns(ByteSink& sink, const Block& block) {
  if (block.summary().listed == 0)
    refuse_pair(block, ".tns", "it lists no entries; use .mtx or .npz");
  TextWriter out(sink);
  for_each_entry(block, [&](std::span<const Index> at, double value) {
    for (const Index i : at) {
      out.integer(i + 1);
      out.character(' ');
    }
    out.real(value, "nan");
    out.character('\n');
  });
  out.flush();
}

void write_block(const Block& block, const std::string& path) {
  if (block.row_source() != nullptr)
    throw Error(ErrorCode::internal, block.name(), "is read by rows and lies in a file already");
  std::string stem = path;
  const bool compressed = stem.ends_with(".gz");
  if (compressed) stem.resize(stem.size() - 3);
  using Writer = void (*)(ByteSink&, const Block&);
  const std::pair<std::string_view, Writer> writers[] = {
      {".csv", [](ByteSink& sink, const Block& b) { write_table(sink, b, ','); }},
      {".tsv", [](ByteSink& sink, const Block& b) { write_table(sink, b, '\t'); }},
      {".mtx", write_mtx},
      {".npy",
       [](ByteSink& sink, const Block& b) {
         if (b.is_sparse()) refuse_pair(b, ".npy", "use .npz, .mtx or .tns");
         if (const Matrix* matrix = b.dense_matrix()) return write_npy(sink, *matrix);
         write_npy(sink, *b.dense_tensor());
       }},
      {".npz", write_npz},
      {".tns", write_tns},
  };
  for (const auto& [ending, writer] : writers) {
    if (!stem.ends_with(ending)) continue;
    AtomicFile file(path, true, compressed);
    writer(file.sink(), block);
    file.commit();
    return;
  }
  throw Error(ErrorCode::usage, shown_path(path),
              "unknown kind of file; expected a name that ends in .csv, .tsv, .mtx, .npy, .npz or "
              ".tns, or one of "
              "these and .gz");
}

}  // namespace gingham
