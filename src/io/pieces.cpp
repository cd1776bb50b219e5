#include "gingham/io/pieces.hpp"

namespace gingham {
namespace {

constexpr Index kPerThread = 4;  // so that no thread waits long for another
constexpr Index kMostSlots = 256;
constexpr std::size_t kFirstBytes = std::size_t{1}
                                    << 18;  // before it is known that lines are plain
constexpr std::size_t kFewBytes = 256;      // behind a line that was not

}  // namespace

void map_pieces(Executor* executor, Index n, FunctionRef<void(Index)> body) {
  if (executor != nullptr && n > 1) return executor->map(n, body);
  for (Index i = 0; i < n; ++i) body(i);
}

PieceReader::PieceReader(LineReader& lines, const Pieces& pieces)
    : lines_(lines),
      executor_(pieces.executor != nullptr && pieces.executor->threads() > 1 ? pieces.executor
                                                                             : nullptr),
      n_slots_(executor_ != nullptr ? std::min<Index>(kPerThread * executor_->threads(), kMostSlots)
                                    : 1),
      piece_bytes_(static_cast<std::size_t>(pieces.bytes)),
      most_bytes_(piece_bytes_ * static_cast<std::size_t>(n_slots_)),
      bytes_(std::min(most_bytes_, kFirstBytes)),
      taken_(static_cast<std::size_t>(n_slots_)) {}

// Into at most n_slots_ pieces, each up to the end of the line in which it has its size.
void PieceReader::cut(std::string_view text) {
  texts_.clear();
  const std::size_t size = std::max(piece_bytes_, text.size() / n_slots_ + 1);
  while (!text.empty()) {
    const std::size_t end = text.size() > size ? text.find('\n', size - 1) + 1 : text.size();
    texts_.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

void PieceReader::read(FunctionRef<Taken(Index, std::string_view)> parse,
                       FunctionRef<bool(Index)> keep) {
  if (most_bytes_ == 0) return;
  // Long lines must fit, several where there are several threads.
  const std::size_t length = lines_.line().size();
  if (length > most_bytes_ / 2) most_bytes_ = 2 * length;
  for (;;) {
    const std::string_view text = lines_.ahead(bytes_);
    if (text.empty()) {
      bytes_ = std::min(most_bytes_, 2 * bytes_);
      return;
    }
    cut(text);
    const Index n_texts = std::ssize(texts_);
    // The first item of several reads on in the file meanwhile.
    const Index n_other = executor_ != nullptr && n_texts > 1 ? 1 : 0;
    map_pieces(executor_, n_texts + n_other, [&](Index i) {
      if (i < n_other) {
        lines_.prefetch(most_bytes_);
      } else {
        taken_[i - n_other] = parse(i - n_other, texts_[i - n_other]);
      }
    });
    Taken all;
    Index n_used = 0;
    bool is_plain = true;
    while (n_used < n_texts && is_plain) {
      all.bytes += taken_[n_used].bytes;
      all.lines += taken_[n_used].lines;
      is_plain = taken_[n_used].bytes == texts_[n_used].size();
      ++n_used;
    }
    if (all.lines > 0) {
      if (!keep(n_used)) {
        most_bytes_ = 0;
        return;
      }
      lines_.skip(all.bytes, all.lines);
    }
    bytes_ = std::min(is_plain ? 2 * bytes_ : std::max(all.bytes, kFewBytes),
                      is_plain ? most_bytes_ : bytes_);
    if (!is_plain) return;
  }
}

}  // namespace gingham
