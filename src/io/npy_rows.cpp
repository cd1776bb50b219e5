#include "gingham/io/npy_rows.hpp"

#include "gingham/io/npy_stream.hpp"

namespace gingham {
namespace {

constexpr Index kMaxRowBytes = Index{1} << 24;  // pieces are rows: these must be small

class NpyRows final : public RowSource {
 public:
  explicit NpyRows(const std::string& path) : file_(path) {}

  const NpyStream& file() const { return file_; }
  Index rows() const override { return file_.rows(); }
  Index cols() const override { return file_.cols(); }
  void read_rows(Index first, Index count, std::span<double> out) const override {
    file_.read_rows(first, count, out);
    file_.check_unchanged();
  }
  void read_rows(Index first, Index count, std::span<float> out) const override {
    file_.read_rows(first, count, out);
    file_.check_unchanged();
  }

 private:
  NpyStream file_;
};

bool is_plain_npy(const std::string& path) {
  return path.ends_with(".npy") || path.ends_with(".NPY");
}

std::shared_ptr<const NpyRows> opened(const std::string& path) {
  try {
    return std::make_shared<const NpyRows>(path);
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace

std::optional<Block> stream_npy(const std::string& path, double beyond_bytes) {
  constexpr double kDouble = sizeof(double);
  if (!is_plain_npy(path)) return std::nullopt;
  const std::shared_ptr<const NpyRows> source = opened(path);
  if (source == nullptr || source->file().shape().size() != 2) return std::nullopt;
  const auto rows = static_cast<double>(source->rows()), cols = static_cast<double>(source->cols());
  if (kDouble * rows * cols <= beyond_bytes || kDouble * cols > kMaxRowBytes ||
      !source->file().is_by_rows())
    return std::nullopt;
  return Block(source->file().name(), std::shared_ptr<const RowSource>(source));
}

}  // namespace gingham
