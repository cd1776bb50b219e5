// Simulated data as files: the blocks, what was planted in them, and how they were made.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "gingham/engine/registry.hpp"

namespace gingham {

struct SimulateRequest {
  std::string problem;
  std::map<std::string, std::string> options;  // only those that were given
  std::uint64_t seed = 0;
  std::string output;
  std::string format;  // file ending; empty: npy for dense blocks, csv for dense matrices whose
                       // items have names, mtx for sparse matrices, tns for sparse tensors
  bool force = false;
};

// The simulator of this name; throws Error{usage}.
const Simulator& find_simulator(const std::string& problem);
Simulation make_simulation(const std::string& problem,
                           const std::map<std::string, std::string>& options, std::uint64_t seed);

struct SimulatedFiles {
  std::vector<std::string> data;   // a file per block
  std::vector<std::string> names;  // of the items all blocks share, per mode, as --names takes them
  std::vector<std::string> all;    // what was written, of pictures their folder
};

// Writes data.<format> (data_0, data_1, ... for several blocks, data_00, ... for more than ten; a
// block whose items have names goes by its own), the simulator's own text files, its pictures as
// images/<name>.bmp, truth/<mode>.txt, truth/<array>.npy, clusters.tsv and simulation.json; whole
// or not at all. Names of items that the format cannot hold are names/<mode>.txt, or
// names/<mode>_<block>.txt where the blocks differ.
SimulatedFiles simulate(const SimulateRequest& request);

}  // namespace gingham
