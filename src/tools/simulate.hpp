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
  std::string
      format;  // file ending; empty: npy for dense, mtx for sparse matrices, tns for sparse tensors
  bool force = false;
};

// The simulator of this name; throws Error{usage}.
const Simulator& find_simulator(const std::string& problem);
Simulation make_simulation(const std::string& problem,
                           const std::map<std::string, std::string>& options, std::uint64_t seed);

// Writes data.<format> (data_0, data_1, ... for several blocks, data_00, ... for more than ten),
// the simulator's own text files, its pictures as images/<name>.bmp, truth/<mode>.txt,
// truth/<array>.npy, clusters.tsv and simulation.json; whole or not at all. Returns the names of
// the files, of pictures their folder.
std::vector<std::string> simulate(const SimulateRequest& request);

}  // namespace gingham
