// The commands of gingham-annotate: from arguments to an exit code, with what is printed.
#include <fmt/format.h>

#include "annotate/annotate.hpp"
#include "annotate/features.hpp"
#include "annotate/pool.hpp"
#include "gingham/base/text.hpp"
#include "image_commands.hpp"
#include "table_text.hpp"
#include "terminal.hpp"

namespace gingham::cli {
namespace {

int threads_of(const Arguments& arguments) {
  return static_cast<int>(arguments.own.integer("threads"));
}

int run_features(const Arguments& arguments) {
  const annotate::FeaturesRequest request{
      .images = arguments.list("IMAGES"),
      .table = arguments.text("bags"),
      .windows = {.window = arguments.own.integer("window"),
                  .step = arguments.own.integer("step"),
                  .is_sift = arguments.own.text("descriptor") == "sift",
                  .flat = arguments.own.real("flat")},
      .threads = threads_of(arguments),
      .output = arguments.text("output"),
      .force = arguments.own.flag("force")};
  const annotate::FeaturesOutcome outcome = annotate::extract_features(request);
  if (arguments.own.flag("quiet")) return kDone;
  print_line(fmt::format(
      "{} images in {} bags: {} windows, {} of them flat, {} patches of {} "
      "numbers",
      outcome.n_images, outcome.n_bags, outcome.n_windows, outcome.n_windows - outcome.n_patches,
      outcome.n_patches, request.windows.size()));
  if (outcome.n_empty_bags > 0)
    print_line(fmt::format("note: {} bags have no patches", outcome.n_empty_bags));
  print_line("written to " + printable(request.output));
  return kDone;
}

int run_pool(const Arguments& arguments) {
  const annotate::PoolRequest request{
      .features = arguments.text("FEATURES"),
      .codes = arguments.text("CODES"),
      .pooling = {.is_max = arguments.own.text("pool") == "max",
                  .is_absolute = arguments.own.text("abs") == "yes"},
      .output = arguments.text("output"),
      .force = arguments.own.flag("force")};
  const annotate::PoolOutcome outcome = annotate::pool(request);
  if (arguments.own.flag("quiet")) return kDone;
  print_line(fmt::format("{} patches pooled into {} bags of {} numbers, {:.1f} % of them not zero",
                         outcome.n_patches, outcome.n_bags, outcome.n_atoms,
                         100.0 * static_cast<double>(outcome.n_nonzeros) /
                             static_cast<double>(outcome.n_bags * outcome.n_atoms)));
  if (outcome.n_empty_bags > 0)
    print_line(fmt::format("note: {} bags have no patches", outcome.n_empty_bags));
  print_line("written to " + printable(request.output));
  return kDone;
}

int run_annotate(const Arguments& arguments) {
  annotate::AnnotateRequest request{
      .pooled = arguments.text("POOLED"),
      .terms = {.top_terms = arguments.own.integer("top-terms"),
                .folds = arguments.own.integer("folds"),
                .seed = static_cast<std::uint64_t>(arguments.own.integer("seed"))},
      .threads = threads_of(arguments),
      .output = arguments.text("output"),
      .force = arguments.own.flag("force")};
  const PenaltyValue& cost = arguments.own.penalty("C");
  if (!cost.is("auto")) request.terms.cost = cost.number;
  if (arguments.own.given("train-fraction"))
    request.terms.train_fraction = arguments.own.real("train-fraction");
  const annotate::AnnotateOutcome outcome = annotate::annotate(request);
  if (arguments.own.flag("quiet")) return kDone;
  print_line(fmt::format("{} bags, {} features", outcome.n_bags, outcome.n_features));
  print_table(outcome.table);
  for (const std::string& note : outcome.scores.left_out) print_line("note: " + note);
  print_line("written to " + printable(request.output));
  return kDone;
}

}  // namespace

const std::vector<Command>& all_commands() {
  static const std::vector<Command> commands =
      image_commands({run_features, run_pool, run_annotate});
  return commands;
}

}  // namespace gingham::cli
