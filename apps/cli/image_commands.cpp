#include "image_commands.hpp"

#include "command_options.hpp"

namespace gingham::cli {
namespace {

CommandOption threads() {
  return {.record = integer_option("threads", "0", 0, 4096,
                                   "Threads to use, 0 for all; the result does not depend on it.")};
}

std::vector<CommandOption> features_options() {
  return {word(list("IMAGES", "IMAGES",
                    "Pictures: .png .jpg .bmp, told by their content. [those of --bags]")),
          required(output("Directory for features.npy, patches.tsv, bags.tsv and features.json; "
                          "must not exist.")),
          text("bags", "TABLE",
               "Tab-separated table with the columns image, bag, terms: the terms of a bag with "
               "commas or | between them, paths relative to the table. [each picture is a bag]"),
          {.record = integer_option("window", "16", 8, 1024, "Pixels along a side of a window.")},
          {.record = integer_option("step", "8", 1, 1024, "Pixels from a window to the next.")},
          choice("descriptor", "sift", {"sift", "pixels"},
                 "What describes a window: 128 numbers of SIFT, or its grey levels."),
          {.record = real_option("flat", "2", 0, 255,
                                 "Windows whose smoothed grey levels have a standard deviation "
                                 "of at most this are left out: background.")},
          threads(),
          flag("force", "Replace existing features."),
          quiet("No summary.")};
}

std::vector<CommandOption> pool_options() {
  return {required(word(text("FEATURES", "FEATURES", "A directory that features made."))),
          required(word(text("CODES", "CODES",
                             "A code for each patch: a result or transform directory with codes, "
                             "or a matrix with a row per patch, as FEATURES/features.npy."))),
          required(output("Directory for pooled.npz (pooled.npy where codes are dense), bags.txt, "
                          "terms.tsv and pool.json; must not exist.")),
          choice("pool", "max", {"max", "mean"}, "What stands for the patches of a bag."),
          choice("abs", "yes", {"yes", "no"}, "Whether signs are left out first."),
          flag("force", "Replace an existing output."),
          quiet("No summary.")};
}

std::vector<CommandOption> annotate_options() {
  return {
      required(word(text("POOLED", "POOLED", "A directory that pool made."))),
      required(
          output("Directory for annotate.json, scores.tsv and decisions.tsv; must not exist.")),
      {.record = integer_option("top-terms", "10", 1, 1e6, "Terms to learn: the most frequent.")},
      {.record = integer_option("folds", "5", 2, 1000,
                                "Parts the bags are cut into; each is predicted from the others.")},
      {.record = integer_option("seed", "0", 0, 9.0e15, "Start of the random stream.")},
      {.record = {.name = "C",
                  .type = OptionType::penalties,
                  .initial = "auto",
                  .min = 1e-12,
                  .max = 1e12,
                  .words = {"auto"},
                  .help = "Cost of an error; auto: chosen by the area under the curve in an inner "
                          "cross-validation of the training bags.",
                  .is_single = true,
                  .takes_percent = false}},
      {.record = real_option("train-fraction", "", 0.01, 0.99,
                             "Share of bags to train on: as many random cuts as there would be "
                             "folds, instead of folds.")},
      threads(),
      flag("force", "Replace an existing output."),
      quiet("No table.")};
}

}  // namespace

std::vector<Command> image_commands(const ImageRuns& runs) {
  return {{.name = "features",
           .title = "Describe the windows of pictures by SIFT (gingham-annotate)",
           .options = features_options(),
           .run = runs.features},
          {.name = "pool",
           .title = "One vector per bag from the codes of its patches (gingham-annotate)",
           .options = pool_options(),
           .run = runs.pool},
          {.name = "annotate",
           .title = "Learn and score the terms of bags by linear classifiers (gingham-annotate)",
           .options = annotate_options(),
           .run = runs.annotate}};
}

}  // namespace gingham::cli
