// What a method has found: its arrays, who belongs to what, and how much each component matters.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gingham/data/matrix.hpp"
#include "gingham/data/sparse_matrix.hpp"
#include "gingham/engine/terms.hpp"

namespace gingham {

// In place of a number that there is none of.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct NamedArray {
  std::string name;
  std::variant<Matrix, std::vector<double>, SparseMatrix> values;
};

struct Member {
  Index component = 0;
  Index item = 0;
  double value = 0.0;
};

// Who belongs to which component in one mode: rows, columns or mode_<n>, of one block (time, view)
// or of all blocks where they share the mode. Members are ordered by component, then item; values
// are not zero.
struct Membership {
  std::string mode;
  std::optional<Index> block;
  Index n_items = 0;
  std::vector<Member> members;

  // "rows", "columns_2": names the label file.
  std::string key() const { return block ? mode + "_" + std::to_string(*block) : mode; }
};

// The nonzero entries of factor (items x components) as members.
GINGHAM_API Membership membership_of(std::string mode, std::optional<Index> block,
                                     const Matrix& factor);
// One component per item; labels below zero belong to none.
GINGHAM_API Membership membership_of(std::string mode, std::optional<Index> block,
                                     const std::vector<Index>& labels);
// Per item the component with the largest |value|, the lowest on ties, -1 where there is none.
GINGHAM_API std::vector<Index> strongest(const Membership& membership);
// Number of members of one component.
GINGHAM_API Index size_of(const Membership& membership, Index component);
// The same of components 0 ... components - 1, in one pass.
GINGHAM_API std::vector<Index> sizes_of(const Membership& membership, Index components);

struct Component {
  double weight = 0.0;  // that of the array of weights where there is one
  // What Model::explained loses without it, nothing refitted: (residual without it - residual) /
  // total. It may be negative. Shares need not add up: what two components explain both, neither
  // loses alone, and what one puts right of another is lost with either. NaN: no model of cells.
  double explained = 0.0;
  // Of several blocks: the same of each one's own sum of squares, 0 where that is 0; empty where
  // there is one block or the method has no such share. Weighted by the blocks' sums of squares, as
  // the method weighs them, they add up to `explained`.
  std::vector<double> block_explained = {};
  // The height of its largest cell where weights do not say it; NaN where there is no such number.
  double level = kUnknown;
};

// 1 - residual / total; NaN where the total is 0.
inline double share_explained(double residual, double total) {
  return total > 0.0 ? 1.0 - residual / total : kUnknown;
}
// What that loses where the residual without a component is larger by this; 0 where the total is 0.
inline double share_lost(double lost, double total) { return total > 0.0 ? lost / total : 0.0; }

// The numbers that a penalty given as a percentage or a word came to (one, or one per component or
// block).
struct UsedValues {
  std::string option;
  std::vector<double> values;
  // What 100 % of each came to; NaN where it was not a percentage. Empty: none was.
  std::vector<double> maxima = {};

  template <class Archive>
  void state(Archive& ar) {
    ar("values", values)("maxima", maxima);
  }
};

struct Model {
  std::vector<NamedArray> arrays;
  std::vector<Membership> memberships;
  std::vector<Component> components;
  // 1 - residual / total (share_explained): sums of squares, or of what else the method measures a
  // cell by, over the observed cells of the data as the method sees them, the model as stored. From
  // minus infinity to 1; NaN where the method has no model of cells or the total is 0.
  double explained = kUnknown;
  std::vector<UsedValues> used;
  std::vector<NamedValue> measures;  // further numbers about the whole model, by name
  std::vector<std::string> notes;    // what a person should know, a sentence each
};

// The array of this name. Error{input} when it is missing or its shape is not this (-1: any).
const Matrix& find_matrix(const Model& model, const std::string& name, Index rows, Index cols);
const std::vector<double>& find_vector(const Model& model, const std::string& name, Index size);

}  // namespace gingham
