// Working memory that bodies of blocks borrow and give back: as many pieces as there are threads at
// work, made once.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

namespace gingham::methods::sparse_coding {

template <class Piece>
class Lender {
 public:
  struct GiveBack {
    Lender* lender;
    void operator()(Piece* piece) const {
      const std::lock_guard lock(lender->mutex_);
      lender->idle_.emplace_back(piece);
    }
  };
  using Lent = std::unique_ptr<Piece, GiveBack>;

  // An idle piece, or a new one as `make` makes it.
  template <class Make>
  Lent borrow(Make make) {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Piece* const piece = idle_.back().release();
        idle_.pop_back();
        return Lent(piece, {this});
      }
    }
    return Lent(new Piece(make()), {this});
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Piece>> idle_;
};

}  // namespace gingham::methods::sparse_coding
