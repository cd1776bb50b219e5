// A method is mathematics: it starts from data, takes bounded steps, and can say at any time what
// its objective is made of and what it has found. Loops, clocks, files and output belong to the
// engine.
#pragma once
#include "gingham/data/dataset.hpp"
#include "gingham/engine/archive.hpp"
#include "gingham/engine/context.hpp"
#include "gingham/engine/model.hpp"
#include "gingham/engine/status.hpp"
#include "gingham/engine/terms.hpp"

namespace gingham {

// What a step has finished.
enum class Done {
  nothing,    // a piece of an iteration
  iteration,  // the engine will ask for terms() and decide whether the component goes on
};

// running: as good as comes with the work itself. exact: of the whole model, computed directly.
enum class Accuracy { running, exact };

class Method {
 public:
  virtual ~Method() = default;

  // What the first restart settles for all of them: the numbers that percentages came to, the
  // number of components, what is found before anything is drawn at random. One that is over writes
  // it, a later one reads it before its start.
  virtual void settled(Archive& ar) { static_cast<void>(ar); }
  // Before start, in the first restart: begins from what a run on the same data with other
  // penalties found. A method for which that makes no sense starts as ever.
  virtual void begin_from(const Model& earlier) { static_cast<void>(earlier); }
  // Prepares the first component. The data outlive the method and are not changed.
  virtual void start(const Dataset& data, Context& ctx) = 0;
  // In place of start when a saved state follows: what can be derived from the data alone.
  virtual void attach(const Dataset& data, Context& ctx) = 0;
  // A bounded piece of work, well below a second on large data, or one that calls ctx.check_stop().
  // Only start and step may call that.
  virtual Done step(Context& ctx) = 0;
  // The objective's parts and gaps of the present component (running, asked after an iteration) or
  // of the whole model (exact, asked when the model is not empty).
  virtual Terms terms(Context& ctx, Accuracy accuracy) = 0;
  // The component being worked on ends here with this status. Prepares the next one and returns
  // true, or returns false when there is none left.
  virtual bool conclude(Status status, Context& ctx) = 0;
  // What was found so far; without arrays when there is nothing to show yet.
  virtual Model model(Context& ctx) const = 0;
  // The same when nothing more will be asked of this object: it may give its memory away meanwhile.
  virtual Model take_model(Context& ctx) { return model(ctx); }
  // Everything that later steps depend on and attach() does not restore.
  virtual void state(Archive& ar) = 0;
};

}  // namespace gingham
