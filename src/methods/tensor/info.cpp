#include <fmt/format.h>

#include <algorithm>

#include "gingham/methods/multilinear/asked.hpp"
#include "gingham/methods/multilinear/memory.hpp"
#include "gingham/methods/multilinear/model.hpp"
#include "gingham/methods/multilinear/recompute.hpp"
#include "gingham/methods/multilinear/transform.hpp"
#include "gingham/methods/tensor/simulate.hpp"
#include "gingham/methods/tensor/simulate_emails.hpp"
#include "gingham/methods/tensor/simulate_organisation.hpp"
#include "gingham/methods/tensor/sparsity.hpp"
#include "gingham/methods/tensor/tensor.hpp"

namespace gingham::methods::tensor {
namespace {

// One value for all modes, or one for each.
void check_count(const Block& block, const Options& options, const char* name) {
  const std::size_t given = options.penalties(name).size();
  if (given == 1 || static_cast<Index>(given) == block.modes()) return;
  throw Error(ErrorCode::usage, fmt::format("--{}", name),
              fmt::format("{} values were given; {} has {} modes ({}): give one value, or one for "
                          "each mode",
                          given, block.name(), block.modes(), shape_text(block.shape())));
}

void check(const Dataset& data, const Options& options) {
  const Block& block = data.block(0);
  check_count(block, options, "sparsity");
  multilinear::check_asked(block, options);
  if (options.given("expect")) {
    check_count(block, options, "expect");
    for (const double size : expected_sizes(block.shape(), options)) {
      if (size >= 1.0) continue;
      throw Error(ErrorCode::usage, "--expect",
                  fmt::format("found {}; expected at least one member in every mode", size));
    }
  }
  if (asks_for(options, "paper") && !options.given("expect")) {
    throw Error(ErrorCode::usage, "--sparsity",
                "paper needs --expect, the members expected in each mode, such as --expect 5,5,3");
  }
  const PenaltyValue& prune = options.penalty("prune");
  if (!prune.is("auto") && prune.resolve(1.0) >= 1.0) {
    throw Error(ErrorCode::usage, "--prune",
                fmt::format("found {}; expected a share below 1 (or below 100%) of the largest "
                            "entry",
                            prune.text()));
  }
  if (options.text("model") != "plain") return;
  const std::vector<PenaltyValue>& asked = options.penalties("sparsity");
  const auto is_zero = [](const PenaltyValue& p) {
    return p.kind != PenaltyValue::Kind::word && p.number == 0.0;
  };
  const auto n_zero = std::count_if(asked.begin(), asked.end(), is_zero);
  if (n_zero > 0 && n_zero < std::ssize(asked)) {
    throw Error(
        ErrorCode::usage, "--sparsity",
        fmt::format("found {}; with --model plain a mode without a penalty takes over the scale "
                    "of the others and their penalties vanish: penalise all modes or none",
                    options.canonical("sparsity")));
  }
}

std::vector<OptionRecord> options() {
  return {
      integer_option("clusters", "3", 1, 1e6, "Co-clusters to look for."),
      {.name = "sparsity",
       .type = OptionType::penalties,
       .initial = "auto",
       .min = 0,
       .words = {"auto", "paper"},
       .help =
           "Penalty on members, one for all modes or one for each: a number, a percentage of the "
           "smallest value at which the first update leaves nothing, auto (from the noise a "
           "plain fit leaves), or paper (with --expect)."},
      mode_penalties_option(
          "Another penalty in place of --sparsity for a mode: MODE=WORD+WORD..., within the bounds "
          "of --model; without line search and pruning."),
      {.name = "signed",
       .type = OptionType::flag,
       .initial = "no",
       .help = "Members may have either sign."},
      choice_option("strategy", "joint", {"joint", "deflation"},
                    "All co-clusters together, or one after the other (for very many)."),
      choice_option("line-search", "polynomial",
                    {"none", "grid", "backtracking", "polynomial", "majorize"},
                    "How far to go on along the last change after every sweep."),
      {.name = "expect",
       .type = OptionType::penalties,
       .min = 0,
       .help =
           "Members expected per mode, a number or a share of the items, for --sparsity paper."},
      {.name = "prune",
       .type = OptionType::penalties,
       .initial = "auto",
       .min = 0,
       .words = {"auto"},
       .help = "At the end entries below this share of their column's largest become 0 and the "
               "rest is refitted: 0 for never; auto is 10%, and 20% with --sparsity auto.",
       .is_single = true},
      choice_option(
          "start", "parafac", {"parafac", "svd", "random"},
          "Where the first restart begins; the second begins from deflation, the others from "
          "random factors."),
      choice_option(
          "model", "box", {"box", "plain"},
          "Entries from 0 to 1 with weights of at most the largest value of the data (one "
          "outlier raises that: levels.npy has the heights), or unbounded entries without "
          "weights."),
      choice_option(
          "balance", "yes", {"yes", "no"},
          "Rescale columns after every sweep so that the penalty is least; the same limit in "
          "fewer iterations."),
      integer_option("restarts", "8", 1, 1e6,
                     "Runs from different starts; the one with the lowest objective is kept.")};
}

// Co-clusters that come one after the other say nothing of the whole at first.
RaceInfo race() {
  return {.bytes =
              [](const Dataset& data, const Options& options) {
                return multilinear::restart_bytes(data.block(0), options.integer("clusters"));
              },
          .takes = [](const Options& options) { return options.text("strategy") == "joint"; }};
}

}  // namespace

MethodInfo info() {
  return {.name = "tensor",
          .title = "Co-clusters of n-way arrays: who, with whom, when (sparse PARAFAC)",
          .formula =
              "||X - sum_k rho_k a_k o b_k o c_k||^2 + sum_n sparsity_n |A_n|_1, "
              "0 <= a, b, c <= 1, 0 <= rho_k <= max X",
          .reference =
              "Papalexakis, Sidiropoulos, Bro: From K-means to higher-way co-clustering: "
              "multilinear decomposition with sparse latent factors. IEEE Trans. Signal Process. "
              "61 (2013)",
          .python_class = "TensorCoclusters",
          .example = "gingham fit tensor counts.tns -o out --clusters 5",
          .input = InputKind::tensor,
          .traits = {.descent = true, .accepts_missing = true, .accepts_sparse = true},
          .options = options(),
          .arrays = {{"mode_<n>", "items of mode n x co-clusters: membership, 0 for none"},
                     {"weights", "co-clusters: rho, at its bound wherever something is penalised"},
                     {"levels", "co-clusters: rho times the largest entry of each column"}},
          .make = [](const Options& options) -> std::unique_ptr<Method> {
            return std::make_unique<Tensor>(options);
          },
          .derive = multilinear::derive,
          .check = check,
          .peak_bytes =
              [](const Dataset& data, const Options& options) {
                const Block& block = data.block(0);
                const Summary& seen = block.summary();
                // What a start takes components away from.
                const Index n_listed = block.is_sparse()                ? seen.listed
                                       : 2 * seen.missing > seen.listed ? seen.listed - seen.missing
                                                                        : 0;
                // Where nothing else is observed, it is a block of its own.
                const bool is_all =
                    block.is_sparse() ? block.unlisted() == Unlisted::missing : n_listed > 0;
                double of_start = 8.0 * static_cast<double>(n_listed);
                if (is_all) of_start += Observed::bytes(block);
                if (is_all && block.is_sparse()) of_start += static_cast<double>(seen.bytes);
                return of_start +
                       multilinear::peak_bytes(block, options.integer("clusters"),
                                               options.text("start") == "svd",
                                               !options.mode_penalties("penalty").empty());
              },
          .race = race(),
          .recompute = multilinear::recompute,
          .transform = multilinear::transform,
          .simulators = {simulator(), email_simulator(), organisation_simulator()}};
}

}  // namespace gingham::methods::tensor
