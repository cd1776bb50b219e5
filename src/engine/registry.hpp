// What the rest of the program knows of a method: this record, and nothing by name.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gingham/data/image.hpp"
#include "gingham/engine/method.hpp"
#include "gingham/engine/options.hpp"

namespace gingham {

enum class InputKind {
  matrix,  // one matrix
  tensor,  // one array of two or more modes
  series,  // matrices over time that share columns or rows
  views,   // matrices that share rows
};

struct Traits {
  bool descent = false;  // the objective never rises within a component
  bool accepts_missing = false;
  bool accepts_sparse = false;
  bool needs_nonnegative = false;  // refuses negative values, unless allow_negative_option is set
  bool accepts_float = false;
  bool deterministic_start = false;  // relabelling items permutes the result
  bool checkerboard = false;  // its co-clusters are all pairs of a row group and a column group
};

// Of a method whose objective after a few iterations says something of where a restart ends: its
// restarts race (race.hpp).
struct RaceInfo {
  // Bytes that one more restart in progress takes, at most. Empty: they do not race.
  std::function<double(const Dataset&, const Options&)> bytes = {};
  // Whether they do with these options; empty: always.
  std::function<bool(const Options&)> takes = {};
};

struct ArrayInfo {
  std::string name;     // <i> stands for the number of a block, <n> of a mode, from 0
  std::string meaning;  // with its shape
  bool is_optional = false;
};

// How an array of a result is shown, besides as a file.
enum class PanelKind {
  matrix,  // named rows (groups, say) x components, >= 0
  curve,   // points x 3: number of components, rising; an error; its standard error
  atoms,   // length x atoms: an atom per column, as long as a sample of the data
  usage,   // per component a number of samples: a histogram
  codes,   // samples x atoms, sparse: histogram of the values, how many per sample, and, with the
           // array of the panel of kind atoms, samples beside what their codes make of them
};

struct PanelInfo {
  PanelKind kind = PanelKind::matrix;
  std::string array = {};  // one of `arrays`; no panel where an optional one is not in the result
  std::string title = {};
  std::string text = {};           // one sentence: what is to be seen, and how to read it
  std::string labels_option = {};  // of a matrix: the option that names its rows
  // Of a matrix: the names of its rows, in order; none while the file of labels_option is not
  // attached. Throws Error{input} where that file is not what was fitted with.
  std::function<std::vector<std::string>(const Options&)> labels = {};
};

// An array as it must be, which is compared entry by entry with the stored one; a NaN stands for
// what does not follow from the rest. A sparse array is given as it is: its entries in order.
struct RecomputedArray {
  std::string name;
  std::vector<double> values;  // row by row
  double tolerance = 0.0;      // what an entry may be off, besides a share of itself
  std::string from = {};       // the stored array that it follows from, if one does
};

// Everything verify compares with what a run reported, computed from data, options and stored
// arrays by plain loops that share no code with the method. An array that is not among `arrays` is
// one that the terms, gaps, members and numbers here are computed from.
struct Recomputed {
  Terms terms;
  std::vector<Component> components;
  std::vector<Membership> memberships;
  // What options, data and arrays make of the options with numbers; NaN: what the run chose, which
  // only running it again tells. One number stands for all that are alike.
  std::vector<UsedValues> used;
  std::vector<NamedValue> measures = {};
  double explained = std::numeric_limits<double>::quiet_NaN();  // Model::explained
  std::vector<RecomputedArray> arrays = {};
  // The sum of squares that the objective is a residual of, where that is not the data's: rounding
  // is judged against it.
  std::optional<double> squares = std::nullopt;
  // Where a trace does not end with the whole model's: the objective of each component's last
  // record, within the tolerance; NaN: not known.
  std::vector<double> ends = {};
  bool is_exhausted = false;  // fewer components than were asked for are right: there are no more
};

// What is found for new items of one mode. The terms are those of the new data; a gap says how far
// an item's own problem is from its optimum.
struct Transformed {
  std::vector<NamedArray> arrays = {};
  std::vector<Membership> memberships = {};  // components as in the fit
  Terms terms = {};
  std::vector<std::string> notes = {};
};

// A text file by its name, and its ending: the group of each column, say.
struct NamedLines {
  std::string name;
  std::vector<std::string> lines;
  std::string ending = "txt";

  std::string file() const { return name + "." + ending; }
};

// Pictures that are made when they are asked for, in any order; each has a name of its own.
struct NamedImage {
  std::string name;  // without an ending
  Image image;
};
struct ImageSet {
  Index count = 0;
  std::function<NamedImage(Index)> make = {};
};

// Data made by a simulator, and what was planted in them.
struct Simulation {
  std::vector<Block> blocks = {};
  ImageSet images = {};                      // files of their own
  std::vector<NamedLines> lines = {};        // files that a fit takes beside the blocks
  std::vector<NamedArray> truth = {};        // arrays worth keeping
  std::vector<Membership> memberships = {};  // planted members; label files follow from them
};

struct Simulator {
  std::string name = {};
  std::string title = {};
  std::vector<OptionRecord> options = {};
  std::function<Simulation(const Options&, Rng)> make = {};
};

struct GINGHAM_API MethodInfo {
  std::string name = {};
  std::string title = {};
  std::string formula = {};
  std::string reference = {};
  std::string python_class = {};
  std::string example = {};  // a command a reader can paste
  InputKind input = InputKind::matrix;
  Traits traits = {};
  std::vector<OptionRecord> options = {};  // its own; one with a common option's name replaces that
  std::vector<ArrayInfo> arrays = {};      // what a result holds
  std::vector<PanelInfo> panels = {};      // what of that a person should look at
  std::function<std::unique_ptr<Method>(const Options&)> make = {};
  // What restarts share of data and options alone; start and attach get it by ctx.derived<T>(). It
  // may call ctx.check_stop(). Empty: nothing.
  std::function<Derived(const Dataset&, const Options&, Context&)> derive = {};
  // The options it looks at: runs on the same data that agree in them share it.
  std::vector<std::string> derived_from = {};
  // Whether, with these options, it takes a matrix whose rows are read when needed
  // (Block::row_source); so do its check, peak_bytes, recompute and transform then. Empty: never.
  std::function<bool(const Options&)> streams = {};
  // Throws Error{input} when the method cannot work on these data or options; may be empty.
  std::function<void(const Dataset&, const Options&)> check = {};
  // Bytes needed beyond the data themselves, at most, while restarts run one after the other.
  std::function<double(const Dataset&, const Options&)> peak_bytes = {};
  RaceInfo race = {};
  std::function<Recomputed(const Dataset&, const Options&, const Model&)> recompute = {};
  // Members among new items of one mode, everything else as fitted: `fresh` has the shape of the
  // fit's data but for that mode, the options are those of the fit. Throws Error{usage} for a mode
  // that has none. Empty: the method has no transform.
  std::function<Transformed(const Dataset& fresh, const Options& options, const Model& fitted,
                            Index mode, Context& ctx)>
      transform = {};
  std::vector<Simulator> simulators = {};

  std::vector<OptionRecord> all_options() const;  // common and own
  Options make_options() const { return Options(all_options()); }
};

// Every method there is, in order of name; generated from the folders of src/methods.
std::vector<MethodInfo> list_methods();
GINGHAM_API const std::vector<MethodInfo>& all_methods();
// Throws Error{usage} that lists the methods there are.
GINGHAM_API const MethodInfo& find_method(std::string_view name);

}  // namespace gingham
