#include "gingham/methods/sparse_coding/start.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gingham/kernels/kmeans.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/methods/sparse_coding/model.hpp"

namespace gingham::methods::sparse_coding {
namespace {

constexpr Index kPointsPerAtom = 32;  // for k-means
constexpr Index kRounds = 10;         // of k-means

// Unit length; false for zeros.
bool to_unit(Vec atom) {
  const double length = norm2(atom);
  if (!(length > 0.0)) return false;
  scale(1.0 / length, atom);
  return true;
}

void random_direction(Vec atom, Rng& rng) {
  do {
    for (double& value : atom) value = rng.normal();
  } while (!to_unit(atom));
}

// Up to `wanted` samples that are not zero, drawn without repetition, of unit length if asked for.
Matrix draw(const Samples& samples, Index wanted, Rng& rng, Context& ctx) {
  const Index n = samples.count(), p = samples.length();
  // Constant samples are passed over; with more of them than this the rest is filled up.
  const std::vector<Index> places = rng.sample(n, std::min(n, 4 * wanted + 64));
  Matrix drawn(wanted, p);
  Index found = 0;
  for (std::size_t k = 0; k < places.size() && found < wanted; ++k) {
    if (k % 4096 == 0) ctx.check_stop();
    char is_kept = 0;
    samples.read(places[k], 1, p, drawn.row(found).data(), &is_kept);
    if (is_kept != 0 && !is_zero(drawn.row(found))) ++found;
  }
  Matrix all(found, p);
  std::copy_n(std::as_const(drawn).data(), found * p, all.data());
  return all;
}

Matrix centers(const Matrix& points, Index m, Rng& rng, Context& ctx) {
  KMeansState lloyd;
  kmeans_start(points, m, rng, lloyd, ctx.executor(), [&] { ctx.check_stop(); });
  for (Index round = 0; round < kRounds; ++round) {
    ctx.check_stop();
    if (kmeans_iterate(points, lloyd, ctx.executor()) == 0) break;
  }
  return lloyd.centers;
}

}  // namespace

Matrix initial_atoms(const Samples& samples, const Options& options, Context& ctx,
                     std::vector<std::string>& notes) {
  const Index m = options.integer("atoms"), p = samples.length();
  if (const Matrix* const given = options.matrix("init")) {
    Matrix atoms = as_rows(*given);
    for (Index j = 0; j < m; ++j) {
      const std::vector<double> wanted(atoms.row(j).begin(), atoms.row(j).end());
      best_atom(wanted, 1.0, atoms.row(j));
    }
    return atoms;
  }
  Rng rng = ctx.rng("start");
  const std::string& word = options.text("init");
  Matrix first(0, p);
  if (word == "patches") first = draw(samples, m, rng, ctx);
  if (word == "kmeans") {
    const Matrix points = draw(samples, std::min(samples.count(), kPointsPerAtom * m), rng, ctx);
    if (points.rows() > 0) first = centers(points, std::min(m, points.rows()), rng, ctx);
  }
  Matrix atoms(m, p);
  Index n_filled = 0;
  for (Index j = 0; j < m; ++j) {
    const bool is_there = j < first.rows();
    if (is_there) std::copy_n(std::as_const(first).row(j).data(), p, atoms.row(j).data());
    if (is_there && to_unit(atoms.row(j))) continue;
    random_direction(atoms.row(j), rng);
    ++n_filled;
  }
  if (word != "random" && n_filled > 0)
    notes.push_back(
        fmt::format("there are fewer samples than atoms: {} of {} atoms began as random directions",
                    n_filled, m));
  return atoms;
}

}  // namespace gingham::methods::sparse_coding
