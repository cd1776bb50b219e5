// NPZ archives: what scipy.sparse.save_npz writes, or plain arrays. libzip handles the container;
// every member goes through our own NPY reader, and its size is bounded by what the archive may
// unpack to.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <optional>

#include "gingham/base/text.hpp"
#include "gingham/data/ordered_entries.hpp"
#include "gingham/io/formats.hpp"
#include "gingham/io/npy.hpp"

namespace gingham {
namespace {

constexpr zip_int64_t kMaxMembers = 10000;

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseMember {
  void operator()(zip_file_t* member) const { zip_fclose(member); }
};

// One member of an archive as a source of bytes. Its length is the archive's word, so remaining()
// is not known; the CRC is checked when the last byte has been read.
class MemberSource final : public ByteSource {
 public:
  MemberSource(zip_t* archive, zip_uint64_t index, std::string name, Index max_bytes)
      : ByteSource(std::move(name), std::nullopt), max_bytes_(max_bytes) {
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_stat_index(archive, index, 0, &status) != 0) {
      refuse_at(0, fmt::format("cannot look at this member: {}", zip_strerror(archive)));
    }
    const bool plain = (status.valid & ZIP_STAT_COMP_METHOD) != 0 &&
                       (status.comp_method == ZIP_CM_STORE || status.comp_method == ZIP_CM_DEFLATE);
    if (!plain)
      refuse_at(0, "this member is compressed in an unusual way; expected stored or deflated data");
    member_.reset(zip_fopen_index(archive, index, 0));
    if (member_ == nullptr)
      refuse_at(0, fmt::format("cannot open this member: {}", zip_strerror(archive)));
  }

 private:
  std::size_t read_some(char* out, std::size_t size) override {
    const zip_int64_t got = zip_fread(member_.get(), out, size);
    if (got < 0) {
      refuse_at(offset(),
                fmt::format("damaged archive member: {}", zip_file_strerror(member_.get())));
    }
    if (got > max_bytes_ - offset()) {
      refuse_at(
          offset(),
          fmt::format("unpacks to more than {} bytes; expected less for an archive of this size "
                      "(max_expansion, max_bytes)",
                      max_bytes_));
    }
    return static_cast<std::size_t>(got);
  }
  std::unique_ptr<zip_file_t, CloseMember> member_;
  Index max_bytes_;
};

using Archive = std::unique_ptr<zip_t, CloseArchive>;

// What reading an array gave: its values, or the error for whoever asks for them.
template <class T>
struct Outcome {
  Array<T> values;
  std::exception_ptr failure;

  Array<T> take() {
    if (failure) std::rethrow_exception(failure);
    return std::move(values);
  }
};

class NpzReader {
 public:
  // `reopen` opens the archive once more, for another thread; null where this cannot be done.
  NpzReader(Archive archive, FunctionRef<Archive()> reopen, std::string name, Index archive_bytes,
            const ReadOptions& options, Executor* executor)
      : archive_(std::move(archive)),
        reopen_(reopen),
        name_(std::move(name)),
        options_(options),
        executor_(executor) {
    const Limits& limits = options.limits;
    Index allowed = 0;
    if (__builtin_mul_overflow(archive_bytes, limits.max_expansion, &allowed))
      allowed = limits.max_bytes;
    max_bytes_ = std::min(limits.max_bytes, std::max(kFreeExpansionBytes, allowed));
    list_members();
  }

  Block read(const std::string& array) {
    if (!array.empty()) {
      if (!members_.contains(array)) {
        refuse(fmt::format("found no array '{}'; expected one of: {}", printable(array, 60),
                           listing()));
      }
      return read_array(array);
    }
    if (members_.contains("format")) return read_sparse();
    if (members_.size() > 1) {
      refuse(fmt::format("found {} arrays: {}; expected one, or its name as in {}:{}",
                         members_.size(), listing(), name_,
                         printable(members_.begin()->first, 60)));
    }
    return read_array(members_.begin()->first);
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw Error(ErrorCode::input, fmt::format("{}: byte 0", name_), message);
  }

  void list_members() {
    const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
    if (count > kMaxMembers) refuse(fmt::format("found {} members; expected a few arrays", count));
    for (zip_int64_t i = 0; i < count; ++i) {
      const char* name = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW);
      const std::string_view member = name != nullptr ? name : "";
      if (!member.ends_with(".npy")) {
        refuse(fmt::format("found the member '{}'; expected arrays called ….npy",
                           printable(member, 60)));
      }
      const std::string key(member.substr(0, member.size() - 4));
      if (!members_.emplace(key, static_cast<zip_uint64_t>(i)).second) {
        refuse(fmt::format("found two members called '{}'; expected different names",
                           printable(member, 60)));
      }
    }
    if (members_.empty()) refuse("found an empty archive; expected arrays");
  }

  std::string listing() const {
    constexpr std::size_t kShown = 20;
    std::string list;
    std::size_t shown = 0;
    for (const auto& [name, index] : members_) {
      if (shown++ == kShown) return list + ", …";
      list += (list.empty() ? "" : ", ") + printable(name, 60);
    }
    return list;
  }

  MemberSource open(const std::string& member) const { return open(member, archive_.get()); }
  MemberSource open(const std::string& member, zip_t* archive) const {
    const auto found = members_.find(member);
    if (found == members_.end()) {
      refuse(
          fmt::format("found no array '{}' (there are: {}); expected a matrix saved by "
                      "scipy.sparse.save_npz, or "
                      "the name of an array",
                      member, listing()));
    }
    return {archive, found->second, fmt::format("{}:{}", name_, printable(member, 60)), max_bytes_};
  }

  Block read_array(const std::string& member) const {
    MemberSource source = open(member);
    return npy_block(source, options_);
  }

  std::string read_format() const {
    MemberSource source = open("format");
    const NpyHeader header = read_npy_header(source, options_.limits, true);
    if (!header.shape.empty() || (header.kind != 'S' && header.kind != 'U')) {
      source.refuse_at(0,
                       "found something else as the name of the format; expected a text like csr");
    }
    const std::size_t step = header.kind == 'U' ? 4 : 1;
    std::string raw(static_cast<std::size_t>(header.item_bytes) * step + 1, '\0');
    if (source.read_full(raw.data(), raw.size()) != raw.size() - 1) {
      source.refuse_at(source.offset(),
                       "found another length of the format's name than its header says");
    }
    std::string format;
    const std::size_t low = header.big_endian ? step - 1 : 0;
    for (std::size_t i = low; i + 1 < raw.size(); i += step) {
      if (raw[i] != '\0') format += raw[i];
    }
    return format;
  }

  Array<Index> read_integers(const std::string& member) {
    const auto found = integers_.find(member);
    return found != integers_.end() ? found->second.take() : read_integers(open(member));
  }
  Array<Index> read_integers(MemberSource source) const {
    const NpyHeader header = read_npy_header_flat(source);
    return read_npy_integers(source, header);
  }
  Array<double> read_values() { return values_ ? values_->take() : read_values(open("data")); }
  Array<double> read_values(MemberSource source) const {
    const NpyHeader header = read_npy_header_flat(source);
    return read_npy_values(source, header);
  }

  // Reads "data" and these arrays of integers at the same time, for those who ask for them next.
  void read_ahead(const std::array<const char*, 2>& integers) {
    if (executor_ == nullptr || executor_->threads() == 1) return;
    std::array<Archive, 3> archives;
    for (Archive& archive : archives) {
      archive = reopen_();
      if (archive == nullptr) return;
    }
    values_.emplace();
    for (const char* member : integers) integers_[member];
    executor_->map(std::ssize(archives), [&](Index i) {
      const auto attempt = [&](auto& outcome, auto&& read) {
        try {
          outcome.values = read();
        } catch (...) {
          outcome.failure = std::current_exception();
        }
      };
      if (i == 0) {
        attempt(*values_, [&] { return read_values(open("data", archives[0].get())); });
      } else {
        const char* member = integers[i - 1];
        attempt(integers_.at(member),
                [&] { return read_integers(open(member, archives[i].get())); });
      }
    });
  }
  // A sparse matrix without entries has arrays of size 0, which are in order here.
  NpyHeader read_npy_header_flat(MemberSource& source) const {
    const NpyHeader header = read_npy_header(source, options_.limits, false, true);
    if (header.shape.size() != 1) {
      source.refuse_at(0, fmt::format("found {} modes; expected one", header.shape.size()));
    }
    return header;
  }

  // Zero-based indices that fit 32 bits; anything else is named with its place.
  Array<std::int32_t> narrowed(const Array<Index>& wide, Index size,
                               const std::string& member) const {
    Array<std::int32_t> narrow(wide.size());
    std::int32_t* out = narrow.data();
    for (Index k = 0; k < wide.size(); ++k) {
      const Index index = wide.data()[k];
      if (index < 0 || index >= size) {
        throw Error(ErrorCode::input, fmt::format("{}:{}: entry {}", name_, member, k),
                    fmt::format("found the index {}; expected 0 to {}", index, size - 1));
      }
      out[k] = static_cast<std::int32_t>(index);
    }
    return narrow;
  }

  void check_pointers(const Array<Index>& pointers, Index items, Index entries) const {
    const std::string where = fmt::format("{}:indptr", name_);
    if (pointers.size() != items + 1) {
      throw Error(ErrorCode::input, where,
                  fmt::format("found {} pointers; expected {} for {} rows or columns",
                              pointers.size(), items + 1, items));
    }
    const Index* p = pointers.data();
    if (p[0] != 0 || p[items] != entries) {
      throw Error(
          ErrorCode::input, where,
          fmt::format("found pointers from {} to {}; expected 0 to {}", p[0], p[items], entries));
    }
    for (Index i = 0; i < items; ++i) {
      if (p[i + 1] < p[i]) {
        throw Error(
            ErrorCode::input, fmt::format("{}: entry {}", where, i + 1),
            fmt::format("found the pointer {} after {}; expected rising ones", p[i + 1], p[i]));
      }
    }
  }

  // The index of the row (or column) each entry belongs to.
  static Array<std::int32_t> expanded(const Array<Index>& pointers) {
    Array<std::int32_t> owner(pointers.data()[pointers.size() - 1]);
    std::int32_t* out = owner.data();
    for (Index i = 0; i + 1 < pointers.size(); ++i) {
      std::fill(out + pointers.data()[i], out + pointers.data()[i + 1],
                static_cast<std::int32_t>(i));
    }
    return owner;
  }

  static bool rises(const Array<Index>& pointers, const Array<std::int32_t>& columns) {
    for (Index i = 0; i + 1 < pointers.size(); ++i) {
      for (Index k = pointers.data()[i] + 1; k < pointers.data()[i + 1]; ++k) {
        if (columns.data()[k] <= columns.data()[k - 1]) return false;
      }
    }
    return true;
  }

  Block read_sparse() {
    const std::string format = read_format();
    if (format != "csr" && format != "csc" && format != "coo") {
      throw Error(
          ErrorCode::input, fmt::format("{}:format", name_),
          fmt::format(
              "found the sparse format '{}'; expected csr, csc or coo (convert with .tocsr())",
              printable(format, 60)));
    }
    for (const auto& [member, index] : members_) {
      const bool known = member == "format" || member == "shape" || member == "data" ||
                         member == "_is_array" ||
                         (format == "coo" ? member == "row" || member == "col"
                                          : member == "indices" || member == "indptr");
      if (!known) {
        refuse(fmt::format(
            "found the array '{}' in a sparse matrix of format {}; expected only its own arrays",
            printable(member, 60), format));
      }
    }
    const Array<Index> shape = read_integers("shape");
    if (shape.size() != 2) {
      throw Error(ErrorCode::input, fmt::format("{}:shape", name_),
                  fmt::format("found {} sizes; expected 2", shape.size()));
    }
    const Index rows = shape.data()[0];
    const Index columns = shape.data()[1];
    if (!options_.shape.empty() && options_.shape != Shape{rows, columns}) {
      throw Error(ErrorCode::input, fmt::format("{}:shape", name_),
                  fmt::format("found {} x {}; expected {} as --shape says", rows, columns,
                              shape_text(options_.shape)));
    }
    if (format == "coo") {
      read_ahead({"row", "col"});
    } else {
      read_ahead({"indices", "indptr"});
    }
    Array<double> values = read_values();
    for (Index mode = 0; mode < 2; ++mode) {
      check_sparse_size(mode == 0 ? rows : columns, values.size(), !options_.shape.empty(), mode,
                        fmt::format("{}:shape", name_));
    }
    try {
      return Block(name_, make_sparse(format, rows, columns, std::move(values)), {},
                   options_.unlisted);
    } catch (const DuplicateEntry& twice) {
      throw Error(
          ErrorCode::input, fmt::format("{}:data: entry {}", name_, twice.second()),
          fmt::format(
              "{}, the first is entry {}; expected each place once (or say --duplicates sum)",
              twice.message(), twice.first()));
    }
  }

  SparseMatrix make_sparse(const std::string& format, Index rows, Index columns,
                           Array<double> values) {
    const auto check_count = [&](Index found, const char* member) {
      if (found == values.size()) return;
      throw Error(
          ErrorCode::input, fmt::format("{}:{}", name_, member),
          fmt::format("found {} indices; expected {} as there are values", found, values.size()));
    };
    if (format == "coo") {
      Array<std::int32_t> row = narrowed(read_integers("row"), rows, "row");
      Array<std::int32_t> column = narrowed(read_integers("col"), columns, "col");
      check_count(row.size(), "row");
      check_count(column.size(), "col");
      return matrix_of_entries(rows, columns, std::move(row), std::move(column), std::move(values),
                               options_.duplicates, executor_);
    }
    const bool by_rows = format == "csr";
    Array<std::int32_t> inner =
        narrowed(read_integers("indices"), by_rows ? columns : rows, "indices");
    check_count(inner.size(), "indices");
    Array<Index> pointers = read_integers("indptr");
    check_pointers(pointers, by_rows ? rows : columns, values.size());
    if (by_rows && rises(pointers, inner)) {
      return {rows, columns, std::move(pointers), std::move(inner), std::move(values)};
    }
    Array<std::int32_t> outer = expanded(pointers);
    return matrix_of_entries(rows, columns, by_rows ? std::move(outer) : std::move(inner),
                             by_rows ? std::move(inner) : std::move(outer), std::move(values),
                             options_.duplicates, executor_);
  }

  Archive archive_;
  FunctionRef<Archive()> reopen_;
  std::string name_;
  const ReadOptions& options_;
  Executor* executor_;
  Index max_bytes_ = 0;
  // What was read ahead.
  std::optional<Outcome<double>> values_;
  std::map<std::string, Outcome<Index>> integers_;
  std::map<std::string, zip_uint64_t> members_;
};

[[noreturn]] void refuse_archive(const std::string& name, int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string cause = zip_error_strerror(&error);
  zip_error_fini(&error);
  throw Error(ErrorCode::input, name + ": byte 0",
              fmt::format("not a readable archive ({}); expected an NPZ file", cause));
}

}  // namespace

Block read_npz(const std::string& path, const std::string& array, const ReadOptions& options,
               Executor* executor) {
  const InputFile file(path);
  if (file.size() > options.limits.max_bytes) {
    throw Error(ErrorCode::input, file.name(),
                fmt::format("{} bytes; expected at most {} (max_bytes)", file.size(),
                            options.limits.max_bytes));
  }
  const auto opened = [](int descriptor, int& code) {
    Archive archive(descriptor < 0 ? nullptr : zip_fdopen(descriptor, 0, &code));
    if (archive == nullptr && descriptor >= 0) ::close(descriptor);
    return archive;
  };
  int code = 0;
  Archive archive = opened(dup(file.descriptor()), code);
  if (archive == nullptr) refuse_archive(file.name(), code);
  // With a place in the file of its own, which a copy of the descriptor has not.
  const auto reopen = [&] {
    const std::string same = fmt::format("/proc/self/fd/{}", file.descriptor());
    return opened(::open(same.c_str(), O_RDONLY | O_CLOEXEC), code);
  };
  Block block = NpzReader(std::move(archive), reopen, file.name(), file.size(), options, executor)
                    .read(array);
  file.check_unchanged();
  return block;
}

Block read_npz(const std::string& name, std::span<const char> bytes, const std::string& array,
               const ReadOptions& options, Executor* executor) {
  zip_error_t error;
  zip_error_init(&error);
  const auto opened = [&]() -> Archive {
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    if (source == nullptr) throw std::bad_alloc();
    Archive archive(zip_open_from_source(source, ZIP_RDONLY, &error));
    if (archive == nullptr) zip_source_free(source);
    return archive;
  };
  Archive archive = opened();
  if (archive == nullptr) {
    const int code = zip_error_code_zip(&error);
    zip_error_fini(&error);
    refuse_archive(name, code);
  }
  return NpzReader(std::move(archive), opened, name, static_cast<Index>(bytes.size()), options,
                   executor)
      .read(array);
}

}  // namespace gingham
