#include "gingham/operators/run_grams.hpp"

#include <algorithm>
#include <numeric>

#include "gingham/kernels/vector_ops.hpp"

namespace gingham {
namespace {

constexpr Index kLeastLeaf = 16;

void add_square(const double* b, Index n, double* q) {
  for (Index k = 0; k < n; ++k) {
    if (b[k] == 0.0) continue;
    for (Index l = 0; l < n; ++l) q[k * n + l] += b[k] * b[l];
  }
}

// Two sorted lists of cells of `width` coordinates each, one behind the other, as one.
void merge_cells(std::vector<Index>& cells, Index n_first, Index width) {
  std::vector<Index> order(cells.size() / static_cast<std::size_t>(width)), merged;
  std::iota(order.begin(), order.end(), Index{0});
  const auto begin = [&](Index cell) { return cells.begin() + cell * width; };
  std::inplace_merge(order.begin(), order.begin() + n_first, order.end(), [&](Index a, Index b) {
    return std::lexicographical_compare(begin(a), begin(a + 1), begin(b), begin(b + 1));
  });
  for (const Index cell : order) merged.insert(merged.end(), begin(cell), begin(cell + 1));
  cells = std::move(merged);
}

}  // namespace

RunGrams::RunGrams(const Observed& data, Index mode, std::span<const Matrix> factors)
    : data_(data), mode_(mode) {
  for (Index m = 0; m < std::ssize(factors); ++m) {
    if (m == mode) continue;
    trees_.emplace_back();
    trees_.back().factor = &factors[static_cast<std::size_t>(m)];
  }
}

void RunGrams::make() const {
  const Index n = n_columns(), size = n * n;
  if (data_.is_matrix() && data_.classes(1 - mode_).count() > 1) {
    const std::vector<Index>& items = data_.classes(1 - mode_).items;
    place_.resize(items.size());
    for (std::size_t at = 0; at < items.size(); ++at) place_[items[at]] = static_cast<Index>(at);
  }
  std::vector<double> behind;
  for (std::size_t m = trees_.size(); m-- > 0;) {
    Tree& tree = trees_[m];
    const Matrix& factor = *tree.factor;
    tree.behind = behind;
    tree.leaf = std::max(kLeastLeaf, n);
    tree.n_leaves = (factor.rows() + tree.leaf - 1) / tree.leaf;
    tree.nodes.assign(static_cast<std::size_t>(2 * tree.n_leaves * size), 0.0);
    for (Index at = 0; at < factor.rows(); ++at)
      add_square(factor.data() + item_at(at) * n, n,
                 tree.nodes.data() + (tree.n_leaves + at / tree.leaf) * size);
    for (Index t = tree.n_leaves - 1; t > 0; --t) {
      for (const Index child : {2 * t, 2 * t + 1})
        axpy(1.0, ConstVec(tree.nodes.data() + child * size, static_cast<std::size_t>(size)),
             Vec(tree.nodes.data() + t * size, static_cast<std::size_t>(size)));
    }
    const double* whole = tree.nodes.data() + size;  // the root
    if (behind.empty()) behind.assign(static_cast<std::size_t>(size), 1.0);
    for (Index e = 0; e < size; ++e) behind[e] *= whole[e];
  }
}

// The boxes beside sorted cells that are left out; visit(z, gram): z z^T o gram, and visit(z):
// z z^T. z: times `start`, where that is given.
template <class Visit>
class RunGrams::Walk {
 public:
  Walk(const RunGrams& runs, const std::vector<Index>& out, ConstVec start, const Visit& visit)
      : runs_(runs),
        out_(out),
        visit_(visit),
        n_modes_(std::ssize(runs.trees_)),
        n_columns_(runs.n_columns()),
        prefix_(static_cast<std::size_t>((n_modes_ + 1) * n_columns_), 1.0),
        row_(static_cast<std::size_t>(n_columns_)),
        product_(static_cast<std::size_t>(n_columns_ * n_columns_)) {
    std::copy(start.begin(), start.end(), prefix_.begin());
  }

  // The items [begin, end) of mode m behind this place, without the cells [first, last) left out.
  void walk(Index m, Index begin, Index end, Index first, Index last) {
    while (first < last) {
      const Index at = coordinate(m, first);
      Index next = first + 1;
      while (next < last && coordinate(m, next) == at) ++next;
      box(m, begin, at);
      if (m + 1 < n_modes_) {
        times(prefix(m), row(m, at), prefix(m + 1));
        if (!is_zero(ConstVec(prefix(m + 1), static_cast<std::size_t>(n_columns_))))
          walk(m + 1, 0, runs_.trees_[m + 1].factor->rows(), first, next);
      }
      begin = at + 1;
      first = next;
    }
    box(m, begin, end);
  }

 private:
  Index coordinate(Index m, Index cell) const { return out_[cell * n_modes_ + m]; }
  double* prefix(Index m) { return prefix_.data() + m * n_columns_; }
  const double* row(Index m, Index at) const {
    return runs_.trees_[m].factor->data() + runs_.item_at(at) * n_columns_;
  }
  void times(const double* a, const double* b, double* product) const {
    for (Index k = 0; k < n_columns_; ++k) product[k] = a[k] * b[k];
  }
  void single(Index m, Index at) {
    const Tree& tree = runs_.trees_[m];
    times(prefix(m), row(m, at), row_.data());
    tree.behind.empty() ? visit_(row_.data()) : visit_(row_.data(), tree.behind.data());
  }
  void box(Index m, Index begin, Index end) {
    const Tree& tree = runs_.trees_[m];
    const Index leaf = tree.leaf, size = n_columns_ * n_columns_;
    const Index first = std::min(end, (begin + leaf - 1) / leaf * leaf);
    const Index last = std::max(first, end / leaf * leaf);
    for (Index at = begin; at < first; ++at) single(m, at);
    for (Index at = last; at < end; ++at) single(m, at);
    Index low = first / leaf + tree.n_leaves, high = last / leaf + tree.n_leaves;
    const auto node = [&](Index t) {
      const double* gram = tree.nodes.data() + t * size;
      if (tree.behind.empty()) return visit_(prefix(m), gram);
      for (Index e = 0; e < size; ++e) product_[e] = gram[e] * tree.behind[e];
      visit_(prefix(m), product_.data());
    };
    for (; first < last && low < high; low /= 2, high /= 2) {
      if (low % 2 == 1) node(low++);
      if (high % 2 == 1) node(--high);
    }
  }

  const RunGrams& runs_;
  const std::vector<Index>& out_;
  const Visit& visit_;
  Index n_modes_, n_columns_;
  std::vector<double> prefix_, row_, product_;
};

template <class Visit>
void RunGrams::for_boxes(Index item, bool skips_listed, ConstVec start, const Visit& visit) const {
  std::call_once(once_, [&] { make(); });
  const Index n_modes = std::ssize(trees_);
  std::vector<Index> out;
  const auto leave_out = [&](const CellList& cells) {
    for (Index e = cells.begin(item); e < cells.end(item); ++e) {
      for (const auto& other : cells.others) out.push_back(place_of(other[e]));
    }
  };
  if (skips_listed) leave_out(data_.entries(mode_));
  const Index n_listed = std::ssize(out);
  if (data_.kind() == Observed::Kind::holes) leave_out(data_.cells(mode_));
  if (n_modes == 1) {
    std::sort(out.begin(), out.end());
  } else if (n_listed > 0 && n_listed < std::ssize(out)) {
    merge_cells(out, n_listed / n_modes, n_modes);
  }
  Walk<Visit> walk(*this, out, start, visit);
  if (!data_.is_matrix())
    return walk.walk(0, 0, trees_[0].factor->rows(), 0, std::ssize(out) / n_modes);
  const ItemClasses& others = data_.classes(1 - mode_);
  const Index own = data_.classes(mode_).of_item[item];
  auto next = out.begin();
  for (Index c = 0; c < others.count(); ++c) {
    const auto begin = next;
    next = std::lower_bound(next, out.end(), others.bounds[c + 1]);
    if (data_.sees(mode_, own, c))
      walk.walk(0, others.bounds[c], others.bounds[c + 1], begin - out.begin(), next - out.begin());
  }
}

void RunGrams::column(Index item, Index k, Vec out) const {
  std::fill(out.begin(), out.end(), 0.0);
  struct Add {
    Index k;
    Vec out;
    void operator()(const double* z) const {
      if (z[k] != 0.0) axpy(z[k], ConstVec(z, out.size()), out);
    }
    void operator()(const double* z, const double* gram) const {
      for (std::size_t l = 0; l < out.size(); ++l)
        out[l] += z[k] * z[l] * gram[static_cast<std::size_t>(k) * out.size() + l];
    }
  };
  for_boxes(item, false, {}, Add{k, out});
}

void RunGrams::gram(Index item, Matrix& q) const {
  const Index n = n_columns();
  if (q.rows() != n || q.cols() != n) q = Matrix(n, n);
  std::fill(q.values().begin(), q.values().end(), 0.0);
  struct Add {
    Index n;
    double* q;
    void operator()(const double* z) const { add_square(z, n, q); }
    void operator()(const double* z, const double* gram) const {
      for (Index k = 0; k < n; ++k) {
        for (Index l = 0; l < n; ++l) q[k * n + l] += z[k] * z[l] * gram[k * n + l];
      }
    }
  };
  for_boxes(item, false, {}, Add{n, q.data()});
}

double RunGrams::unlisted_squares(Index item, ConstVec f) const {
  if (is_zero(f)) return 0.0;
  struct Add {
    std::size_t n;
    double* total;
    void operator()(const double* z) const {
      const double m = sum(ConstVec(z, n));
      *total += m * m;
    }
    void operator()(const double* z, const double* gram) const {
      for (std::size_t k = 0; k < n; ++k) {
        if (z[k] != 0.0) *total += z[k] * dot(ConstVec(gram + k * n, n), ConstVec(z, n));
      }
    }
  };
  double total = 0.0;
  for_boxes(item, true, f, Add{f.size(), &total});
  return total;
}

}  // namespace gingham
