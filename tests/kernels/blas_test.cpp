#include "gingham/kernels/blas.hpp"

#include <cblas.h>

#include "kernels/support.hpp"

namespace gingham {
namespace {

TEST(BlasSingleThread, PinsAndRestoresTheCallersSetting) {
  const int before = openblas_get_num_threads();
  openblas_set_num_threads(2);
  {
    const BlasSingleThread outer;
    EXPECT_EQ(openblas_get_num_threads(), 1);
    {
      const BlasSingleThread inner;
      EXPECT_EQ(openblas_get_num_threads(), 1);
    }
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), 2);
  openblas_set_num_threads(before);
}

TEST(Blas, GemmAgreesWithPlainLoops) {
  const BlasSingleThread single;
  Rng rng = Rng::named(1, "gemm");
  for (const auto& [m, n, k] : {std::array<Index, 3>{1, 1, 1}, {3, 4, 5}, {20, 1, 7}, {9, 33, 2}}) {
    const Matrix a = test::random_matrix(m, k, rng), b = test::random_matrix(k, n, rng);
    const Matrix at = test::transpose_of(a), bt = test::transpose_of(b);
    Matrix c(m, n);
    gemm(Op::none, Op::none, m, n, k, 1.0, a.data(), k, b.data(), n, 0.0, c.data(), n);
    test::expect_product(a, b, c);
    gemm(Op::transpose, Op::transpose, m, n, k, 1.0, at.data(), m, bt.data(), k, 0.0, c.data(), n);
    test::expect_product(a, b, c);
    const MatrixF af = test::random_matrix_f(m, k, rng), bf = test::random_matrix_f(k, n, rng);
    MatrixF cf(m, n);
    gemm(Op::none, Op::none, m, n, k, 1.0f, af.data(), k, bf.data(), n, 0.0f, cf.data(), n);
    test::expect_product(af, bf, cf);
  }
}

TEST(Blas, EmptySizesAreNoWork) {
  const BlasSingleThread single;
  double c = 5.0;
  gemm(Op::none, Op::none, 0, 0, 0, 1.0, nullptr, 0, nullptr, 0, 0.0, &c, 0);
  EXPECT_EQ(c, 5.0);
  gemm(Op::none, Op::none, 1, 1, 0, 1.0, &c, 0, &c, 1, 0.0, &c, 1);
  EXPECT_EQ(c, 0.0);
}

TEST(Blas, RefusesSizesBeyond32Bits) {
  double c = 0.0;
  EXPECT_THROW(gemm(Op::none, Op::none, Index{1} << 32, 1, 1, 1.0, &c, 1, &c, 1, 0.0, &c, 1),
               Error);
}

}  // namespace
}  // namespace gingham
