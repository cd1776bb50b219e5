// Products with a prepared matrix. With w = D_c x, t = D_r x, where nothing is missing:
//
//   (R x)_i   = r_i (sum_j x_ij w_j - sum_j m_j w_j) - sum_t c_t a_ti (b_t . x)
//   (R^T x)_j = c_j (sum_i x_ij t_i - m_j sum_i t_i) - sum_t c_t b_tj (a_t . x)
//
// A dense matrix is centred cell by cell. Otherwise the observed cells of R are formed as they are
// needed: pieces of rows of a dense matrix, the listed cells of a sparse one. To unlisted zeros
// means and terms add what they do to all cells less the listed ones.
#include "gingham/operators/prepared.hpp"

#include <algorithm>
#include <cmath>

#include "gingham/kernels/cancellation.hpp"
#include "gingham/kernels/dense_kernels.hpp"
#include "gingham/kernels/isa.hpp"
#include "gingham/kernels/products.hpp"
#include "gingham/kernels/vector_ops.hpp"
#include "gingham/operators/centered.hpp"
#include "gingham/operators/prepared_lines.hpp"

namespace gingham {
namespace {

constexpr Index kChunk = 512;           // cells of a row formed at a time
constexpr int kLowestExponent = -1000;  // of a unit, so that its inverse is finite

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

void check(std::size_t found, Index expected) {
  if (static_cast<Index>(found) != expected)
    throw Error(ErrorCode::internal, "", "product with a matrix: a vector has the wrong size");
}

void multiply_each(const std::vector<double>& factors, Vec x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= factors[i];
}

std::vector<double> times(const std::vector<double>& factors, ConstVec x) {
  std::vector<double> result(x.begin(), x.end());
  multiply_each(factors, result);
  return result;
}

// r_j -= sum_k factor_k other_k[j]; what is missing stays missing.
GINGHAM_MULTIARCH
void take_terms(const double* factors, const double* const* others, std::size_t n_terms, Index from,
                Index n, double* r) {
  for (std::size_t k = 0; k < n_terms; ++k) {
    const double c = factors[k];
    const double* b = others[k] + from;
    for (Index j = 0; j < n; ++j) r[j] -= c * b[j];
  }
}

}  // namespace

PreparedMatrix::PreparedMatrix(const Block& matrix, Executor& executor)
    : PreparedMatrix(matrix, unprepared(matrix), executor) {}

PreparedMatrix::PreparedMatrix(const Block& matrix, Scale scale, Executor& executor)
    : PreparedMatrix(matrix, prepare(matrix, scale, executor), executor) {}

PreparedMatrix::PreparedMatrix(const Block& matrix, Preparation preparation, Executor& executor)
    : block_(&matrix), executor_(&executor), preparation_(std::move(preparation)) {
  if (!matrix.is_matrix()) throw Error(ErrorCode::internal, matrix.name(), "is not a matrix");
  shift_ = times(preparation_.column_scale, preparation_.means);
  if (const double largest = max_abs(shift_); largest > 0.0)
    shift_unit_ = std::ldexp(1.0, std::max(std::ilogb(largest), kLowestExponent));
  scale(1.0 / shift_unit_, shift_);
}

void PreparedMatrix::subtract(double weight, ConstVec left, ConstVec right) {
  check(left.size(), rows());
  check(right.size(), cols());
  terms_.push_back({weight, {left.begin(), left.end()}, {right.begin(), right.end()}});
  used_ = n_terms();
}

void PreparedMatrix::forget_terms() {
  terms_.clear();
  used_ = 0;
}

const SparseMatrix& PreparedMatrix::lines(Side side) const {
  const SparseMatrix& rows = *block_->sparse_matrix();
  return side == Side::rows ? rows : rows.transposed();
}

std::vector<PreparedMatrix::Outer> PreparedMatrix::outer_products(Side side) const {
  std::vector<Outer> outer;
  const auto add = [&](double weight, const std::vector<double>& left,
                       const std::vector<double>& right, bool is_centring) {
    const bool by_rows = side == Side::rows;
    outer.push_back(
        {weight, (by_rows ? left : right).data(), (by_rows ? right : left).data(), is_centring});
  };
  for (Index t = 0; t < used_; ++t) {
    const Term& term = terms_[static_cast<std::size_t>(t)];
    add(term.weight, term.left, term.right, false);
  }
  if (!preparation_.is_none) add(shift_unit_, preparation_.row_scale, shift_, true);
  return outer;
}

void PreparedMatrix::fill_row(Index i, Vec out, double missing) const {
  check(out.size(), cols());
  const auto put = [&](Index j, double value) {
    out[j] = value == value ? preparation_(i, j, value) : missing;
  };
  if (const Matrix* x = block_->dense_matrix()) {
    for (Index j = 0; j < cols(); ++j) put(j, (*x)(i, j));
    return;
  }
  const SparseMatrix& x = *block_->sparse_matrix();
  const double unlisted = block_->unlisted() == Unlisted::zero ? 0.0 : std::nan("");
  for (Index j = 0; j < cols(); ++j) put(j, unlisted);
  for (Index k = x.pointers()[i]; k < x.pointers()[i + 1]; ++k) put(x.columns()[k], x.values()[k]);
}

std::vector<std::uint8_t> PreparedMatrix::seen_rows() const {
  std::vector<std::uint8_t> seen(size(rows()), 1);
  if (is_complete()) return seen;
  std::vector<double> sums(seen.size()), counts(seen.size());
  gingham::multiply_observed(*block_, std::vector<double>(size(cols()), 1.0), sums, counts,
                             *executor_);
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = counts[i] > 0.5 ? 1 : 0;
  return seen;
}

// Cells [from, from + n) of row i of R, for a dense matrix.
void PreparedMatrix::residual_cells(Index i, Index from, Index n, const Line& model,
                                    double* out) const {
  const double* x = block_->dense_matrix()->row(i).data() + from;
  if (preparation_.is_none) {
    std::copy_n(x, n, out);
  } else {
    centered::prepare(x, preparation_.means.data() + from, preparation_.column_scale.data() + from,
                      preparation_.row_scale[i], n, out);
  }
  take_terms(model.factors.data(), model.others.data(), model.factors.size(), from, n, out);
}

// Where nothing is missing.
void PreparedMatrix::product(Side side, ConstVec x, Vec y) const {
  const bool by_rows = side == Side::rows;
  const Preparation& p = preparation_;
  if (p.is_none) {
    by_rows ? gingham::multiply(*block_, x, y, *executor_)
            : gingham::multiply_transposed(*block_, x, y, *executor_);
  } else {
    const std::vector<double> w = times(by_rows ? p.column_scale : p.row_scale, x);
    if (const Matrix* a = block_->dense_matrix()) {
      const Partition blocks = Partition::even(rows(), cols(), cols());
      if (by_rows) {
        executor_->map(blocks.count(), [&](Index block) {
          centered::row_dots(*a, p.means.data(), w.data(), blocks.begin(block), blocks.end(block),
                             y.data());
        });
      } else {
        std::fill(y.begin(), y.end(), 0.0);
        sum_blocks(*executor_, blocks.count(), y, [&](Index block, Vec partial) {
          centered::add_rows(*a, p.means.data(), w.data(), blocks.begin(block), blocks.end(block),
                             partial.data());
        });
      }
    } else if (by_rows) {
      gingham::multiply(*block_, w, y, *executor_);
      const double shift = dot(p.means, w);
      for (double& value : y) value -= shift;
    } else {
      gingham::multiply_transposed(*block_, w, y, *executor_);
      axpy(-sum(w), p.means, y);
    }
    multiply_each(by_rows ? p.row_scale : p.column_scale, y);
  }
  for (Index t = 0; t < used_; ++t) {
    const Term& term = terms_[static_cast<std::size_t>(t)];
    by_rows ? axpy(-term.weight * dot(term.right, x), term.left, y)
            : axpy(-term.weight * dot(term.left, x), term.right, y);
  }
}

void PreparedMatrix::observed_dense(Side side, ConstVec x, Vec y, Vec weight) const {
  const Partition blocks = Partition::even(rows(), cols(), 2 * cols());
  const std::vector<Outer> outer = outer_products(Side::rows);
  // use(i, from, n, cells): the pieces of these rows.
  const auto for_each_piece = [&](Index begin, Index end, auto&& use) {
    Line model;
    double cells[kChunk];
    for (Index i = begin; i < end; ++i) {
      if (side == Side::columns && x[i] == 0.0) continue;
      model.set(outer, i);
      for (Index from = 0; from < cols(); from += kChunk) {
        const Index n = std::min(kChunk, cols() - from);
        residual_cells(i, from, n, model, cells);
        use(i, from, n, cells);
      }
    }
  };
  if (side == Side::rows) {
    std::fill(y.begin(), y.end(), 0.0);
    std::fill(weight.begin(), weight.end(), 0.0);
    executor_->map(blocks.count(), [&](Index block) {
      const auto add_dot = [&](Index i, Index from, Index n, const double* cells) {
        double product = 0.0, squares = 0.0;
        dense::row_dots_observed(cells, n, 1, n, x.data() + from, &product, &squares);
        y[i] += product;
        weight[i] += squares;
      };
      for_each_piece(blocks.begin(block), blocks.end(block), add_dot);
    });
    return;
  }
  std::vector<double> both(2 * size(cols()));
  sum_blocks(*executor_, blocks.count(), Vec(both), [&](Index block, Vec partial) {
    const auto add_row = [&](Index i, Index from, Index n, const double* cells) {
      dense::add_rows_observed(cells, n, 1, n, x.data() + i, partial.data() + from,
                               partial.data() + cols() + from);
    };
    for_each_piece(blocks.begin(block), blocks.end(block), add_row);
  });
  std::copy_n(both.begin(), cols(), y.begin());
  std::copy_n(both.begin() + cols(), cols(), weight.begin());
}

void PreparedMatrix::observed_sparse(Side side, ConstVec x, Vec y, Vec weight) const {
  const bool by_rows = side == Side::rows, has_zeros = block_->unlisted() == Unlisted::zero;
  const Preparation& p = preparation_;
  const SparseMatrix& a = lines(side);
  const std::vector<Outer> outer = outer_products(side);
  const std::vector<double> w = times(by_rows ? p.column_scale : p.row_scale, x);
  const std::vector<double>& line_scale = by_rows ? p.row_scale : p.column_scale;
  const std::int32_t* columns = a.columns().data();
  const double *values = a.values().data(), *factors = w.data(), *from = x.data();
  std::vector<double> of_terms;  // other . x
  for (const Outer& one : outer)
    of_terms.push_back(one.is_centring ? 0.0 : dot(ConstVec(one.other, x.size()), x));
  const double all_squares = sum_squares(x), of_rows = by_rows ? dot(p.means, w) : sum(w);
  std::vector<Index> support;
  for (std::size_t at = 0; at < x.size(); ++at) {
    if (x[at] != 0.0) support.push_back(static_cast<Index>(at));
  }
  const auto one_line = [&](Index line, Line& model) {
    model.set(outer, line);
    const double* mean =
        p.means.data() + (by_rows ? 0 : line);  // of the cell at is mean[at * next]
    const Index next = by_rows ? 1 : 0, begin = a.pointers()[line], end = a.pointers()[line + 1];
    const bool has_terms = !model.factors.empty();
    double product = 0.0, seen_squares = 0.0, missing_squares = 0.0;
    double seen_terms = 0.0, listed_terms = 0.0, listed_means = 0.0;
    for (Index e = begin; e < end; ++e) {
      const Index at = columns[e];
      const double value = values[e], m = mean[at * next], factor = factors[at];
      const double square = from[at] * from[at];
      listed_means += m * factor;
      if (value != value) {
        missing_squares += square;
        continue;
      }
      product += (value - m) * factor;
      seen_squares += square;
    }
    for (Index e = begin; has_terms && e < end; ++e) {
      const double terms = model.terms(columns[e]) * from[columns[e]];
      listed_terms += terms;
      seen_terms += values[e] == values[e] ? terms : 0.0;
    }
    double rest_terms = 0.0, rest_means = 0.0;  // over the unlisted cells
    weight[line] = seen_squares;
    if (has_zeros && missing_squares > 0.0 &&
        has_cancelled(all_squares - missing_squares, all_squares)) {
      Index e = begin;
      for (const Index at : support) {
        while (e < end && a.columns()[e] < at) ++e;
        if (e < end && a.columns()[e] == at) continue;
        rest_terms += model.terms(at) * x[at];
        rest_means += mean[at * next] * w[at];
        weight[line] += x[at] * x[at];
      }
    } else if (has_zeros) {
      rest_terms = -listed_terms;
      for (std::size_t k = 0; k < outer.size(); ++k)
        rest_terms += outer[k].weight * outer[k].own[line] * of_terms[k];
      rest_means = (by_rows ? of_rows : mean[0] * of_rows) - listed_means;
      weight[line] = all_squares - missing_squares;
    }
    y[line] = line_scale[line] * (product - rest_means) - (seen_terms + rest_terms);
  };
  const Partition blocks = Partition::weighted(a.pointers());
  executor_->map(blocks.count(), [&](Index block) {
    Line model;
    for (Index line = blocks.begin(block); line < blocks.end(block); ++line) one_line(line, model);
  });
}

void PreparedMatrix::observed_product(Side side, ConstVec x, Vec y, Vec weight) const {
  if (goes_together()) {
    product(side, x, y);
    std::fill(weight.begin(), weight.end(), sum_squares(x));
  } else if (preparation_.is_none && used_ == 0) {
    side == Side::rows ? gingham::multiply_observed(*block_, x, y, weight, *executor_)
                       : gingham::multiply_transposed_observed(*block_, x, y, weight, *executor_);
  } else if (block_->dense_matrix() != nullptr) {
    observed_dense(side, x, y, weight);
  } else {
    observed_sparse(side, x, y, weight);
  }
}

void PreparedMatrix::multiply_observed(ConstVec x, Vec y, Vec weight) const {
  check(x.size(), cols());
  check(y.size(), rows());
  check(weight.size(), rows());
  observed_product(Side::rows, x, y, weight);
}

void PreparedMatrix::multiply_transposed_observed(ConstVec x, Vec y, Vec weight) const {
  check(x.size(), rows());
  check(y.size(), cols());
  check(weight.size(), cols());
  observed_product(Side::columns, x, y, weight);
}

void PreparedMatrix::multiply(ConstVec x, Vec y) const {
  check(x.size(), cols());
  check(y.size(), rows());
  if (goes_together()) return product(Side::rows, x, y);
  std::vector<double> weight(y.size());
  observed_product(Side::rows, x, y, weight);
}

void PreparedMatrix::multiply_transposed(ConstVec x, Vec y) const {
  check(x.size(), rows());
  check(y.size(), cols());
  if (goes_together()) return product(Side::columns, x, y);
  std::vector<double> weight(y.size());
  observed_product(Side::columns, x, y, weight);
}

Products PreparedMatrix::products(Side side, ConstVec x) const {
  Products found{std::vector<double>(size(side == Side::rows ? rows() : cols())), {}};
  check(x.size(), side == Side::rows ? cols() : rows());
  if (!row_squares().empty() && squares() == 0.0) return found;
  if (goes_together()) {
    product(side, x, found.values);
    found.norms.all = sum_squares(x);
  } else {
    found.norms.each.resize(found.values.size());
    observed_product(side, x, found.values, found.norms.each);
  }
  return found;
}

Products PreparedMatrix::row_products(ConstVec v) const { return products(Side::rows, v); }
Products PreparedMatrix::column_products(ConstVec u) const { return products(Side::columns, u); }

Norms PreparedMatrix::row_norms(ConstVec v) const {
  return goes_together() ? Norms{sum_squares(v)} : products(Side::rows, v).norms;
}

}  // namespace gingham
