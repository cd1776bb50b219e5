#include "gingham/tools/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/bmp.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/io/write.hpp"

namespace gingham {
namespace {

constexpr const char* kMarker = "simulation.json";

Options options_for(const Simulator& simulator, const std::map<std::string, std::string>& given) {
  Options options(simulator.options);
  for (const auto& [name, text] : given) options.set(name, text);
  return options;
}

bool has_names(const Block& block) {
  for (Index mode = 0; mode < block.modes(); ++mode)
    if (!block.labels(mode).empty()) return true;
  return false;
}

std::string default_format(const Block& block) {
  if (!block.is_sparse()) return block.is_matrix() && has_names(block) ? "csv" : "npy";
  return block.is_matrix() ? "mtx" : "tns";
}

// The number of a block with leading zeros, so that names in alphabetical order are in order of
// time.
std::string numbered(std::size_t block, std::size_t n_blocks) {
  return fmt::format("{:0{}}", block, std::to_string(n_blocks - 1).size());
}

std::string data_file(const std::vector<Block>& blocks, std::size_t b, const std::string& format) {
  if (has_names(blocks[b])) return blocks[b].name() + "." + format;
  if (blocks.size() == 1) return "data." + format;
  return "data_" + numbered(b, blocks.size()) + "." + format;
}

bool share_names(const std::vector<Block>& blocks, Index mode) {
  return std::all_of(blocks.begin(), blocks.end(), [&](const Block& block) {
    return mode < block.modes() && block.labels(mode) == blocks[0].labels(mode);
  });
}

void write_lines(AtomicDirectory& directory, const std::string& file,
                 const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  directory.write(file, text);
}

// The names of the items, for formats without labels.
void write_names(AtomicDirectory& directory, const std::vector<Block>& blocks,
                 SimulatedFiles& files) {
  for (Index mode = 0; mode < blocks[0].modes(); ++mode) {
    const bool is_shared = share_names(blocks, mode);
    const std::string key = "names/" + mode_name(mode, blocks[0].modes());
    files.names.emplace_back();
    for (std::size_t b = 0; b < (is_shared ? 1 : blocks.size()); ++b) {
      if (blocks[b].labels(mode).empty()) continue;
      const std::string file = (is_shared ? key : key + "_" + numbered(b, blocks.size())) + ".txt";
      write_lines(directory, file, blocks[b].labels(mode));
      files.all.push_back(file);
      if (is_shared) files.names.back() = file;
    }
  }
}

std::string provenance(const Simulator& simulator, const Options& options, std::uint64_t seed) {
  nlohmann::ordered_json json;
  json["gingham"] = kVersion;
  json["problem"] = simulator.name;
  json["seed"] = seed;
  for (const OptionRecord& record : simulator.options)
    json["parameters"][record.key()] = options.canonical(record.name);
  return json.dump(1) + "\n";
}

}  // namespace

const Simulator& find_simulator(const std::string& problem) {
  std::string known;
  for (const MethodInfo& info : all_methods()) {
    for (const Simulator& simulator : info.simulators) {
      if (simulator.name == problem) return simulator;
      known += " " + simulator.name;
    }
  }
  throw Error(ErrorCode::usage, "",
              "there is no problem '" + printable(problem, 60) + "'; there are" + known);
}

Simulation make_simulation(const std::string& problem,
                           const std::map<std::string, std::string>& options, std::uint64_t seed) {
  const Simulator& simulator = find_simulator(problem);
  return simulator.make(options_for(simulator, options), Rng::named(seed, "simulate " + problem));
}

SimulatedFiles simulate(const SimulateRequest& request) {
  const Simulator& simulator = find_simulator(request.problem);
  const Options options = options_for(simulator, request.options);
  if (std::filesystem::exists(request.output) && !request.force) {
    throw Error(ErrorCode::usage, "--output",
                printable(request.output) +
                    " exists already; choose another name, or --force to replace it");
  }
  Simulation made =
      simulator.make(options, Rng::named(request.seed, "simulate " + request.problem));
  SimulatedFiles written;
  std::vector<std::string>& files = written.all;
  AtomicDirectory directory(request.output, request.force, kMarker);
  bool keeps_names = true;
  for (std::size_t b = 0; b < made.blocks.size(); ++b) {
    const std::string format =
        request.format.empty() ? default_format(made.blocks[b]) : request.format;
    keeps_names = keeps_names && (format == "csv" || format == "tsv");
    files.push_back(data_file(made.blocks, b, format));
    write_block(made.blocks[b], directory.path() + "/" + files.back());
  }
  written.data = files;
  if (!keeps_names && !made.blocks.empty()) write_names(directory, made.blocks, written);
  if (made.images.count > 0) files.push_back("images");
  for (Index i = 0; i < made.images.count; ++i) {
    const NamedImage picture = made.images.make(i);
    directory.write("images/" + picture.name + ".bmp", bmp_bytes(picture.image));
  }
  for (const NamedLines& file : made.lines) {
    files.push_back(file.file());
    write_lines(directory, files.back(), file.lines);
  }
  for (const Membership& membership : made.memberships) {
    const std::string block =
        membership.block
            ? "_" + numbered(static_cast<std::size_t>(*membership.block), made.blocks.size())
            : "";
    files.push_back("truth/" + membership.mode + block + ".txt");
    write_labels(directory, files.back(), membership);
  }
  for (NamedArray& array : made.truth) {
    files.push_back("truth/" + record_of(array).file());
    write_array(directory, "truth/", array);
  }
  Result truth;
  for (const Block& block : made.blocks) {
    std::vector<Labels>& labels = truth.item_labels.emplace_back();
    for (Index mode = 0; mode < block.modes(); ++mode) labels.push_back(block.labels(mode));
  }
  truth.model.memberships = std::move(made.memberships);
  for (const Membership& membership : truth.model.memberships) {
    for (const Member& member : membership.members) {
      if (member.component >= static_cast<Index>(truth.model.components.size())) {
        truth.model.components.resize(static_cast<std::size_t>(member.component) + 1);
      }
    }
  }
  files.push_back("clusters.tsv");
  write_clusters(directory, truth);
  directory.write(kMarker, provenance(simulator, options, request.seed));
  directory.commit();
  return written;
}

}  // namespace gingham
