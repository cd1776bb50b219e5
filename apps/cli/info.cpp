#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "gingham/base/parallel.hpp"
#include "gingham/base/text.hpp"
#include "gingham/tools/free_memory.hpp"
#include "gingham/tools/read_within.hpp"
#include "terminal.hpp"

namespace gingham::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

const char* storage_text(const Block& block) {
  if (block.is_matrix()) return block.is_sparse() ? "sparse matrix" : "dense matrix";
  return block.is_sparse() ? "sparse tensor" : "dense tensor";
}

}  // namespace

int run_info(const Arguments& arguments) {
  ThreadPool pool(0);
  const Dataset data =
      read_within(data_files(arguments), memory_limit(parse_bytes(arguments.text("memory-limit"))),
                  Rows::in_memory, &pool);
  const Block& block = data.block(0);
  const Summary& summary = block.summary();
  if (arguments.own.flag("json")) {
    Json labels = Json::array();
    for (Index mode = 0; mode < block.modes(); ++mode)
      labels.push_back(!block.labels(mode).empty());
    const Json object{{"shape", summary.shape},     {"nonzeros", summary.nonzeros},
                      {"missing", summary.missing}, {"min", number(summary.min)},
                      {"max", number(summary.max)}, {"sum", number(summary.sum)},
                      {"labels", labels},           {"bytes", summary.bytes}};
    print_line(object.dump());
    return kDone;
  }
  print_line(fmt::format("{}: {}, {}", printable(block.name()), storage_text(block),
                         shape_text(summary.shape)));
  print_line(fmt::format("  nonzeros  {}", summary.nonzeros));
  print_line(fmt::format("  missing   {}", summary.missing));
  print_line(fmt::format("  min       {}", to_text(summary.min)));
  print_line(fmt::format("  max       {}", to_text(summary.max)));
  print_line(fmt::format("  sum       {}", to_text(summary.sum)));
  for (Index mode = 0; mode < block.modes(); ++mode) {
    const std::string name =
        block.is_matrix() ? (mode == 0 ? "rows" : "columns") : fmt::format("mode {}", mode);
    const Labels& labels = block.labels(mode);
    if (labels.empty()) {
      print_line(fmt::format("  labels    {}: none", name));
    } else {
      print_line(fmt::format("  labels    {}: {} to {}", name, printable(labels.front(), 40),
                             printable(labels.back(), 40)));
    }
  }
  print_line(fmt::format("  memory    {}", human_bytes(static_cast<double>(summary.bytes))));
  return kDone;
}

}  // namespace gingham::cli
