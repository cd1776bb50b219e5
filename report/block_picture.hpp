// One picture of cells between two axes: `BlockPicture` of page/data.ts.
#pragma once
#include <string>

#include "report/shared.hpp"

namespace gingham::report {

// A mode of the pictures: its items in the order of the components and as they came.
struct Side {
  Axis ordered, given;
  Index number = 0;  // in the page's axes
};

// One bin per item where `is_exact`, else at most `bins`.
Side make_side(const Membership* membership, Index n_items, bool is_exact, Index bins,
               const std::string& title, std::optional<Index> labels, Shared& shared);

// Where the components of a membership are on the axis; everywhere where there is no membership.
std::vector<Stretch> places(const Side& side, const Membership* membership, Index n_components);

struct BlockPicture {
  std::string name, caption;
  const Side *rows = nullptr, *columns = nullptr;
  std::vector<Stretch> row_stretches = {}, column_stretches = {};
  Index field = 0;
  std::optional<Index> given_field = {};  // none: `field` is exact and serves both orders
};
Json block_json(const BlockPicture& picture);

// How many bins a side of each of n pictures of means may have.
Index side_for(double n_pictures);
// Cells that may be kept one by one: few enough, and no side too long for a canvas.
bool may_be_exact(Index rows, Index columns, Index n_pictures);

// "; a cell of the picture is the mean of several.", what is ordered, who stands where.
std::string caption_of(const Axis& rows, const Axis& columns, const char* row_word,
                       const char* column_word);

}  // namespace gingham::report
