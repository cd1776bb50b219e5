#include "gingham/operators/centered.hpp"

#include "gingham/kernels/isa.hpp"

namespace gingham::centered {
namespace {

constexpr Index kLanes = 8;  // partial sums: lets a dot product run in vector registers

// sum_j (a_j - m_j) w_j
GINGHAM_MULTIARCH
double centered_dot(const double* a, const double* m, const double* w, Index n) {
  double lane[kLanes] = {}, total = 0.0;
  Index j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    for (Index l = 0; l < kLanes; ++l) lane[l] += (a[j + l] - m[j + l]) * w[j + l];
  }
  for (; j < n; ++j) total += (a[j] - m[j]) * w[j];
  for (Index l = 0; l < kLanes; ++l) total += lane[l];
  return total;
}

// The same for four rows, so that m and w are read once; the same bits as one by one.
GINGHAM_MULTIARCH
void centered_dots(const double* const a[4], const double* m, const double* w, Index n, double* y) {
  double lane[4][kLanes] = {}, total[4] = {};
  Index j = 0;
  for (; j + kLanes <= n; j += kLanes) {
    for (int r = 0; r < 4; ++r) {
      for (Index l = 0; l < kLanes; ++l) lane[r][l] += (a[r][j + l] - m[j + l]) * w[j + l];
    }
  }
  for (; j < n; ++j) {
    for (int r = 0; r < 4; ++r) total[r] += (a[r][j] - m[j]) * w[j];
  }
  for (int r = 0; r < 4; ++r) {
    for (Index l = 0; l < kLanes; ++l) total[r] += lane[r][l];
    y[r] = total[r];
  }
}

// y_j += (a_j - m_j) t, of one row and of four
GINGHAM_MULTIARCH
void add_centered(const double* a, const double* m, double t, double* y, Index n) {
  for (Index j = 0; j < n; ++j) y[j] += (a[j] - m[j]) * t;
}

GINGHAM_MULTIARCH
void add_centered(const double* const a[4], const double* m, const double t[4], double* y,
                  Index n) {
  const double *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3];
  const double t0 = t[0], t1 = t[1], t2 = t[2], t3 = t[3];
  for (Index j = 0; j < n; ++j) {
    const double mean = m[j];
    y[j] +=
        ((a0[j] - mean) * t0 + (a1[j] - mean) * t1) + ((a2[j] - mean) * t2 + (a3[j] - mean) * t3);
  }
}

}  // namespace

void row_dots(const Matrix& a, const double* m, const double* w, Index begin, Index end,
              double* y) {
  Index i = begin;
  for (; i + 4 <= end; i += 4) {
    const double* const four[4] = {a.row(i).data(), a.row(i + 1).data(), a.row(i + 2).data(),
                                   a.row(i + 3).data()};
    centered_dots(four, m, w, a.cols(), y + i);
  }
  for (; i < end; ++i) y[i] = centered_dot(a.row(i).data(), m, w, a.cols());
}

void add_rows(const Matrix& a, const double* m, const double* t, Index begin, Index end,
              double* y) {
  const double* row[4];
  double factor[4];
  int count = 0;
  for (Index i = begin; i < end; ++i) {
    if (t[i] == 0.0) continue;
    row[count] = a.row(i).data();
    factor[count++] = t[i];
    if (count < 4) continue;
    add_centered(row, m, factor, y, a.cols());
    count = 0;
  }
  for (int r = 0; r < count; ++r) add_centered(row[r], m, factor[r], y, a.cols());
}

GINGHAM_MULTIARCH
void prepare(const double* a, const double* m, const double* c, double r, Index n, double* out) {
  for (Index j = 0; j < n; ++j) out[j] = (a[j] - m[j]) * c[j] * r;
}

}  // namespace gingham::centered
