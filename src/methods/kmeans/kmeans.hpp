// k-means: rows into k groups around their means.
//
//   F = sum_i || x_i - c_label(i) ||^2            x_i: row i of the data, c: k x columns
//
// k-means++ start, Lloyd's iterations with bound-based skipping (kernels/kmeans.hpp). One step is
// one iteration: assign every row to its nearest centre, then move the centres to the means.
#pragma once
#include "gingham/engine/method.hpp"
#include "gingham/engine/options.hpp"
#include "gingham/kernels/kmeans.hpp"

namespace gingham::methods::kmeans {

class KMeans final : public Method {
 public:
  explicit KMeans(const Options& options) : n_clusters_(options.integer("clusters")) {}

  static Derived derive(const Dataset& data, const Options& options, Context& ctx);
  void start(const Dataset& data, Context& ctx) override;
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status, Context&) override { return false; }
  Model model(Context& ctx) const override;
  void state(Archive& ar) override { ar("lloyd", lloyd_)("changed", changed_); }

 private:
  // sum_k n_k ||c_k - mean||^2: what the centres explain of the total sum of squares about the
  // mean.
  double between_squares(Index cluster) const;

  struct Points {
    const Matrix* values = nullptr;
    std::vector<double> mean;
    double squares = 0.0;  // about the mean
    std::shared_ptr<const KMeansPoints> prepared;
  };

  Index n_clusters_;
  std::shared_ptr<const Points> points_;
  KMeansState lloyd_;
  Index changed_ = 0;  // labels changed by the last iteration
};

}  // namespace gingham::methods::kmeans
