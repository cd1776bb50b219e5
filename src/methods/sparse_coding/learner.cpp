#include "gingham/methods/sparse_coding/learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/base/free_memory.hpp"
#include "gingham/kernels/padded_rows.hpp"
#include "gingham/methods/sparse_coding/model.hpp"
#include "gingham/methods/sparse_coding/settings.hpp"
#include "gingham/methods/sparse_coding/start.hpp"

namespace gingham::methods::sparse_coding {
namespace {

constexpr Index kCodedAtOnce = 2048;  // samples of a step of the last pass

// So many batches of nearly equal size come closest to what was asked for.
Index n_batches(Index n, Index size) { return std::max<Index>(1, (n + size / 2) / size); }

template <class T>
Matrix in_double(const Atoms<T>& atoms) {
  Matrix rows(atoms.count(), atoms.length());
  for (Index j = 0; j < atoms.count(); ++j) {
    for (Index t = 0; t < atoms.length(); ++t) rows(j, t) = atoms.row(j)[t];
  }
  return rows;
}

// In double, `n` empty ones where there are none yet.
template <class T>
CodeList<double> in_double(const CodeList<T>& codes, Index n) {
  CodeList<double> copy;
  copy.atoms = codes.atoms;
  copy.values.assign(codes.values.begin(), codes.values.end());
  copy.ends = codes.ends;
  copy.ends.resize(static_cast<std::size_t>(n), codes.count() > 0 ? codes.ends.back() : 0);
  return copy;
}

// The codes of the present pool that are done, by place; size -1 where there is none.
template <class T>
std::vector<CodeView<T>> by_place(const std::vector<std::int32_t>& order,
                                  const std::vector<CodeList<T>>& fresh, Index n_places) {
  std::vector<CodeView<T>> found(static_cast<std::size_t>(n_places), {nullptr, nullptr, -1});
  Index k = 0;
  for (const CodeList<T>& list : fresh) {
    for (Index i = 0; i < list.count(); ++i) found[order[k++]] = list.code(i);
  }
  return found;
}

// The codes of n samples of a chunk: fresh ones, else those of an earlier visit.
template <class T>
CodeList<T> merged(const CodeView<T>* fresh, const CodeList<T>& earlier, Index n) {
  std::vector<CodeView<T>> found(fresh, fresh + n);
  Index size = 0;
  for (Index i = 0; i < n; ++i) {
    if (found[i].size < 0) found[i] = earlier.count() > 0 ? earlier.code(i) : CodeView<T>{};
    size += found[i].size;
  }
  CodeList<T> list;
  list.reserve(n, size);
  for (const CodeView<T>& code : found) list.add(code);
  return list;
}

}  // namespace

template <class T>
Index Learner<T>::n_epochs() const {
  return options_.integer("epochs");
}

template <class T>
void Learner<T>::forget(const std::vector<Index>& atoms) {
  std::vector<char> is_gone(static_cast<std::size_t>(atoms_.count()), 0);
  for (const Index atom : atoms) is_gone[atom] = 1;
  for (CodeList<T>& codes : codes_) codes.remove(is_gone);
}

template <class T>
void Learner<T>::begin_from(const Model& earlier) {
  for (const NamedArray& array : earlier.arrays) {
    const Matrix* found = std::get_if<Matrix>(&array.values);
    if (found != nullptr && array.name == "dictionary") earlier_ = *found;
  }
}

template <class T>
void Learner<T>::attach(const Dataset& data, Context&) {
  samples_ = std::make_unique<Samples>(data.block(0), options_);
  chunks_ = Chunks(samples_->count(), samples_->length(), at_once());
}

template <class T>
void Learner<T>::start(const Dataset& data, Context& ctx) {
  attach(data, ctx);
  const Index m = options_.integer("atoms"), p = samples_->length();
  const bool is_given = earlier_.rows() == p && earlier_.cols() == m;
  const Matrix first =
      is_given ? as_rows(earlier_) : initial_atoms(*samples_, options_, ctx, notes_);
  atoms_ = ready<T>(first, ctx.executor());
  lambda_ = resolved_lambda(*samples_, options_, first, ctx);
  codes_.resize(static_cast<std::size_t>(chunks_.count()));
  begin_learning();
}

template <class T>
std::vector<Index> Learner<T>::pool_chunks(const Context& ctx) const {
  return chunks_.pool(is_last_pass_ ? -1 : epoch_, pool_, ctx);
}

template <class T>
void Learner<T>::load_pool(Context& ctx) {
  ctx.phase("read");
  if (!atoms_.is_fresh()) atoms_.refresh(ctx.executor());  // of a saved run
  if (pool_ == 0 && done_ == 0 && !is_last_pass_) begin_epoch(epoch_, ctx);
  loaded_chunks_ = pool_chunks(ctx);
  const Index stride = atoms_.stride(), rows = chunks_.rows();
  if (pool_rows_.size() == 0) pool_rows_ = Array<T>(chunks_.pool_rows() * stride);
  T* const values = pool_rows_.data();
  std::vector<char> is_kept(static_cast<std::size_t>(chunks_.pool_rows()), 0);
  ctx.executor().map(std::ssize(loaded_chunks_), [&](Index k) {
    const Index chunk = loaded_chunks_[k];
    samples_->read(chunks_.begin(chunk), chunks_.size(chunk), stride, values + k * rows * stride,
                   is_kept.data() + k * rows);
  });
  is_pool_loaded_ = true;
  if (done_ > 0) return;  // a saved run: the order is known
  std::vector<std::int32_t> kept;
  for (std::size_t k = 0; k < is_kept.size(); ++k) {
    if (is_kept[k] != 0) kept.push_back(static_cast<std::int32_t>(k));
  }
  order_ = kept;
  if (is_last_pass_) return;
  const std::vector<Index> mixed =
      ctx.rng(fmt::format("pool {} of epoch {}", pool_, epoch_)).permutation(std::ssize(kept));
  for (std::size_t k = 0; k < kept.size(); ++k) order_[k] = kept[mixed[k]];
}

template <class T>
void Learner<T>::finish_pool(Executor& executor) {
  const std::vector<CodeView<T>> fresh = by_place(order_, fresh_, chunks_.pool_rows());
  executor.map(std::ssize(loaded_chunks_), [&](Index k) {
    const Index chunk = loaded_chunks_[k];
    codes_[chunk] = merged(fresh.data() + k * chunks_.rows(), codes_[chunk], chunks_.size(chunk));
  });
  fresh_.clear();
  order_.clear();
  done_ = 0;
  is_pool_loaded_ = false;
  ++pool_;
}

template <class T>
Done Learner<T>::step(Context& ctx) {
  evaluation_.reset();
  if (!is_pool_loaded_) load_pool(ctx);
  const Index n = std::ssize(order_);
  if (n > 0) {
    // Batch b has the samples n b / count ... n (b + 1) / count - 1.
    const Index count = n_batches(n, is_last_pass_ ? kCodedAtOnce : at_once());
    Index b = done_ * count / n;
    while (n * (b + 1) / count <= done_) ++b;
    work_on(n * (b + 1) / count, ctx);
  }
  if (done_ < n) return Done::nothing;
  finish_pool(ctx.executor());
  return pool_ < chunks_.n_pools() ? Done::nothing : finish_epoch();
}

// The last pass belongs to the last epoch: one record for both, of the codes it found.
template <class T>
Done Learner<T>::finish_epoch() {
  pool_ = 0;
  if (!is_last_pass_) ++epoch_;
  const bool is_learnt = !is_last_pass_ && epoch_ == n_epochs();
  const double count = static_cast<double>(std::max<Index>(n_visited_, 1));
  running_ = {};
  running_.loss = sums_.loss / count;
  running_.penalties = {{"sparsity", lambda() * sums_.size / count}};
  running_.gaps = {{"codes", half_squares_ > 0.0 ? sums_.gap / half_squares_ : 0.0}};
  running_.is_finished = is_last_pass_;
  is_last_pass_ = is_learnt;
  sums_ = {};
  half_squares_ = 0.0;
  n_visited_ = 0;
  return is_learnt ? Done::nothing : Done::iteration;
}

// Samples done_ ... end - 1 of the pool.
template <class T>
void Learner<T>::work_on(Index end, Context& ctx) {
  ctx.phase(is_last_pass_ ? "last pass" : "codes");
  const Index n = end - done_, stride = atoms_.stride(), rows = chunks_.rows();
  if (batch_rows_.size() < n * stride) batch_rows_ = Array<T>(n * stride);
  std::vector<CodeView<T>> begin(static_cast<std::size_t>(n));
  T* const to = batch_rows_.data();
  const T* const from = std::as_const(pool_rows_).data();
  const Partition blocks = Partition::even(n, 4 * stride);
  half_squares_ += sum_blocks(ctx.executor(), blocks.count(), [&](Index block) {
    double sum = 0.0;
    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
      const Index place = order_[done_ + i], chunk = loaded_chunks_[place / rows];
      std::copy_n(from + place * stride, stride, to + i * stride);
      sum += samples_->are_units() ? 0.5 : 0.5 * padded::squares(to + i * stride, stride);
      if (codes_[chunk].count() > 0) begin[i] = codes_[chunk].code(place % rows);
    }
    return sum;
  });
  Batch<T> batch{.epoch = epoch_,
                 .place = static_cast<double>(n_visited_) /
                          static_cast<double>(std::max<Index>(chunks_.n_samples(), 1)),
                 .n_before = n_learnt_,
                 .rows = batch_rows_,
                 .n = n,
                 .begin = begin.data(),
                 .codes = fresh_};
  const CodingSums sums = is_last_pass_ ? code(batch, ctx) : learn(batch, ctx);
  sums_ += sums;
  n_visited_ += n;
  if (!is_last_pass_) n_learnt_ += n;
  done_ = end;
}

template <class T>
typename Learner<T>::ShownCodes Learner<T>::shown_codes(const Context& ctx) const {
  if (done_ == 0)
    return [this](Index chunk) { return in_double(codes_[chunk], chunks_.size(chunk)); };
  return [this, pool = pool_chunks(ctx),
          fresh = by_place(order_, fresh_, chunks_.pool_rows())](Index chunk) {
    const auto place = std::find(pool.begin(), pool.end(), chunk);
    if (place == pool.end()) return in_double(codes_[chunk], chunks_.size(chunk));
    return in_double(merged(fresh.data() + (place - pool.begin()) * chunks_.rows(), codes_[chunk],
                            chunks_.size(chunk)),
                     chunks_.size(chunk));
  };
}

template <class T>
const Evaluation& Learner<T>::evaluation(Context& ctx) const {
  if (!evaluation_)
    evaluation_ =
        evaluate(*samples_, chunks_, in_double(atoms_), lambda(), ctx.executor(), shown_codes(ctx));
  return *evaluation_;
}

template <class T>
Terms Learner<T>::terms(Context& ctx, Accuracy accuracy) {
  if (accuracy == Accuracy::exact) return evaluation(ctx).terms();
  // What a pass sees of the gap is less than all of it: it must not end the run.
  if (running_.gap() <= options_.real("tolerance")) running_.gaps = evaluation(ctx).terms().gaps;
  return running_;
}

template <class T>
Model Learner<T>::model(Context& ctx) const {
  return model_of(ctx, shown_codes(ctx));
}

// Codes go as they are put into the model: there are too many to have them twice.
template <class T>
Model Learner<T>::take_model(Context& ctx) {
  if (done_ > 0) return model(ctx);
  evaluation(ctx);
  pool_rows_ = {};
  batch_rows_ = {};
  return model_of(ctx, [this](Index chunk) {
    constexpr Index kAtATime = 1024;
    CodeList<double> codes = in_double(codes_[chunk], chunks_.size(chunk));
    codes_[chunk] = {};
    if (chunk % kAtATime == kAtATime - 1) release_free_memory();
    return codes;
  });
}

template <class T>
Model Learner<T>::model_of(Context& ctx, const ShownCodes& codes) const {
  if (n_learnt_ == 0 && epoch_ == 0) return {};
  Model model = make_model(*samples_, chunks_, in_double(atoms_), evaluation(ctx), codes);
  model.used = {lambda_};
  model.notes.insert(model.notes.begin(), notes_.begin(), notes_.end());
  return model;
}

// What later steps rely on.
template <class T>
void Learner<T>::check_restored() const {
  const auto refuse = [] {
    throw Error(ErrorCode::input, "", "saved state: codes do not fit the samples");
  };
  const Index m = options_.integer("atoms");
  if (atoms_.count() != m || atoms_.length() != samples_->length() ||
      std::ssize(codes_) != chunks_.count() || pool_ < 0 || pool_ >= chunks_.n_pools() ||
      epoch_ < 0 || done_ < 0 || done_ > std::ssize(order_))
    refuse();
  for (Index chunk = 0; chunk < chunks_.count(); ++chunk) {
    const CodeList<T>& codes = codes_[chunk];
    if (!codes.fits(m) || (codes.count() != 0 && codes.count() != chunks_.size(chunk))) refuse();
  }
  Index n_fresh = 0;
  for (const CodeList<T>& list : fresh_) {
    if (!list.fits(m)) refuse();
    n_fresh += list.count();
  }
  if (n_fresh != done_) refuse();
  for (const std::int32_t place : order_) {
    if (place < 0 || place >= chunks_.pool_rows()) refuse();
  }
}

template <class T>
void Learner<T>::state(Archive& ar) {
  ar("atoms", atoms_)("lambda", lambda_)("notes", notes_)("codes", codes_);
  ar("epoch", epoch_)("pool", pool_)("done", done_)("last", is_last_pass_);
  ar("order", order_)("fresh", fresh_)("loss", sums_.loss)("size", sums_.size)("gap", sums_.gap);
  ar("squares", half_squares_)("visited", n_visited_)("learnt", n_learnt_);
  own_state(ar);
  if (ar.reading()) check_restored();
}

template class Learner<float>;
template class Learner<double>;

}  // namespace gingham::methods::sparse_coding
