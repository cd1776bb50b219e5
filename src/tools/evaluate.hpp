// Scores of found labels against known ones.
#pragma once
#include <string>
#include <vector>

#include "gingham/engine/result.hpp"

namespace gingham {

// Known labels, from files or from memory.
struct Truth {
  // A label file; several, one per block of the mode, in order; or one clusters.tsv, where
  // memberships may overlap.
  std::vector<std::string> files = {};
  // In place of files: a label per item, -1 for none; one list, or one per block of the mode.
  std::vector<std::vector<Index>> labels = {};

  bool empty() const { return size() == 0; }
  Index size() const { return std::ssize(files) + std::ssize(labels); }
  bool is_clusters() const { return files.size() == 1 && files[0].ends_with(".tsv"); }
  std::string count_text() const;     // "2 files", "1 list"
  Truth of_block(Index block) const;  // its own, or the one for all
  // What makes two truths the same: the files as typed, the digests of lists.
  std::vector<std::string> identity() const;
};
// Refuses truth that is not there or given in two ways, before any work is done.
void check_truth(const Truth& truth);

// `mode` says which labels of the result are meant:
// those of one block ("columns_2") or of all blocks of a mode ("rows"), by default of the first
// mode there is. One list of labels for several blocks holds for each of them. With several blocks
// each score is the average, followed by the blocks' own (s_index_0, ...).
//
// A clusters.tsv may be about more modes than the result has, as that of a tensor where the result
// is of its sum over a mode. Where result and truth have co-clusters over several modes it adds
//   consensus          agreement of the two sets of co-clusters (not for a checkerboard's),
//   cells_right        share of all cells that lie in exactly the co-clusters they were planted in,
//   planted_right      the same over the cells of at least one planted co-cluster,
//   background_right   the same over the others (each where there are such cells).
// Found co-clusters that match no planted one are wrong where they lie; where every item of every
// mode had to be in one group they are background. Throws Error{input} or Error{usage}.
std::vector<NamedValue> score_result(const Result& result, const Truth& truth,
                                     const std::string& mode = "");

// The average of each score over blocks that have the same scores; with several blocks followed by
// their own.
std::vector<NamedValue> average_scores(const std::vector<std::vector<NamedValue>>& blocks);
// Whether a score made so is that of one block; the others are averages, or of the whole.
bool is_block_score(const std::string& name);

// `found` is a result directory or a label file.
std::vector<NamedValue> evaluate(const std::string& found, const std::vector<std::string>& truth,
                                 const std::string& mode = "");

}  // namespace gingham
