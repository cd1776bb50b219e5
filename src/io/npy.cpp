// The values of an NPY file, in any of the number types that make sense as data.
#include "gingham/io/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "gingham/io/formats.hpp"

namespace gingham {
namespace {

constexpr Index kChunkValues = Index{1} << 14;

std::uint64_t swapped(std::uint64_t bits, std::size_t bytes) {
  return __builtin_bswap64(bits) >> (64 - 8 * bytes);
}

// IEEE half precision: 1 sign bit, 5 exponent bits, 10 fraction bits.
double from_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  double magnitude = 0.0;
  if (exponent == 31) {
    magnitude = fraction != 0 ? std::nan("") : HUGE_VAL;
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

struct Half {
  std::uint16_t bits;
};

template <class Stored, class Out>
Out converted(Stored value) {
  if constexpr (std::is_same_v<Stored, Half>) {
    return static_cast<Out>(from_half(value.bits));
  } else if constexpr (std::is_same_v<Out, float>) {
    return static_cast<float>(static_cast<double>(value));  // the float nearest to the double
  } else {
    return static_cast<Out>(value);
  }
}

template <class Stored, class Out>
void convert_as(const char* raw, Index count, bool big_endian, Out* out) {
  const bool swap = big_endian != (std::endian::native == std::endian::big) && sizeof(Stored) > 1;
  for (Index k = 0; k < count; ++k) {
    Stored value;
    std::memcpy(&value, raw + k * static_cast<Index>(sizeof(Stored)), sizeof(Stored));
    if (swap) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof(Stored));
      bits = swapped(bits, sizeof(Stored));
      std::memcpy(&value, &bits, sizeof(Stored));
    }
    out[k] = converted<Stored, Out>(value);
  }
}

template <class Out>
void convert_any(const NpyHeader& header, const char* raw, Index count, Out* out) {
  const bool big = header.big_endian;
  const Index bytes = header.item_bytes;
  if (header.kind == 'f') {
    if constexpr (std::is_floating_point_v<Out>) {
      if (bytes == 8) return convert_as<double>(raw, count, big, out);
      if (bytes == 4) return convert_as<float>(raw, count, big, out);
      return convert_as<Half>(raw, count, big, out);
    }
  } else if (header.kind == 'i') {
    if (bytes == 8) return convert_as<std::int64_t>(raw, count, big, out);
    if (bytes == 4) return convert_as<std::int32_t>(raw, count, big, out);
    if (bytes == 2) return convert_as<std::int16_t>(raw, count, big, out);
    return convert_as<std::int8_t>(raw, count, big, out);
  } else {
    if (bytes == 8) return convert_as<std::uint64_t>(raw, count, big, out);
    if (bytes == 4) return convert_as<std::uint32_t>(raw, count, big, out);
    if (bytes == 2) return convert_as<std::uint16_t>(raw, count, big, out);
    return convert_as<std::uint8_t>(raw, count, big, out);
  }
}

void check_converted(const double* values, Index count, Index first, const NpyHeader& header,
                     const ByteSource& source) {
  refuse_infinite(values, count, first, header, source.name());
  refuse_bad_bools(values, count, first, header, source.name());
}

void check_converted(const Index* values, Index count, Index first, const NpyHeader& header,
                     const ByteSource& source) {
  if (header.kind != 'u' || header.item_bytes < 8) return;
  for (Index k = 0; k < count; ++k) {
    if (values[k] < 0) {
      source.refuse_at(header.data_offset + (first + k) * header.item_bytes,
                       "found an integer beyond 2^63; expected smaller ones");
    }
  }
}

// Grows with what is really there: only a plain file's length has been held against the header by
// now.
template <class Out>
Array<Out> read_values(ByteSource& source, const NpyHeader& header) {
  std::vector<char> raw(
      static_cast<std::size_t>(std::min(kChunkValues, header.count) * header.item_bytes));
  std::vector<Out> values(static_cast<std::size_t>(std::min(kChunkValues, header.count)));
  GrowingArray<Out> all;
  while (all.size() < header.count) {
    const Index count = std::min(kChunkValues, header.count - all.size());
    const std::size_t bytes = static_cast<std::size_t>(count * header.item_bytes);
    if (source.read_full(raw.data(), bytes) < bytes) {
      source.refuse_at(source.offset(),
                       fmt::format("the file ends early; expected {} values of {} bytes",
                                   header.count, header.item_bytes));
    }
    convert_npy(header, raw.data(), count, values.data());
    check_converted(values.data(), count, all.size(), header, source);
    all.append(values.data(), count);
  }
  char extra = 0;
  if (source.read(&extra, 1) != 0) {
    source.refuse_at(source.offset() - 1,
                     "found more bytes after the last value; expected the end of the file");
  }
  return all.finish();
}

// The same array with the last index fastest, from one with the first index fastest.
Array<double> to_c_order(const Array<double>& fortran, const Shape& shape) {
  const std::size_t modes = shape.size();
  std::vector<Index> stride(modes, 1);
  for (std::size_t m = modes - 1; m > 0; --m) stride[m - 1] = stride[m] * shape[m];
  Array<double> result(fortran.size());
  double* out = result.data();
  const double* in = std::as_const(fortran).data();
  // Bands of the first index keep both sides of the copy in the cache.
  constexpr Index kBand = 64;
  const Index rows = shape[0];
  const Index columns = fortran.size() / rows;
  std::vector<Index> at(modes);
  for (Index begin = 0; begin < rows; begin += kBand) {
    const Index end = std::min(rows, begin + kBand);
    std::fill(at.begin(), at.end(), 0);
    Index base = 0;
    for (Index column = 0; column < columns; ++column) {
      for (Index i = begin; i < end; ++i) out[base + i * stride[0]] = in[column * rows + i];
      for (std::size_t m = 1; m < modes; ++m) {
        base += stride[m];
        if (++at[m] < shape[m]) break;
        base -= stride[m] * shape[m];
        at[m] = 0;
      }
    }
  }
  return result;
}

}  // namespace

void convert_npy(const NpyHeader& header, const char* raw, Index count, double* out) {
  convert_any(header, raw, count, out);
}
void convert_npy(const NpyHeader& header, const char* raw, Index count, float* out) {
  convert_any(header, raw, count, out);
}
void convert_npy(const NpyHeader& header, const char* raw, Index count, Index* out) {
  convert_any(header, raw, count, out);
}

void refuse_infinite(const double* values, Index count, Index first, const NpyHeader& header,
                     const std::string& name) {
  if (header.kind != 'f') return;
  for (Index k = 0; k < count; ++k) {
    if (!std::isinf(values[k])) continue;
    throw Error(
        ErrorCode::input,
        fmt::format("{}: byte {}", name, header.data_offset + (first + k) * header.item_bytes),
        fmt::format(
            "found an infinite value (number {} in the file); expected finite numbers, or NaN for "
            "missing",
            first + k + 1));
  }
}

void refuse_bad_bools(const double* values, Index count, Index first, const NpyHeader& header,
                      const std::string& name) {
  if (header.kind != 'b') return;
  for (Index k = 0; k < count; ++k) {
    if (values[k] <= 1.0) continue;
    throw Error(ErrorCode::input, fmt::format("{}: byte {}", name, header.data_offset + first + k),
                fmt::format("found the byte {} in an array of bool; expected 0 or 1", values[k]));
  }
}

Array<double> read_npy_values(ByteSource& source, const NpyHeader& header) {
  return read_values<double>(source, header);
}

Array<Index> read_npy_integers(ByteSource& source, const NpyHeader& header) {
  if (header.kind != 'i' && header.kind != 'u') {
    source.refuse_at(header.data_offset, "found an array of other values; expected integers");
  }
  return read_values<Index>(source, header);
}

Block npy_block(ByteSource& source, const ReadOptions& options) {
  const NpyHeader header = read_npy_header(source, options.limits);
  if (header.shape.empty()) {
    source.refuse_at(0,
                     "found a single value without a shape; expected an array of one mode or more");
  }
  Array<double> values = read_npy_values(source, header);
  if (header.fortran_order && header.shape.size() > 1) values = to_c_order(values, header.shape);
  const Shape& shape = header.shape;
  if (shape.size() > 2) return Block(source.name(), Tensor(shape, std::move(values)));
  return Block(source.name(),
               Matrix(shape[0], shape.size() == 1 ? 1 : shape[1], std::move(values)));
}

Block read_npy(ByteSource& source, const ReadOptions& options) {
  return npy_block(source, options);
}

}  // namespace gingham
