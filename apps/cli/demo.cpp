#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "gingham/base/shell_words.hpp"
#include "gingham/base/text.hpp"
#include "gingham/tools/fit.hpp"
#include "gingham/tools/simulate.hpp"
#include "gingham/tools/verify.hpp"
#include "report/page.hpp"
#include "summary.hpp"
#include "terminal.hpp"
#include "verification.hpp"

namespace gingham::cli {

int run_demo(const Arguments& arguments) {
  namespace fs = std::filesystem;
  const std::string folder = arguments.text("output");
  const bool force = arguments.own.flag("force");
  if (fs::exists(folder) && !force) {
    throw Error(
        ErrorCode::usage, "--output",
        printable(folder) + " exists already; choose another name, or --force to replace it");
  }
  fs::create_directories(folder);
  print_line(
      "1. Simulate: 200 samples x 120 features of noise with three hidden blocks of 20 x 10.");
  SimulateRequest simulation;
  simulation.problem = "ssvd";
  simulation.options = {{"level", "2"}};
  simulation.output = folder + "/data";
  simulation.force = force;
  simulate(simulation);

  print_line("\n2. Find them: gingham fit ssvd, three co-clusters, sparsity chosen by BIC.");
  FitRequest request;
  request.method = "ssvd";
  request.input.files = {folder + "/data/data.npy"};
  request.options = find_method("ssvd").make_options();
  request.options.set("clusters", "3");
  request.output = folder + "/ssvd";
  request.force = force;
  request.truth = {folder + "/data/clusters.tsv"};
  request.report = [&](const Dataset& data, const Result& result) {
    return report_page(
        data, result,
        shell_command({"gingham", "fit", request.method, request.input.files[0], "-o",
                       request.output, "--clusters", "3", "--truth", request.truth[0]}));
  };
  request.stop = &install_stop_signals();
  const FitOutcome outcome = fit(request);
  print_summary(outcome.result, request.output);

  print_line("\n3. Trust it: gingham verify recomputes every number from the data.");
  const Verification verification = verify_directory(request.output);
  if (const int code = show_verification(request.output, verification, false); code != kDone)
    return code;

  print_line(
      fmt::format("\nNext: gingham fit ssvd YOUR_TABLE.csv -o out --clusters 3\n"
                  "      gingham methods          what else there is\n"
                  "      {}   members of each block\n\n"
                  "See it: open {} in a browser",
                  printable(request.output + "/clusters.tsv"),
                  printable(fs::absolute(request.output).string() + "/report.html")));
  return kDone;
}

}  // namespace gingham::cli
