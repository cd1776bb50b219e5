// What the methods share that keep an embedding U_v (n x k, orthonormal columns) for each view and
// improve them in turn: the views' kernels, the first eigenvectors, the order of steps, and k-means
// on the embeddings at the end.
//
// The embeddings are the first component of a run (one iteration: every block once), k-means is the
// second. Memory: an n x n matrix for each view.
#pragma once
#include <memory>

#include "gingham/engine/registry.hpp"
#include "gingham/methods/views/grouping.hpp"

namespace gingham::methods::kernel_views {

// What all restarts share.
struct Prepared {
  std::vector<Matrix> kernels;
  std::vector<double> widths;
  bool are_normalized = false;  // the kernels (affinity.hpp), once and for all
};

class ViewSpectral : public Method {
 public:
  explicit ViewSpectral(const Options& options);

  void start(const Dataset& data, Context& ctx) final { attach(data, ctx); }
  void attach(const Dataset& data, Context& ctx) final;
  Done step(Context& ctx) final;
  Terms terms(Context& ctx, Accuracy accuracy) final;
  bool conclude(Status status, Context& ctx) final;
  Model model(Context& ctx) const final;
  void state(Archive& ar) final;

 protected:
  // Pieces of an iteration.
  virtual Index n_blocks() const { return n_views(); }
  // The best value of one block, the others fixed. Changes nothing if it throws.
  virtual void update(Index block, Context& ctx) = 0;
  // Loss, penalties, and a gap for every block (subspace_gap).
  virtual Terms objective(double enough, Executor& executor) const = 0;
  // What k-means works on; rows are brought to length 1 afterwards.
  virtual Matrix joint_embedding() const;
  virtual void add_arrays(Model&) const {}
  virtual void more_state(Archive&) {}

  Index n_views() const { return static_cast<Index>(kernels().size()); }
  Index n_rows() const { return kernels()[0].rows(); }
  Index width() const { return std::min(options_.integer("clusters"), n_rows()); }
  const std::vector<Matrix>& kernels() const;
  const Options& options() const { return options_; }
  double tolerance() const;      // of eigenvectors
  std::vector<Matrix> vectors_;  // U_v; all of them once has_start_

 private:
  void first_vectors(Index view, Context& ctx);

  Options options_;
  std::shared_ptr<const Prepared> prepared_;
  Index next_ = 0;          // block
  bool has_start_ = false;  // every view has an embedding
  bool is_grouping_ = false;
  views::Grouping grouping_;
};

// Everything such methods share in their records. `recompute_objective` gives loss, penalties and
// the gaps of the blocks.
struct SpectralRecord {
  bool normalizes_kernels = false;
  std::vector<OptionRecord> options = {};
  std::function<Terms(const Dataset&, const Options&, const Model&)> recompute_objective = {};
  // The points before rows are brought to length 1; empty: all embeddings side by side.
  std::function<Matrix(const Dataset&, const Options&, const Model&)> joint_embedding = {};
};
MethodInfo spectral_info(SpectralRecord record);

// All columns of all of them.
Matrix side_by_side(const std::vector<Matrix>& matrices);
double inner_product(const Matrix& a, const Matrix& b);  // sum of a_ij b_ij
// y += factor U (U^T x)
void add_projection(double factor, const Matrix& u, const Matrix& x, Matrix& y, Executor& executor);

}  // namespace gingham::methods::kernel_views
