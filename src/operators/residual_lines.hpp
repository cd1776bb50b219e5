// The residual of a dense block, line by line along the last mode, and that of the listed cells of
// a sparse one, item by item of the first. For use inside operators.
#pragma once
#include "gingham/operators/factor_view.hpp"
#include "gingham/operators/observed.hpp"

namespace gingham {

class ResidualLines {
 public:
  static constexpr Index kPanel = 512;  // cells side by side

  // X0 is dense. Everything outlives this.
  ResidualLines(const Observed& data, const FactorView& model, double value_scale);

  Index n_blocks() const { return blocks_.count(); }
  // visit(residuals, number of the first cell) for pieces of the lines of one block, 0 where cells
  // are missing. The pieces of all lines before the next ones, so that factors stay near.
  void for_each(Index block, FunctionRef<void(ConstVec, Index)> visit) const;
  // One cell.
  double at(std::span<const Index> place) const;

 private:
  void clear_missing(Index line, Index from, Index to, double* residual) const;

  const Observed& data_;
  const FactorView& model_;
  const double* cells_;
  double value_scale_;
  Index length_;          // of a line
  Index lines_per_item_;  // of the first mode
  Matrix across_;         // the last factor, K x length
  Partition blocks_;
};

// The model at cells of an item of the first mode.
class ItemModel {
 public:
  static constexpr Index kCells = 256;  // as many at a time stay in cache
  struct Other {                        // another factor, and where in it each cell is
    const std::int32_t* items;
    const double* rows;
  };
  ItemModel(const CellList& cells, const FactorView& model);
  void take(Index item);  // from now on this one
  // At the cells [begin, end) of the list.
  void values(Index begin, Index end, double* out) const;
  ConstVec row() const { return row_; }  // the item's weighted row of the first factor

 private:
  const FactorView& model_;
  std::vector<Other> others_;
  std::vector<double> row_;
};

}  // namespace gingham
