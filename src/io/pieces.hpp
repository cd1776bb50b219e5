// Lines of text parsed in pieces, on all threads, ahead of a reader that goes line by line.
//
// A piece is some whole lines. The one who parses it takes the lines it begins with as long as they
// are plain, and stops at the first that needs more thought: a quoted line end, a damaged number, a
// blank line. What was taken counts up to the first stop; the line there is read by the careful
// reader, whose rules and messages are the only ones, and pieces are tried again behind it. So a
// block is the same, and an error too, however the text is cut and wherever the pieces are parsed.
#pragma once
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "gingham/base/function_ref.hpp"
#include "gingham/base/memory.hpp"
#include "gingham/base/parallel.hpp"
#include "gingham/io/lines.hpp"

namespace gingham {

// How text is cut.
struct Pieces {
  Executor* executor = nullptr;  // none: everything on the calling thread
  Index bytes = Index{1} << 17;  // of a piece; 0: nothing is parsed ahead
};

// The lines at the start of a piece that were understood.
struct Taken {
  std::size_t bytes = 0;
  Index lines = 0;
};

class PieceReader {
 public:
  PieceReader(LineReader& lines, const Pieces& pieces);

  // Pieces that may be there at once; each has a number below this.
  Index n_slots() const { return n_slots_; }
  Executor* executor() const { return executor_; }

  // Parses what follows the current line as far as it is plain, and moves `lines` behind it.
  // parse(slot, text) takes the plain lines that `text` begins with; it may run on any thread.
  // keep(n) is called for slots 0 ... n - 1, in the order of the file, when they are next; false
  // where there are more than may be: then they are left to the careful reader, for good.
  void read(FunctionRef<Taken(Index, std::string_view)> parse, FunctionRef<bool(Index)> keep);

 private:
  void cut(std::string_view text);

  LineReader& lines_;
  Executor* executor_;
  Index n_slots_;
  std::size_t piece_bytes_, most_bytes_, bytes_;  // at most at once, and the next time
  std::vector<std::string_view> texts_;
  std::vector<Taken> taken_;
};

// Values of pieces, one behind the other.
template <class T>
class Gathered {
 public:
  void push_back(T value) { *extend(1) = value; }
  void append(const T* values, Index count) { std::copy_n(values, count, extend(count)); }
  // Room for `count` more values, which are zero.
  T* extend(Index count) {
    const Index needed = checked_add(size_, count, "array");
    if (needed > capacity_) {
      const Index wanted = std::max(needed, capacity_ + capacity_ / 2 + 64);
      memory_.resize(static_cast<std::size_t>(checked_mul(wanted, sizeof(T), "array")));
      capacity_ = wanted;
    }
    T* const begin = data() + size_;
    size_ = needed;
    return begin;
  }
  Index size() const { return size_; }
  T* data() { return static_cast<T*>(memory_.data()); }
  T operator[](Index i) const { return static_cast<const T*>(memory_.data())[i]; }

  // The finished array; this one is empty afterwards.
  Array<T> finish() {
    memory_.resize(static_cast<std::size_t>(size_) * sizeof(T));
    capacity_ = 0;
    return Array<T>(std::move(memory_), std::exchange(size_, 0));
  }

 private:
  RawMemory memory_;
  Index size_ = 0, capacity_ = 0;
};

// Whether a line of a piece ends here.
inline bool is_line_end(const char* at) { return *at == '\n' || (*at == '\r' && at[1] == '\n'); }

// body(i) for i = 0 ... n - 1, on the threads of the executor where there is one.
void map_pieces(Executor* executor, Index n, FunctionRef<void(Index)> body);

}  // namespace gingham
