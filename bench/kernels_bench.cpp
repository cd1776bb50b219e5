// The kernels against the limits of the machine, Eigen and hand-written plain loops, all in one
// run.
#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "gingham/base/rng.hpp"
#include "gingham/kernels/blas.hpp"
#include "gingham/kernels/contraction.hpp"
#include "gingham/kernels/gram.hpp"
#include "gingham/kernels/products.hpp"
#include "limits.hpp"
#include "table.hpp"

namespace gingham::bench {
namespace {

constexpr int kThreadCounts[] = {1, 2};
constexpr double kBandwidthGoal = 0.7;
constexpr double kRivalGoal = 1.3;

std::string threads_text(int threads) {
  return threads == 1 ? "1 thread" : std::to_string(threads) + " threads";
}

template <class T>
DenseMatrix<T> random_matrix(Index rows, Index cols, Rng& rng) {
  DenseMatrix<T> a(rows, cols);
  T* data = a.data();
  for (Index i = 0; i < a.size(); ++i) data[i] = static_cast<T>(rng.uniform());
  return a;
}

// Work of `amount` (in the limit's unit) as a share of the limit, run in turn with it.
void add_share(Table& table, const std::string& name, const std::string& what, double amount,
               const std::function<void()>& work, const Limit& limit, Goal goal) {
  const std::vector<double> seconds = seconds_of_rivals({work, limit.run});
  const double best = limit.amount / seconds[1];
  char text[64];
  std::snprintf(text, sizeof text, "%s %.4g", limit.name, best * 1e-9);
  table.add(
      {name, what, amount / seconds[0] * 1e-9, limit.unit, text, amount / seconds[0] / best, goal});
}

// Times in ms against the fastest of several rivals.
struct Rival {
  const char* name;
  std::function<void()> work;
};
void add_race(Table& table, const std::string& name, const std::string& what,
              const std::function<void()>& ours, const std::vector<Rival>& rivals, Goal goal) {
  std::vector<std::function<void()>> works{ours};
  for (const Rival& rival : rivals) works.push_back(rival.work);
  const std::vector<double> seconds = seconds_of_rivals(works);
  const auto best = std::min_element(seconds.begin() + 1, seconds.end());
  char text[64];
  std::snprintf(text, sizeof text, "%s %.4g ms", rivals[best - seconds.begin() - 1].name,
                *best * 1e3);
  table.add({name, what, seconds[0] * 1e3, "ms", text, seconds[0] / *best, goal});
}

void limits(Table& table) {
  const std::pair<const char*, Limit (*)(int)> all[] = {{"limits/read", read_limit},
                                                        {"limits/triad", triad_limit},
                                                        {"limits/dgemm", dgemm_limit},
                                                        {"limits/sgemm", sgemm_limit}};
  for (const auto& [name, make] : all) {
    if (!table.wants(name)) continue;
    for (const int threads : kThreadCounts) {
      const Limit limit = make(threads);
      table.add({name,
                 threads_text(threads),
                 limit.amount / seconds_of(limit.run) * 1e-9,
                 limit.unit,
                 "",
                 0.0,
                 {}});
    }
  }
}

void dense_passes(Table& table) {
  if (!table.wants("kernels/pass")) return;
  Rng rng = Rng::named(1, "passes");
  const Index rows = 20000, cols = 2000;
  const Matrix a = random_matrix<double>(rows, cols, rng);
  std::vector<double> v(cols, 1.0), u(rows, 1.0), av(rows), atu(cols);
  const double bytes = static_cast<double>(a.bytes());
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    const Limit limit = read_limit(threads);
    const std::string what = "20000x2000, " + threads_text(threads);
    const auto add = [&](const char* name, const std::function<void()>& work) {
      add_share(table, std::string("kernels/pass/") + name, what, bytes, work, limit,
                at_least(kBandwidthGoal));
    };
    add("A.v", [&] { multiply(a, v, av, pool); });
    add("At.u", [&] { multiply_transposed(a, u, atu, pool); });
    add("sweep", [&] {
      sweep(
          a, v,
          [](Index, Index, ConstVec part, Vec made) {
            std::copy(part.begin(), part.end(), made.begin());
          },
          av, atu, pool);
    });
  }
}

template <class T>
void thin_products(Table& table, const char* type, Limit (*peak)(int)) {
  const std::string base = std::string("kernels/thin/") + type;
  if (!table.wants(base)) return;
  Rng rng = Rng::named(2, "thin");
  const Index rows = 2000, cols = 1000;
  const DenseMatrix<T> a = random_matrix<T>(rows, cols, rng);
  for (const Index k : {5, 20, 50}) {
    const DenseMatrix<T> x = random_matrix<T>(cols, k, rng), u = random_matrix<T>(rows, k, rng);
    DenseMatrix<T> y(rows, k), z(cols, k), g(k, k);
    const double flops = 2.0 * static_cast<double>(rows * cols * k);
    for (const int threads : kThreadCounts) {
      ThreadPool pool(threads);
      const Limit limit = peak(threads);
      const std::string what = "2000x1000, k=" + std::to_string(k) + ", " + threads_text(threads);
      const Goal goal = k == 20 ? at_least(0.55) : Goal{};
      const auto add = [&](const char* name, double amount, const std::function<void()>& work,
                           Goal wanted) {
        add_share(table, base + name, what, amount, work, limit, wanted);
      };
      add(
          "/AX", flops, [&] { multiply(a, x, y, pool); }, goal);
      add(
          "/AtX", flops, [&] { multiply_transposed(a, u, z, pool); }, goal);
      add(
          "/gram", static_cast<double>(rows * k * k), [&] { gram(u, g, pool); }, Goal{});
    }
    if (k != 20) continue;
    const BlasSingleThread single;
    add_share(
        table, base + "/AX by OpenBLAS", "2000x1000, k=20, 1 thread", flops,
        [&] {
          gemm(Op::none, Op::none, rows, k, cols, T{1}, a.data(), cols, x.data(), k, T{0}, y.data(),
               k);
        },
        peak(1), Goal{});
    add_share(
        table, base + "/AtX by OpenBLAS", "2000x1000, k=20, 1 thread", flops,
        [&] {
          gemm(Op::transpose, Op::none, cols, k, rows, T{1}, a.data(), cols, u.data(), k, T{0},
               z.data(), k);
        },
        peak(1), Goal{});
  }
}

// Item i is drawn with a probability that falls like a power of its rank, in shuffled order.
std::vector<std::int32_t> power_law_items(Index n_items, Index n_draws, double exponent, Rng& rng) {
  const std::vector<Index> name = rng.permutation(n_items);
  std::vector<double> until(static_cast<std::size_t>(n_items));
  double total = 0.0;
  for (Index i = 0; i < n_items; ++i)
    until[i] = total += std::pow(static_cast<double>(i + 1), -exponent);
  std::vector<std::int32_t> drawn;
  for (Index d = 0; d < n_draws; ++d) {
    const auto at = std::upper_bound(until.begin(), until.end() - 1, rng.uniform() * total);
    drawn.push_back(static_cast<std::int32_t>(name[at - until.begin()]));
  }
  return drawn;
}

template <class T>
Array<T> array_of(const std::vector<T>& values) {
  Array<T> array(std::ssize(values));
  std::copy(values.begin(), values.end(), array.data());
  return array;
}

SparseMatrix power_law_matrix(Index n, Index entries, Rng& rng) {
  const std::vector<double> values(static_cast<std::size_t>(entries), 1.5);
  return SparseMatrix::from_triplets(n, n, array_of(power_law_items(n, entries, 0.5, rng)),
                                     array_of(power_law_items(n, entries, 0.5, rng)),
                                     array_of(values), Duplicates::sum);
}

void plain_sparse_dots(const SparseMatrix& a, const double* x, double* y) {
  const Index* pointers = a.pointers().data();
  const std::int32_t* column = a.columns().data();
  const double* value = a.values().data();
  for (Index i = 0; i < a.rows(); ++i) {
    double sum = 0.0;
    for (Index e = pointers[i]; e < pointers[i + 1]; ++e) sum += value[e] * x[column[e]];
    y[i] = sum;
  }
}

template <class T>
void plain_sparse_thin(const SparseMatrix& a, const T* x, Index k, T* y) {
  const Index* pointers = a.pointers().data();
  const std::int32_t* column = a.columns().data();
  const double* value = a.values().data();
  for (Index i = 0; i < a.rows(); ++i) {
    T* out = y + i * k;
    std::fill_n(out, k, T{0});
    for (Index e = pointers[i]; e < pointers[i + 1]; ++e) {
      const T v = static_cast<T>(value[e]);
      const T* row = x + column[e] * k;
      for (Index c = 0; c < k; ++c) out[c] += v * row[c];
    }
  }
}

void sparse_products(Table& table) {
  if (!table.wants("kernels/sparse")) return;
  using EigenSparse = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;
  using EigenThin = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Rng rng = Rng::named(3, "sparse");
  const Index n = 10000, k = 20;
  const SparseMatrix a = power_law_matrix(n, n * n / 200, rng);
  const SparseMatrix& at = a.transposed();
  std::vector<Eigen::Triplet<double>> triplets;
  for (Index i = 0; i < n; ++i) {
    for (Index e = a.pointers()[i]; e < a.pointers()[i + 1]; ++e) {
      triplets.emplace_back(static_cast<int>(i), a.columns()[e], a.values()[e]);
    }
  }
  EigenSparse eigen(n, n);
  eigen.setFromTriplets(triplets.begin(), triplets.end());
  const EigenSparse eigen_t = eigen.transpose();
  const Matrix x = random_matrix<double>(n, k, rng);
  const MatrixF xf = random_matrix<float>(n, k, rng);
  Matrix y(n, k);
  MatrixF yf(n, k);
  const std::vector<double> v(static_cast<std::size_t>(n), 1.25);
  std::vector<double> w(static_cast<std::size_t>(n));
  const Eigen::Map<const Eigen::VectorXd> ev(v.data(), n);
  Eigen::Map<Eigen::VectorXd> ew(w.data(), n);
  const Eigen::Map<const EigenThin> ex(x.data(), n, k);
  Eigen::Map<EigenThin> ey(y.data(), n, k);
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    const std::string what =
        "10^4 x 10^4, " + std::to_string(a.entries() / 1000) + "k nnz, " + threads_text(threads);
    const Goal goal = at_most(kRivalGoal);
    add_race(
        table, "kernels/sparse/A.x", what, [&] { multiply(a, v, w, pool); },
        {{"Eigen", [&] { ew.noalias() = eigen * ev; }},
         {"plain", [&] { plain_sparse_dots(a, v.data(), w.data()); }}},
        goal);
    add_race(
        table, "kernels/sparse/At.x", what, [&] { multiply_transposed(a, v, w, pool); },
        {{"Eigen", [&] { ew.noalias() = eigen.transpose() * ev; }},
         {"Eigen, transpose kept", [&] { ew.noalias() = eigen_t * ev; }},
         {"plain", [&] { plain_sparse_dots(at, v.data(), w.data()); }}},
        goal);
    add_race(
        table, "kernels/sparse/AX", what + ", k=20", [&] { multiply(a, x, y, pool); },
        {{"Eigen", [&] { ey.noalias() = eigen * ex; }},
         {"plain", [&] { plain_sparse_thin(a, x.data(), k, y.data()); }}},
        goal);
    add_race(
        table, "kernels/sparse/AtX", what + ", k=20", [&] { multiply_transposed(a, x, y, pool); },
        {{"Eigen", [&] { ey.noalias() = eigen_t * ex; }},
         {"plain", [&] { plain_sparse_thin(at, x.data(), k, y.data()); }}},
        goal);
    add_race(
        table, "kernels/sparse/AX float", what + ", k=20", [&] { multiply(a, xf, yf, pool); },
        {{"plain", [&] { plain_sparse_thin(a, xf.data(), k, yf.data()); }}}, goal);
  }
}

void dense_tensors(Table& table) {
  if (!table.wants("kernels/tensor/dense")) return;
  Rng rng = Rng::named(4, "dense tensors");
  const Shape shape{400, 300, 200};
  Tensor x(shape);
  for (double& value : x.values()) value = rng.uniform();
  const Index k = 16;
  std::vector<Matrix> factors;
  std::vector<std::vector<double>> storage;
  for (const Index size : shape) {
    factors.push_back(random_matrix<double>(size, k, rng));
    storage.emplace_back(static_cast<std::size_t>(size), 0.5);
  }
  const std::vector<ConstVec> vectors(storage.begin(), storage.end());
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    const Limit read = read_limit(threads), peak = dgemm_limit(threads);
    for (Index mode = 0; mode < 3; ++mode) {
      const std::string what =
          "400x300x200, mode " + std::to_string(mode) + ", " + threads_text(threads);
      std::vector<double> y(static_cast<std::size_t>(shape[mode]));
      add_share(
          table, "kernels/tensor/dense contraction", what, static_cast<double>(x.bytes()),
          [&] { contract(x, mode, vectors, y, pool); }, read, at_least(kBandwidthGoal));
      Matrix m;
      add_share(
          table, "kernels/tensor/dense MTTKRP", what + ", K=16",
          2.0 * static_cast<double>(x.size() * k), [&] { mttkrp(x, mode, factors, m, pool); }, peak,
          Goal{});
    }
  }
}

// The plain loop over the entries of each item of mode 0.
void plain_sparse_mttkrp(const SparseTensor::Grouped& x, Index items, const Matrix& b,
                         const Matrix& c, Matrix& y) {
  const Index k = b.cols();
  const Index* pointers = x.pointers.data();
  const std::int32_t *j = x.coordinates[1].data(), *l = x.coordinates[2].data();
  const double* value = x.values.data();
  const double *left = b.data(), *right = c.data();
  double* out = y.data();
  for (Index i = 0; i < items; ++i, out += k) {
    std::fill_n(out, k, 0.0);
    for (Index e = pointers[i]; e < pointers[i + 1]; ++e) {
      const double *p = left + j[e] * k, *q = right + l[e] * k;
      for (Index r = 0; r < k; ++r) out[r] += value[e] * p[r] * q[r];
    }
  }
}

void plain_sparse_contract(const SparseTensor::Grouped& x, Index items, const double* b,
                           const double* c, double* y) {
  const Index* pointers = x.pointers.data();
  const std::int32_t *j = x.coordinates[1].data(), *l = x.coordinates[2].data();
  const double* value = x.values.data();
  for (Index i = 0; i < items; ++i) {
    double sum = 0.0;
    for (Index e = pointers[i]; e < pointers[i + 1]; ++e) sum += value[e] * b[j[e]] * c[l[e]];
    y[i] = sum;
  }
}

void sparse_tensor(Table& table, const char* size_name, const Shape& shape, Index entries,
                   Index k) {
  Rng rng = Rng::named(5, size_name);
  std::vector<Array<std::int32_t>> coordinates;
  for (const Index size : shape)
    coordinates.push_back(array_of(power_law_items(size, entries, 0.4, rng)));
  const SparseTensor x = SparseTensor::from_coordinates(
      shape, std::move(coordinates),
      array_of(std::vector<double>(static_cast<std::size_t>(entries), 1.5)), Duplicates::sum);
  std::vector<Matrix> factors;
  std::vector<std::vector<double>> storage;
  for (const Index size : shape) {
    factors.push_back(random_matrix<double>(size, k, rng));
    storage.emplace_back(static_cast<std::size_t>(size), 0.5);
  }
  const std::vector<ConstVec> vectors(storage.begin(), storage.end());
  const SparseTensor::Grouped& grouped = x.grouped(0);
  for (Index mode = 1; mode < 3; ++mode) x.grouped(mode);
  std::vector<double> y(static_cast<std::size_t>(shape[0]));
  Matrix m(shape[0], k);
  std::vector<Matrix> all(3);
  for (const int threads : kThreadCounts) {
    ThreadPool pool(threads);
    const std::string what = std::string(size_name) + ", " + threads_text(threads);
    add_race(
        table, "kernels/tensor/sparse contraction", what, [&] { contract(x, 0, vectors, y, pool); },
        {{"plain",
          [&] {
            plain_sparse_contract(grouped, shape[0], vectors[1].data(), vectors[2].data(),
                                  y.data());
          }}},
        at_most(kRivalGoal));
    add_race(
        table, "kernels/tensor/sparse MTTKRP", what + ", K=" + std::to_string(k),
        [&] { mttkrp(x, 0, factors, m, pool); },
        {{"plain", [&] { plain_sparse_mttkrp(grouped, shape[0], factors[1], factors[2], m); }}},
        at_most(kRivalGoal));
    const Limit read = read_limit(threads);
    const std::vector<double> times =
        seconds_of_rivals({[&] {
                             for (Index mode = 0; mode < 3; ++mode) {
                               mttkrp(x, mode, factors, all[mode], pool);
                             }
                           },
                           read.run});
    const double seconds = times[0];
    const double stream =
        static_cast<double>(3 * x.entries() * (8 + 2 * 4)) * times[1] / read.amount;
    table.add({"kernels/tensor/sparse MTTKRP 3 modes", what + ", K=" + std::to_string(k),
               seconds * 1e3, "ms", "streaming the nonzeros", seconds / stream, Goal{}});
    table.add({"kernels/tensor/sparse MTTKRP 3 modes", what + ", K=" + std::to_string(k),
               seconds * 1e9 / static_cast<double>(3 * x.entries() * k), "ns", "", 0.0, Goal{}});
  }
}

void sparse_tensors(Table& table) {
  if (!table.wants("kernels/tensor/sparse")) return;
  sparse_tensor(table, "168x168x44, 35k nnz", {168, 168, 44}, 50000, 5);
  sparse_tensor(table, "10kx10kx1k, 10M nnz", {10000, 10000, 1000}, 10000000, 16);
}

}  // namespace

void kernels_bench(Table& table) {
  limits(table);
  dense_passes(table);
  thin_products<double>(table, "double", dgemm_limit);
  thin_products<float>(table, "float", sgemm_limit);
  sparse_products(table);
  dense_tensors(table);
  sparse_tensors(table);
}

}  // namespace gingham::bench
