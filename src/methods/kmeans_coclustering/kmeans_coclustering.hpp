// Co-clustering by k-means on the rows and k-means on the columns, each on its own
// (Anagnostopoulos, Dasgupta, Kumar 2008); the co-clusters are all pairs of a row group and a
// column group.
//
//   F = sum_ij (x_ij - b_gh)^2,     b_gh: the average of the block of row group g and column group
//   h
//
// Each k-means lowers its own sum of squares about centres; F is what the pair of them comes to, at
// most a constant times the least possible where both are, and may rise on the way. One step is one
// iteration of one of the two (kernels/kmeans.hpp).
#pragma once
#include "gingham/engine/registry.hpp"
#include "gingham/kernels/kmeans.hpp"
#include "gingham/methods/checkerboard/board.hpp"

namespace gingham::methods::kmeans_coclustering {

class KMeansCoclustering final : public Method {
 public:
  KMeansCoclustering(Index row_groups, Index column_groups)
      : row_groups_(row_groups), column_groups_(column_groups) {}

  static Derived derive(const Dataset& data, const Options& options, Context& ctx);
  void start(const Dataset& data, Context& ctx) override;
  void attach(const Dataset& data, Context& ctx) override;
  Done step(Context& ctx) override;
  Terms terms(Context& ctx, Accuracy accuracy) override;
  bool conclude(Status, Context&) override { return false; }
  Model model(Context& ctx) const override;
  void state(Archive& ar) override;

 private:
  // Groups of the two k-means, and the levels of the blocks from the centres of the rows.
  checkerboard::Board board() const;

  Index row_groups_;
  Index column_groups_;
  struct Shared;
  std::shared_ptr<const Shared> shared_;
  KMeansState rows_, columns_;
  bool rows_are_next_ = true;
  Index changed_rows_ = 0, changed_columns_ = 0;  // labels, by the last iterations
};

}  // namespace gingham::methods::kmeans_coclustering
