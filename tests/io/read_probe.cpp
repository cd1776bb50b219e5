// Reads many files for the comparison with reference readers. One JSON object per line of standard
// input:
//   {"path": …, "dump": …, "unlisted": "zero", "index_base": 1, "duplicates": "error", "labels":
//   "automatic",
//    "shape": [], "max_line_bytes": …, "labels_file": false, "write": …}
// and one per line of standard output: {"error": code, "where": …, "message": …} or
// {"kind": …, "shape": …, "labels": …}, with the values in the file "dump": dense as float64 in C
// order, sparse as int64 indices (entry by entry) followed by float64 values. "write" writes the
// block to that path too; "stream" reads a .npy through NpyStream in blocks of that many rows.
#include <clocale>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "gingham/base/parallel.hpp"
#include "gingham/io/npy_stream.hpp"
#include "gingham/io/read.hpp"
#include "gingham/io/read_labels.hpp"
#include "gingham/io/write.hpp"

namespace {

using gingham::Index;
using nlohmann::json;

gingham::ReadOptions options_of(const json& request) {
  gingham::ReadOptions options;
  options.unlisted = request.value("unlisted", "zero") == "missing" ? gingham::Unlisted::missing
                                                                    : gingham::Unlisted::zero;
  options.index_base = request.value("index_base", Index{1});
  options.duplicates = request.value("duplicates", "error") == "sum" ? gingham::Duplicates::sum
                                                                     : gingham::Duplicates::error;
  const std::string labels = request.value("labels", "automatic");
  options.labels = labels == "none"      ? gingham::LabelMode::none
                   : labels == "rows"    ? gingham::LabelMode::rows
                   : labels == "columns" ? gingham::LabelMode::columns
                   : labels == "both"    ? gingham::LabelMode::both
                                         : gingham::LabelMode::automatic;
  options.shape = request.value("shape", gingham::Shape{});
  options.limits.max_line_bytes = request.value("max_line_bytes", options.limits.max_line_bytes);
  return options;
}

template <class T>
void dump(std::ofstream& out, const T* values, std::size_t count) {
  out.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(count * sizeof(T)));
}

json describe(const gingham::Block& block, const std::string& dump_path) {
  json labels = json::array();
  for (Index mode = 0; mode < block.modes(); ++mode) labels.push_back(block.labels(mode));
  const char* kinds[] = {"dense", "sparse", "dense", "sparse"};
  if (!dump_path.empty()) {
    std::ofstream out(dump_path, std::ios::binary);
    std::vector<double> values;
    for_each_entry(block, [&](std::span<const Index> at, double value) {
      if (block.is_sparse()) dump(out, at.data(), at.size());
      values.push_back(value);
    });
    dump(out, values.data(), values.size());
  }
  return {{"kind", kinds[block.values().index()]},
          {"shape", block.shape()},
          {"labels", labels},
          {"is_matrix", block.is_matrix()},
          {"missing", block.summary().missing}};
}

json stream(const std::string& path, Index step, const std::string& dump_path) {
  const gingham::NpyStream input(path);
  std::ofstream out(dump_path, std::ios::binary);
  std::vector<double> values(static_cast<std::size_t>(step * input.cols()));
  for (Index first = 0; first < input.rows(); first += step) {
    const Index count = std::min(step, input.rows() - first);
    const std::size_t size = static_cast<std::size_t>(count * input.cols());
    input.read_rows(first, count, std::span<double>(values).first(size));
    dump(out, values.data(), size);
  }
  return {{"kind", "dense"}, {"shape", {input.rows(), input.cols()}}};
}

json answer(const json& request) {
  const std::string path = request.at("path");
  try {
    if (request.value("labels_file", false)) return {{"lines", gingham::read_label_file(path)}};
    if (request.contains("stream")) return stream(path, request["stream"], request.at("dump"));
    static gingham::ThreadPool pool(3);
    const gingham::Block block = gingham::read_block(path, options_of(request), &pool);
    if (request.contains("write")) gingham::write_block(block, request["write"].get<std::string>());
    return describe(block, request.value("dump", ""));
  } catch (const gingham::Error& error) {
    return {{"error", static_cast<int>(error.code())},
            {"where", error.where()},
            {"message", error.message()}};
  }
}

}  // namespace

int main() {
  std::setlocale(LC_ALL, "");  // a decimal comma in the environment must not matter
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << answer(json::parse(line)).dump(-1, ' ', true) << '\n' << std::flush;
  }
}
