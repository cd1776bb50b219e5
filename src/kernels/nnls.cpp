#include "gingham/kernels/nnls.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gingham/kernels/blas.hpp"
#include "gingham/kernels/lanes.hpp"
#include "gingham/kernels/nnls_active_set.hpp"
#include "gingham/kernels/nnls_factor.hpp"

namespace gingham {
namespace {

using Word = std::uint64_t;
constexpr Index kWordBits = 64;
constexpr Index kTries = 3;     // block exchanges that may fail to lessen the wrong signs
constexpr Index kFewItems = 8;  // below this the gradient is taken item by item
constexpr Index kOneByOne = 3;  // up to as many items of a guess are solved one by one

// Items that are solved together: enough to share factors, few enough that their gradients stay in
// the cache.
Index chunk_size(Index k) {
  constexpr Index kCells = 1 << 16;
  return std::clamp<Index>(kCells / std::max<Index>(k, 1), 256, 8192);
}

// y += factor * row
GINGHAM_MULTIARCH void add_row(double factor, const double* row, double* y, Index n) {
  for (Index j = 0; j < n; ++j) y[j] += factor * row[j];
}

// Marks in `wrong` the entries whose sign is wrong, and counts them: x_j < 0 where j is in the
// guess, gradient_j < 0 beyond rounding where it is not.
GINGHAM_MULTIARCH Index find_wrong(const double* x, const double* product, const double* rhs,
                                   const double* length, double unit, Index k, Word* wrong) {
  double size = 0.0;
  for (Index j = 0; j < k; ++j) size += length[j] * std::abs(x[j]);
  Index count = 0;
  for (Index j = 0; j < k; ++j) {
    const bool is_negative = x[j] < 0.0;
    const bool is_wanted = x[j] == 0.0 &&
                           product[j] - rhs[j] < -unit * (std::abs(rhs[j]) + length[j] * size) &&
                           length[j] > 0.0;
    const bool is_wrong = is_negative || is_wanted;
    count += is_wrong;
    wrong[j / kWordBits] |= static_cast<Word>(is_wrong) << (j % kWordBits);
  }
  return count;
}

// Block principal pivoting for up to `capacity` items.
class Pivoting {
 public:
  Pivoting(Index k, Index capacity)
      : k_(k),
        words_((k + kWordBits - 1) / kWordBits),
        factor_(k),
        last_resort_(k),
        length_(to_size(k)),
        guess_(to_size(capacity * words_)),
        wrong_(to_size(words_)),
        least_(to_size(capacity)),
        tries_(to_size(capacity)),
        packed_(to_size(capacity * k)),
        product_(to_size(capacity * k)),
        tile_(to_size(k * NnlsFactor::kTile)) {
    open_.reserve(to_size(capacity));
  }

  // rhs and x hold `count` rows.
  void solve(const double* gram, const double* rhs, double* x, Index count) {
    gram_ = gram;
    rhs_ = rhs;
    x_ = x;
    for (Index j = 0; j < k_; ++j) length_[j] = std::sqrt(std::max(gram[j * k_ + j], 0.0));
    open_.clear();
    for (Index i = 0; i < count; ++i) begin(i);
    while (!open_.empty()) {
      solve_guesses();
      find_products();
      std::size_t left = 0;
      for (std::size_t o = 0; o < open_.size(); ++o) {
        if (exchange(open_[o], product_.data() + static_cast<Index>(o) * k_)) {
          open_[left++] = open_[o];
        }
      }
      open_.resize(left);
    }
  }

 private:
  static std::size_t to_size(Index n) { return static_cast<std::size_t>(n); }
  Word* guess(Index i) { return guess_.data() + i * words_; }

  void begin(Index i) {
    std::fill_n(guess(i), words_, Word{0});
    for (Index j = 0; j < k_; ++j) {
      if (x_[i * k_ + j] > 0.0) guess(i)[j / kWordBits] |= Word{1} << (j % kWordBits);
    }
    least_[i] = k_ + 1;
    tries_[i] = kTries;
    open_.push_back(i);
  }

  // x of all open items, one factor for those with the same guess.
  void solve_guesses() {
    std::sort(open_.begin(), open_.end(), [&](Index a, Index b) {
      const auto order = std::lexicographical_compare_three_way(guess(a), guess(a) + words_,
                                                                guess(b), guess(b) + words_);
      return order != 0 ? order < 0 : a < b;
    });
    for (std::size_t first = 0; first < open_.size();) {
      std::size_t last = first + 1;
      while (last < open_.size() &&
             std::equal(guess(open_[first]), guess(open_[first]) + words_, guess(open_[last]))) {
        ++last;
      }
      factorise(guess(open_[first]));
      solve_alike(first, last);
      first = last;
    }
  }

  void factorise(const Word* guess) {
    factor_.truncate(0);
    for (Index w = 0; w < words_; ++w) {
      for (Word left = guess[w]; left != 0; left &= left - 1) {
        factor_.append(gram_, w * kWordBits + std::countr_zero(left));
      }
    }
  }

  void solve_alike(std::size_t first, std::size_t last) {
    const std::vector<Index>& variables = factor_.variables();
    const Index n = factor_.size();
    for (std::size_t o = first; o < last;) {
      const bool is_tile = last - o > kOneByOne;
      const Index width = is_tile ? NnlsFactor::kTile : 1;
      const Index used = std::min<Index>(width, static_cast<Index>(last - o));
      if (is_tile) std::fill_n(tile_.begin(), n * width, 0.0);
      for (Index c = 0; c < used; ++c) {
        const double* rhs = rhs_ + open_[o + c] * k_;
        for (Index i = 0; i < n; ++i) tile_[i * width + c] = rhs[variables[i]];
      }
      is_tile ? factor_.solve_tile(tile_.data()) : factor_.solve(tile_.data());
      for (Index c = 0; c < used; ++c) {
        double* x = x_ + open_[o + c] * k_;
        std::fill_n(x, k_, 0.0);
        for (Index i = 0; i < n; ++i) x[variables[i]] = tile_[i * width + c];
      }
      o += used;
    }
  }

  // The rows x_i' G of the open items, in their order.
  void find_products() {
    const Index n = static_cast<Index>(open_.size());
    if (n < kFewItems) {
      for (Index o = 0; o < n; ++o) {
        const double* x = x_ + open_[o] * k_;
        double* product = product_.data() + o * k_;
        std::fill_n(product, k_, 0.0);
        for (Index l = 0; l < k_; ++l) {
          if (x[l] != 0.0) add_row(x[l], gram_ + l * k_, product, k_);
        }
      }
      return;
    }
    for (Index o = 0; o < n; ++o) {
      std::copy_n(x_ + open_[o] * k_, k_, packed_.data() + o * k_);
    }
    gemm(Op::none, Op::none, n, k_, k_, 1.0, packed_.data(), k_, gram_, k_, 0.0, product_.data(),
         k_);
  }

  // Entries with a wrong sign change sides; false when there are none, or the item was solved by
  // other means.
  bool exchange(Index i, const double* product) {
    double* x = x_ + i * k_;
    const double* rhs = rhs_ + i * k_;
    std::fill(wrong_.begin(), wrong_.end(), Word{0});
    const Index count =
        find_wrong(x, product, rhs, length_.data(), nnls_unit(k_), k_, wrong_.data());
    if (count == 0) return false;
    if (count < least_[i]) {
      least_[i] = count;
      tries_[i] = kTries;
    } else if (tries_[i]-- == 0) {
      last_resort_.solve(gram_, rhs, x);
      return false;
    }
    for (Index w = 0; w < words_; ++w) guess(i)[w] ^= wrong_[w];
    return true;
  }

  Index k_, words_;
  const double* gram_ = nullptr;
  const double* rhs_ = nullptr;
  double* x_ = nullptr;
  NnlsFactor factor_;
  NnlsActiveSet last_resort_;
  std::vector<double> length_;  // sqrt(G_jj)
  std::vector<Word> guess_;     // a bit for each entry that is taken to be positive
  std::vector<Word> wrong_;
  std::vector<Index> least_, tries_;
  std::vector<Index> open_;
  std::vector<double> packed_, product_, tile_;
};

void require(bool holds, const char* message) {
  if (!holds) throw Error(ErrorCode::internal, "", message);
}

}  // namespace

void nnls(const Matrix& gram, const Matrix& rhs, Matrix& x, Executor& executor) {
  const Index k = gram.rows(), n = rhs.rows();
  require(gram.cols() == k && rhs.cols() == k && x.rows() == n && x.cols() == k,
          "nnls: sizes do not fit");
  if (k == 0 || n == 0) return;
  double* const values = x.data();
  const BlasSingleThread single;
  const Partition blocks = Partition::even(n, 2 * k * k);
  executor.map(blocks.count(), [&](Index block) {
    const Index items = blocks.end(block) - blocks.begin(block);
    const Index chunk = std::min(items, chunk_size(k));
    Pivoting pivoting(k, chunk);
    for (Index i = blocks.begin(block); i < blocks.end(block); i += chunk) {
      pivoting.solve(gram.data(), rhs.data() + i * k, values + i * k,
                     std::min(chunk, blocks.end(block) - i));
    }
  });
}

struct NnlsRow::Impl {
  Index k;
  Pivoting pivoting;
};

NnlsRow::NnlsRow(Index k) : impl_(std::make_unique<Impl>(Impl{k, Pivoting(k, 1)})) {}
NnlsRow::~NnlsRow() = default;
NnlsRow::NnlsRow(NnlsRow&&) noexcept = default;
NnlsRow& NnlsRow::operator=(NnlsRow&&) noexcept = default;

void NnlsRow::solve(const double* gram, ConstVec rhs, Vec x) {
  require(std::ssize(rhs) == impl_->k && std::ssize(x) == impl_->k, "nnls: sizes do not fit");
  if (impl_->k > 0) impl_->pivoting.solve(gram, rhs.data(), x.data(), 1);
}

}  // namespace gingham
