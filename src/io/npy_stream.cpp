#include "gingham/io/npy_stream.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <vector>

namespace gingham {
namespace {

constexpr Index kChunkBytes = Index{1} << 18;

// Refuses what makes no data among `count` values that were number `first` and following in the
// file.
void check_values(const double* values, Index count, Index first, const NpyHeader& header,
                  const std::string& name) {
  refuse_infinite(values, count, first, header, name);
  refuse_bad_bools(values, count, first, header, name);
}

// A float64 that overflows float is infinite too.
void check_values(const float* values, Index count, Index first, const NpyHeader& header,
                  const std::string& name) {
  for (Index k = 0; k < count; ++k) {
    const bool is_bad = std::isinf(values[k]) || (header.kind == 'b' && values[k] > 1);
    if (!is_bad) continue;
    throw Error(
        ErrorCode::input,
        fmt::format("{}: byte {}", name, header.data_offset + (first + k) * header.item_bytes),
        "found a value that is infinite in the precision asked for, or a bool other than 0 and 1; "
        "expected "
        "finite numbers, or NaN for missing");
  }
}

// Whether the file's bytes are values of this type as they are.
template <class T>
bool is_native(const NpyHeader& header) {
  return header.kind == 'f' && header.item_bytes == sizeof(T) &&
         header.big_endian == (std::endian::native == std::endian::big);
}

class HeaderSource final : public ByteSource {
 public:
  explicit HeaderSource(const InputFile& file)
      : ByteSource(file.name(), file.size()), file_(file) {}

 private:
  std::size_t read_some(char* out, std::size_t size) override {
    const std::size_t wanted = std::min(size, static_cast<std::size_t>(file_.size() - offset()));
    file_.read_at(out, wanted, offset());
    return wanted;
  }
  const InputFile& file_;
};

}  // namespace

NpyStream::NpyStream(const std::string& path, const Limits& limits) : file_(path) {
  HeaderSource source(file_);
  header_ = read_npy_header(source, limits);
  if (header_.shape.empty())
    source.refuse_at(0, "found a single value without a shape; expected an array");
  if (header_.fortran_order && header_.shape.size() > 2) {
    source.refuse_at(0, "found a tensor in Fortran order; expected C order to read it in pieces");
  }
  rows_ = header_.shape[0];
  cols_ = header_.count / rows_;
}

template <class T>
void NpyStream::read_any(Index first, Index count, std::span<T> out) const {
  if (first < 0 || count < 0 || first > rows_ - count ||
      static_cast<Index>(out.size()) != checked_mul(count, cols_, "rows")) {
    throw Error(ErrorCode::input, file_.name(),
                fmt::format("asked for rows {} to {}; expected rows 0 to {} and room for them",
                            first, first + count, rows_));
  }
  if (is_native<T>(header_) && is_by_rows()) {
    file_.read_at(reinterpret_cast<char*>(out.data()), out.size_bytes(),
                  header_.data_offset + first * cols_ * header_.item_bytes);
    return check_values(out.data(), std::ssize(out), first * cols_, header_, file_.name());
  }
  // A run is a stretch of the file whose values all lie in the rows asked for: everything at once
  // in C order, one column at a time in Fortran order.
  const bool by_columns = !is_by_rows();
  const Index n_runs = by_columns ? cols_ : 1;
  const Index run_values = by_columns ? count : count * cols_;
  const Index chunk = std::max<Index>(1, kChunkBytes / header_.item_bytes);
  std::vector<char> raw(static_cast<std::size_t>(std::min(chunk, run_values) * header_.item_bytes));
  std::vector<T> column(by_columns ? static_cast<std::size_t>(std::min(chunk, run_values)) : 0);
  for (Index run = 0; run < n_runs; ++run) {
    const Index start = by_columns ? run * rows_ + first : first * cols_;
    for (Index done = 0; done < run_values; done += chunk) {
      const Index values = std::min(chunk, run_values - done);
      file_.read_at(raw.data(), static_cast<std::size_t>(values * header_.item_bytes),
                    header_.data_offset + (start + done) * header_.item_bytes);
      T* target = by_columns ? column.data() : out.data() + done;
      convert_npy(header_, raw.data(), values, target);
      check_values(target, values, start + done, header_, file_.name());
      if (!by_columns) continue;
      for (Index i = 0; i < values; ++i) out[(done + i) * cols_ + run] = column[i];
    }
  }
}

void NpyStream::read_rows(Index first, Index count, std::span<double> out) const {
  read_any(first, count, out);
}
void NpyStream::read_rows(Index first, Index count, std::span<float> out) const {
  read_any(first, count, out);
}

}  // namespace gingham
