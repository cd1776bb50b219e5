#include "limits.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "gingham/base/parallel.hpp"
#include "gingham/data/matrix.hpp"
#include "gingham/kernels/blas.hpp"
#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/lanes.hpp"
#include "table.hpp"

namespace gingham::bench {
namespace {

constexpr Index kLarge = Index{40} << 20;  // doubles; far beyond the caches
constexpr Index kPieces = 64;
constexpr Index kSquare = 512;

// The best simple loop: eight sums of 64 bytes, one stream.
GINGHAM_MULTIARCH double plain_sum(const double* x, Index n) {
  using V = lanes::Wide<double>;
  V s0{}, s1{}, s2{}, s3{}, s4{}, s5{}, s6{}, s7{};
  for (Index i = 0; i + 64 <= n; i += 64) {
    s0 += lanes::wide(x + i);
    s1 += lanes::wide(x + i + 8);
    s2 += lanes::wide(x + i + 16);
    s3 += lanes::wide(x + i + 24);
    s4 += lanes::wide(x + i + 32);
    s5 += lanes::wide(x + i + 40);
    s6 += lanes::wide(x + i + 48);
    s7 += lanes::wide(x + i + 56);
  }
  s0 = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  return lanes::total<double>(s0);
}

GINGHAM_MULTIARCH void triad(double* a, const double* b, const double* c, Index n) {
  for (Index i = 0; i < n; i += 8)
    lanes::wide(a + i) = lanes::wide(b + i) + 3.0 * lanes::wide(c + i);
}

// What a limit works on lives as long as the function that uses it.
template <class State>
Limit limit_of(const char* name, const char* unit, double amount, std::shared_ptr<State> state,
               void (*run)(State&)) {
  return {name, unit, amount, [state, run] { run(*state); }};
}

struct Streams {
  ThreadPool pool;
  Array<double> a, b, c;
  Streams(int threads, Index size, int count)
      : pool(threads), a(size), b(count > 1 ? size : 0), c(count > 1 ? size : 0) {
    for (Array<double>* array : {&a, &b, &c}) std::fill_n(array->data(), array->size(), 1.0);
  }
};

template <class T>
struct Squares {
  ThreadPool pool;
  DenseMatrix<T> a, b;
  std::vector<DenseMatrix<T>> c;
  explicit Squares(int threads)
      : pool(threads),
        a(kSquare, kSquare),
        b(kSquare, kSquare),
        c(static_cast<std::size_t>(threads), DenseMatrix<T>(kSquare, kSquare)) {
    std::iota(a.values().begin(), a.values().end(), T{0});
    std::iota(b.values().begin(), b.values().end(), T{0});
  }
};

template <class T>
Limit gemm_limit(const char* name, int threads) {
  const double flops = 2.0 * kSquare * kSquare * kSquare * threads;
  return limit_of<Squares<T>>(
      name, "GFlop/s", flops, std::make_shared<Squares<T>>(threads), [](Squares<T>& s) {
        const BlasSingleThread single;
        s.pool.map(std::ssize(s.c), [&](Index i) {
          gemm(Op::none, Op::none, kSquare, kSquare, kSquare, T{1}, std::as_const(s.a).data(),
               kSquare, std::as_const(s.b).data(), kSquare, T{0}, s.c[i].data(), kSquare);
        });
      });
}

}  // namespace

Limit read_limit(int threads) {
  return limit_of<Streams>("read loop", "GB/s", 8.0 * kLarge,
                           std::make_shared<Streams>(threads, kLarge, 1), [](Streams& s) {
                             const Index piece = kLarge / kPieces;
                             keep(sum_blocks(s.pool, kPieces, [&](Index block) {
                               return plain_sum(std::as_const(s.a).data() + block * piece, piece);
                             }));
                           });
}

Limit triad_limit(int threads) {
  return limit_of<Streams>("triad", "GB/s", 24.0 * (kLarge / 2),
                           std::make_shared<Streams>(threads, kLarge / 2, 3), [](Streams& s) {
                             const Index piece = kLarge / 2 / kPieces;
                             s.pool.map(kPieces, [&](Index block) {
                               const Index from = block * piece;
                               triad(s.a.data() + from, s.b.data() + from, s.c.data() + from,
                                     piece);
                             });
                           });
}

Limit dgemm_limit(int threads) { return gemm_limit<double>("dgemm", threads); }
Limit sgemm_limit(int threads) { return gemm_limit<float>("sgemm", threads); }

}  // namespace gingham::bench
