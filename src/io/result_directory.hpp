// A result as a directory: result.json, the arrays as .npy (.npz where sparse), clusters.tsv,
// labels/; with several restarts stability.tsv; where items have names also names/<mode>.txt, of
// several inputs names/<mode>_<input>.txt, one per line, so that new data can be checked against
// them; and content of options that came from memory as attached/<option>.txt or .npy.
#pragma once
#include <string>
#include <vector>

#include "gingham/engine/result.hpp"
#include "gingham/io/result_json.hpp"

namespace gingham {

class AtomicDirectory;
class ByteSink;

// Written whole or not at all; an existing directory is replaced only when `replace` says so.
// `extra` are further files (name, contents). Throws Error{output}.
struct ExtraFile {
  std::string name, contents;
};
void write_result(const std::string& directory, const Result& result, const ReadingRecord& reading,
                  bool replace, const std::vector<ExtraFile>& extra = {});

struct ResultDirectory {
  // Its result with arrays, memberships and item labels filled in; the labels as in names/.
  StoredResult json;
  std::vector<std::vector<Index>> labels;  // as in labels/, one list per membership
};
// Throws Error{input} naming the file that is missing or damaged.
ResultDirectory read_result(const std::string& directory);

// What a mode is called: "rows", "columns", of a tensor "mode_2".
std::string mode_name(Index mode, Index n_modes);
// The form in which an item's name is written, fit for showing.
std::string shown_name(const std::string& name);

// clusters.tsv: component, mode, block, index, label, value; a line per member.
void write_clusters(ByteSink& sink, const Result& result);
void write_clusters(AtomicDirectory& directory, const Result& result);
// stability.tsv: the same lines with share, how often the member comes back in the other restarts,
// for value. Requires that every member has one.
void write_stability(ByteSink& sink, const Result& result);
// The shares of all members of memberships as clusters.tsv lists them. Throws Error{input} naming
// the line that is not about the next of them or has no share from 0 to 1.
std::vector<std::vector<double>> read_stability(const std::string& path,
                                                std::vector<Membership>& memberships);
// Adds the members listed in a clusters.tsv to memberships whose modes, blocks and sizes are known.
// Throws Error{input} for a line that does not fit them.
void read_clusters(const std::string& path, std::vector<Membership>& memberships);
// The same for a file that may be about more modes, as one of a tensor for the sum over a mode:
// modes that no membership has are left out. rows is mode_0 and columns mode_1, whichever way
// either calls them. Throws Error{input} also where no line is about any of the memberships' modes.
void read_clusters_of_modes(const std::string& path, std::vector<Membership>& memberships);
// One array as a file of an output directory, under `folder` ("" or "name/").
void write_array(AtomicDirectory& directory, const std::string& folder, const NamedArray& array);
// A label file: the strongest component per item, one number per line.
void write_labels(ByteSink& sink, const Membership& membership);
void write_labels(AtomicDirectory& directory, const std::string& name,
                  const Membership& membership);

}  // namespace gingham
