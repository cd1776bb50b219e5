#include "gingham/methods/nonnegative/run_grams.hpp"

#include <algorithm>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham::methods::nonnegative {
namespace {

constexpr Index kLeastLeaf = 16;

void add_square(const double* b, Index rank, double* q) {
  for (Index k = 0; k < rank; ++k) {
    if (b[k] == 0.0) continue;
    for (Index l = 0; l < rank; ++l) q[k * rank + l] += b[k] * b[l];
  }
}

}  // namespace

void RunGrams::make() const {
  const Classes& classes = data_.classes(1 - side_);
  const Index n = other_.rows(), rank = other_.cols(), size = rank * rank;
  leaf_ = std::max(kLeastLeaf, rank);
  n_leaves_ = (n + leaf_ - 1) / leaf_;
  place_.resize(static_cast<std::size_t>(n));
  nodes_.assign(static_cast<std::size_t>(2 * n_leaves_ * size), 0.0);
  for (Index at = 0; at < n; ++at) {
    place_[classes.items[at]] = at;
    add_square(other_.data() + classes.items[at] * rank, rank,
               nodes_.data() + (n_leaves_ + at / leaf_) * size);
  }
  for (Index t = n_leaves_ - 1; t > 0; --t) {
    for (const Index child : {2 * t, 2 * t + 1})
      axpy(1.0, ConstVec(nodes_.data() + child * size, static_cast<std::size_t>(size)),
           Vec(nodes_.data() + t * size, static_cast<std::size_t>(size)));
  }
}

// Calls node(Gram matrix) and cell(j) for what is observed of an item and not listed.
template <class Node, class Cell>
void RunGrams::for_runs(Index item, std::span<const std::int32_t> listed, const Node& node,
                        const Cell& cell) const {
  std::call_once(once_, [&] { make(); });
  const Classes& classes = data_.classes(1 - side_);
  const Cells& holes = data_.cells(side_);
  std::vector<Index> out;
  for (const std::int32_t j : listed) out.push_back(place_[j]);
  if (!holes.empty()) {
    for (const std::int32_t j : holes.others_of(item)) out.push_back(place_[j]);
  }
  std::sort(out.begin(), out.end());
  const Index own = data_.classes(side_).of_item[item], size = other_.cols() * other_.cols();
  const auto run = [&](Index begin, Index end) {
    const Index first = std::min(end, (begin + leaf_ - 1) / leaf_ * leaf_);
    const Index last = std::max(first, end / leaf_ * leaf_);
    for (Index at = begin; at < first; ++at) cell(classes.items[at]);
    for (Index at = last; at < end; ++at) cell(classes.items[at]);
    Index low = first / leaf_ + n_leaves_, high = last / leaf_ + n_leaves_;
    for (; first < last && low < high; low /= 2, high /= 2) {
      if (low % 2 == 1) node(nodes_.data() + low++ * size);
      if (high % 2 == 1) node(nodes_.data() + --high * size);
    }
  };
  auto next = out.begin();
  for (Index c = 0; c < classes.count(); ++c) {
    const bool is_seen = side_ == 0 ? data_.sees(own, c) : data_.sees(c, own);
    Index begin = classes.bounds[c];
    for (; next != out.end() && *next < classes.bounds[c + 1]; ++next) {
      if (is_seen) run(begin, *next);
      begin = *next + 1;
    }
    if (is_seen) run(begin, classes.bounds[c + 1]);
  }
}

void RunGrams::column(Index item, Index k, Vec out) const {
  const Index rank = other_.cols();
  std::fill(out.begin(), out.end(), 0.0);
  for_runs(
      item, {}, [&](const double* gram) { axpy(1.0, ConstVec(gram + k * rank, out.size()), out); },
      [&](Index j) {
        const double* b = other_.data() + j * rank;
        if (b[k] != 0.0) axpy(b[k], ConstVec(b, out.size()), out);
      });
}

void RunGrams::add_gram(Index item, Matrix& q) const {
  const Index rank = other_.cols();
  for_runs(
      item, {},
      [&](const double* gram) {
        axpy(1.0, ConstVec(gram, static_cast<std::size_t>(rank * rank)), q.values());
      },
      [&](Index j) { add_square(other_.data() + j * rank, rank, q.data()); });
}

double RunGrams::squares(Index item, ConstVec f, std::span<const std::int32_t> listed) const {
  const Index rank = other_.cols();
  double total = 0.0;
  for_runs(
      item, listed,
      [&](const double* gram) {
        for (Index k = 0; k < rank; ++k)
          total += f[k] * dot(ConstVec(gram + k * rank, f.size()), f);
      },
      [&](Index j) {
        const double m = dot(ConstVec(other_.data() + j * rank, f.size()), f);
        total += m * m;
      });
  return total;
}

}  // namespace gingham::methods::nonnegative
