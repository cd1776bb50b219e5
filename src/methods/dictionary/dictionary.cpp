#include "gingham/methods/dictionary/dictionary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gingham/base/text.hpp"
#include "gingham/kernels/dictionary_step.hpp"
#include "gingham/kernels/padded_rows.hpp"
#include "gingham/methods/dictionary/renewal.hpp"
#include "gingham/methods/sparse_coding/settings.hpp"

namespace gingham::methods::dictionary {
namespace {

// Found by measurement on local descriptors of pictures: batches of this many learn as much per
// epoch as smaller ones; with few samples there must be enough batches.
constexpr Index kBatch = 1024, kLeastBatch = 32, kBatchesPerEpoch = 16;
constexpr Index kGroups = 2;  // of atoms that move side by side
// Twice per epoch: the more samples an atom has, the sooner it may forget.
constexpr double kLeastFading = 0.1, kMostFading = 0.3, kFadingSamples = 3.0;
constexpr Index kRemembered = 4096;     // residuals
constexpr double kRememberFrom = 0.7;   // of an epoch
constexpr double kFadingOfOnes = 0.02;  // once per epoch

[[noreturn]] void refuse_rate(const std::string& text) {
  throw Error(ErrorCode::usage, "--learning-rate",
              fmt::format("found '{}'; expected adaptive, adaptive:d with d from 0 to 1, paper, or "
                          "natural:a,b with a above 0 and b at least 0",
                          printable(text, 40)));
}

}  // namespace

LearningRate parse_rate(const std::string& text) {
  LearningRate rate;
  const std::size_t colon = text.find(':');
  const std::string word = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (text == "adaptive") return rate;
  if (text == "paper") {
    rate.kind = LearningRate::Kind::paper;
    return rate;
  }
  if (word == "adaptive") {
    rate.fading = parse_real(rest);
    if (!rate.fading || !(*rate.fading >= 0.0 && *rate.fading <= 1.0)) refuse_rate(text);
    return rate;
  }
  const std::size_t comma = rest.find(',');
  if (word != "natural" || comma == std::string::npos) refuse_rate(text);
  const auto a = parse_real(rest.substr(0, comma)), b = parse_real(rest.substr(comma + 1));
  if (!a || !b || !(*a > 0.0) || !(*b >= 0.0) || !std::isfinite(*a) || !std::isfinite(*b))
    refuse_rate(text);
  rate.kind = LearningRate::Kind::natural;
  rate.a = *a;
  rate.b = *b;
  return rate;
}

Index batch_of(const Options& options, Index n_samples) {
  return sparse_coding::asked_batch(options).value_or(
      std::clamp(n_samples / kBatchesPerEpoch, kLeastBatch, kBatch));
}

template <class T>
Dictionary<T>::Dictionary(const Options& options)
    : sparse_coding::Learner<T>(options), rate_(parse_rate(options.text("learning-rate"))) {}

template <class T>
void Dictionary<T>::attach(const Dataset& data, Context& ctx) {
  const sparse_coding::Samples samples(data.block(0), this->options());
  n_samples_ = samples.count();
  batch_ = batch_of(this->options(), n_samples_);
  sparse_coding::Learner<T>::attach(data, ctx);
}

template <class T>
void Dictionary<T>::begin_learning() {
  curvature_.assign(static_cast<std::size_t>(this->atoms().count()), 0.0);
  energy_ = curvature_;
}

template <class T>
CodingRules<T> Dictionary<T>::rules() const {
  CodingRules<T> rules;
  rules.lambda = static_cast<T>(this->lambda());
  rules.steps = this->options().integer("steps");
  return rules;
}

// Old codes were found with other atoms: what they say fades, so that steps do not die. In the last
// epoch it stays, so that they do.
template <class T>
void Dictionary<T>::fade(const Batch& batch) {
  if (rate_.kind != LearningRate::Kind::adaptive) return;
  const Index per_epoch = batch_ > 1 ? 2 : 1, last = this->n_epochs() - 1;
  const Index due = batch.epoch < last
                        ? per_epoch * batch.epoch + (per_epoch == 2 && batch.place >= 0.5 ? 1 : 0)
                        : std::max<Index>(per_epoch * last - 1, 0);
  const double per_atom = static_cast<double>(n_samples_) / static_cast<double>(curvature_.size());
  const double left = rate_.fading.value_or(
      batch_ > 1 ? std::clamp(kFadingSamples / per_atom, kLeastFading, kMostFading)
                 : kFadingOfOnes);
  for (; n_faded_ < due; ++n_faded_) {
    for (double& sum : curvature_) sum *= left;
  }
}

template <class T>
CodingSums Dictionary<T>::code(Batch& batch, Context& ctx) {
  if (!this->atoms().is_fresh()) this->atoms().refresh(ctx.executor());
  const Index tile = TileCoder<T>::kTile, n_tiles = (batch.n + tile - 1) / tile;
  const Index stride = this->atoms().stride();
  const auto first = batch.codes.size();
  batch.codes.resize(first + static_cast<std::size_t>(n_tiles));
  std::vector<CodingSums> sums(static_cast<std::size_t>(n_tiles));
  T* const rows = batch.rows.data();
  ctx.executor().map(n_tiles, [&](Index t) {
    const auto coder = coders_.borrow([&] { return TileCoder<T>(this->atoms(), rules()); });
    sums[t] = coder->code(rows + t * tile * stride, std::min(tile, batch.n - t * tile),
                          batch.begin + t * tile, batch.codes[first + static_cast<std::size_t>(t)]);
  });
  CodingSums total;
  for (const CodingSums& one : sums) total += one;
  return total;
}

template <class T>
void Dictionary<T>::own_state(Archive& ar) {
  ar("curvature", curvature_)("faded", n_faded_)("residuals", residuals_)("energy", energy_);
  ar("renewed", renewed_at_)("coded", n_coded_);
  const auto m = static_cast<std::size_t>(this->atoms().count());
  const auto stride = static_cast<std::size_t>(this->atoms().stride());
  if (curvature_.size() != m || energy_.size() != m || residuals_.size() % stride != 0 ||
      n_faded_ < 0)
    throw Error(ErrorCode::input, "", "saved state: sums do not fit the dictionary");
}

template <class T>
bool Dictionary<T>::renews_before(Index epoch) const {
  return rate_.kind == LearningRate::Kind::adaptive && epoch > 0 && epoch + 1 < this->n_epochs();
}

template <class T>
void Dictionary<T>::begin_epoch(Index epoch, Context& ctx) {
  if (epoch == renewed_at_) return;
  renewed_at_ = epoch;
  for (double& sum : energy_) sum /= static_cast<double>(std::max<Index>(n_coded_, 1));
  if (renews_before(epoch)) {
    ctx.phase("renewal");
    Atoms<T>& atoms = this->atoms();
    if (!atoms.is_fresh()) atoms.refresh(ctx.executor());
    const std::vector<Index> replaced = renew(
        atoms, RenewalBasis<T>{std::move(residuals_), energy_, this->lambda()}, ctx.executor());
    for (const Index atom : replaced) curvature_[atom] = 0.0;
    this->forget(replaced);
  }
  residuals_.clear();
  energy_.assign(energy_.size(), 0.0);
  n_coded_ = 0;
}

template <class T>
void Dictionary<T>::remember(const Batch& batch) {
  const Index stride = this->atoms().stride();
  const Index room = kRemembered - static_cast<Index>(residuals_.size()) / stride;
  if (!renews_before(batch.epoch + 1) || batch.place < kRememberFrom || room <= 0) return;
  const T* const rows = std::as_const(batch.rows).data();
  residuals_.insert(residuals_.end(), rows, rows + std::min(room, batch.n) * stride);
}

template <class T>
CodingSums Dictionary<T>::learn(Batch& batch, Context& ctx) {
  fade(batch);
  const std::vector<double> before = curvature_;
  const CodingSums sums = batch_ == 1 ? learn_one_by_one(batch, ctx) : learn_together(batch, ctx);
  for (std::size_t j = 0; j < before.size(); ++j) energy_[j] += curvature_[j] - before[j];
  n_coded_ += batch.n;
  return sums;
}

template <class T>
CodingSums Dictionary<T>::learn_together(Batch& batch, Context& ctx) {
  const auto first = batch.codes.size();
  const CodingSums sums = code(batch, ctx);
  remember(batch);
  ctx.phase("dictionary");
  Atoms<T>& atoms = this->atoms();
  const BatchUse<T> use(batch.codes.data() + first, static_cast<Index>(batch.codes.size() - first),
                        atoms.count());
  if (rate_.kind == LearningRate::Kind::adaptive) {
    step_in_turn(atoms, use, std::as_const(batch.rows).data(), batch.n, kGroups, curvature_,
                 scratch_, ctx.executor());
  } else {
    std::vector<double> rates(curvature_.size(), 0.0);
    for (std::size_t j = 0; j < rates.size(); ++j) {
      const auto atom = static_cast<Index>(j);
      for (Index k = use.begin(atom); k < use.end(atom); ++k)
        curvature_[j] += static_cast<double>(use.values()[k]) * use.values()[k];
      rates[j] = rate_.kind == LearningRate::Kind::natural
                     ? rate_.a / (static_cast<double>(batch.n_before + batch.n) + rate_.b)
                     : 1.0 / curvature_[j];
    }
    step_at_once(atoms, use, std::as_const(batch.rows).data(), rates, ctx.executor());
  }
  atoms.refresh(ctx.executor());
  return sums;
}

// --batch 1: Algorithm 1 of the paper.
template <class T>
CodingSums Dictionary<T>::learn_one_by_one(Batch& batch, Context& ctx) {
  Atoms<T>& atoms = this->atoms();
  CodingSums sums;
  SampleCoder<T> coder(atoms.count());
  std::vector<std::int32_t> support;
  std::vector<T> values;
  CodeList<T> codes;
  const CodingRules<T> rules = this->rules();
  for (Index i = 0; i < batch.n; ++i) {
    T* const row = batch.rows.data() + i * atoms.stride();
    ctx.phase("codes");
    const double before = coder.code(atoms, rules, row, batch.begin[i], support, values);
    const double loss = 0.5 * padded::squares(row, atoms.stride());
    double size = 0.0;
    for (const T value : values) size += std::abs(static_cast<double>(value));
    sums.loss += loss;
    sums.size += size;
    // At least what this visit gained: correlations with all atoms at once are not known here
    // (Learner::terms does not take this for the gap).
    sums.gap += std::max(before - loss - this->lambda() * size, 0.0);
    ctx.phase("dictionary");
    move_for(support, values, row, static_cast<double>(batch.n_before + i));
    codes.add({support.data(), values.data(), static_cast<Index>(support.size())});
  }
  remember(batch);
  batch.codes.push_back(std::move(codes));
  return sums;
}

// The atoms of one code, all along the same residual. A step of 1 / max(H_jj, |z_j| |z|_1) never
// raises |x - D z|: together the atoms take at most the whole residual away.
template <class T>
void Dictionary<T>::move_for(const std::vector<std::int32_t>& support, const std::vector<T>& values,
                             const T* residual, double n_before) {
  double size = 0.0;
  for (const T value : values) size += std::abs(static_cast<double>(value));
  std::vector<double> rates(support.size());
  for (std::size_t k = 0; k < support.size(); ++k) {
    const double z = std::abs(static_cast<double>(values[k]));
    double& sum = curvature_[support[k]];
    sum += z * z;
    switch (rate_.kind) {
      case LearningRate::Kind::adaptive:
        rates[k] = 1.0 / std::max(sum, z * size);
        break;
      case LearningRate::Kind::paper:
        rates[k] = 1.0 / sum;
        break;
      case LearningRate::Kind::natural:
        rates[k] = rate_.a / (n_before + 1.0 + rate_.b);
        break;
    }
  }
  step_for_one(this->atoms(), support, values, residual, rates);
}

template class Dictionary<float>;
template class Dictionary<double>;

}  // namespace gingham::methods::dictionary
