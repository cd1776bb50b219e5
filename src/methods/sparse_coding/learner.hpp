// What learning a dictionary from many samples has in common, whoever does the learning:
//
//   minimise  (1/n) sum_i 1/2 |x_i - D z_i|^2 + lambda |z_i|_1,   |d_j| <= 1
//
// epochs over pools of samples, batches of a pool, codes kept sparse from epoch to epoch, and at
// the end one pass that codes every sample with the final dictionary.
//
// The gap of an epoch is that of the codes as their samples were visited; the dictionary's is not
// known then. Where it is small enough to end the run, both are computed from all samples, and
// those decide.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "gingham/engine/method.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/methods/sparse_coding/chunks.hpp"
#include "gingham/methods/sparse_coding/evaluate.hpp"
#include "gingham/methods/sparse_coding/samples.hpp"

namespace gingham::methods::sparse_coding {

// Samples that are worked on together.
template <class T>
struct Batch {
  Index epoch = 0;
  double place = 0.0;  // share of the epoch that came before
  Index n_before = 0;  // samples learnt from before, all epochs together
  Array<T>& rows;      // n padded samples at its beginning; used up
  Index n = 0;
  const CodeView<T>* begin = nullptr;  // what their codes begin from
  std::vector<CodeList<T>>& codes;     // lists of codes, together n in order, go to its end
};

template <class T>
class Learner : public Method {
  using ShownCodes = std::function<CodeList<double>(Index chunk)>;

 public:
  explicit Learner(const Options& options) : options_(options) {}

  void begin_from(const Model& earlier) override;
  void start(const Dataset& data, Context& ctx) override;
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status, Context&) override { return false; }
  Model model(Context& ctx) const override;
  Model take_model(Context& ctx) override;
  void state(Archive& ar) override;

 protected:
  // Codes a batch and moves the atoms, which are fresh (Atoms::refresh) before and after.
  virtual CodingSums learn(Batch<T>& batch, Context& ctx) = 0;
  // Codes a batch with the atoms as they are.
  virtual CodingSums code(Batch<T>& batch, Context& ctx) = 0;
  virtual Index at_once() const = 0;  // samples of a batch, about
  virtual void own_state(Archive& ar) = 0;
  virtual void begin_epoch(Index, Context&) {}  // again, perhaps, when a saved run goes on there
  virtual void begin_learning() = 0;            // atoms are there, for the first time

  Atoms<T>& atoms() { return atoms_; }
  const Atoms<T>& atoms() const { return atoms_; }
  double lambda() const { return lambda_.values[0]; }
  Index n_epochs() const;
  // Takes these atoms out of all codes of earlier visits.
  void forget(const std::vector<Index>& atoms);
  const Options& options() const { return options_; }

 private:
  void load_pool(Context& ctx);
  void work_on(Index end, Context& ctx);
  void finish_pool(Executor& executor);
  Done finish_epoch();
  std::vector<Index> pool_chunks(const Context& ctx) const;
  ShownCodes shown_codes(const Context& ctx) const;
  const Evaluation& evaluation(Context& ctx) const;
  Model model_of(Context& ctx, const ShownCodes& codes) const;
  void check_restored() const;

  Options options_;
  std::unique_ptr<Samples> samples_;
  Chunks chunks_;
  Matrix earlier_;  // dictionary to begin from
  Atoms<T> atoms_;
  UsedValues lambda_{"lambda", {0.0}};
  std::vector<std::string> notes_;
  std::vector<CodeList<T>> codes_;  // per chunk, one code per sample

  // Where the run is: samples done of a pool of an epoch, or of the last pass.
  Index epoch_ = 0, pool_ = 0, done_ = 0;
  bool is_last_pass_ = false;
  std::vector<std::int32_t> order_;  // places in the pool, of the samples that are not dropped
  std::vector<CodeList<T>> fresh_;   // codes of the first done_ of them
  CodingSums sums_;                  // of this epoch
  double half_squares_ = 0.0;        // sum of 1/2 |x|^2 over them
  Index n_visited_ = 0, n_learnt_ = 0;
  Terms running_;
  mutable std::optional<Evaluation> evaluation_;  // of the present state

  bool is_pool_loaded_ = false;
  std::vector<Index> loaded_chunks_;
  Array<T> pool_rows_;   // padded samples of the pool, chunk after chunk
  Array<T> batch_rows_;  // of a batch, used again
};

}  // namespace gingham::methods::sparse_coding
