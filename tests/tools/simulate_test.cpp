#include "gingham/tools/simulate.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "gingham/io/read_dataset.hpp"
#include "io/temporary_folder.hpp"

namespace gingham {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(Simulate, WritesWhatTheSimulatorMadeAndNamesIt) {
  for (const MethodInfo& info : all_methods()) {
    for (const Simulator& simulator : info.simulators) {
      const TemporaryFolder folder;
      SimulateRequest request;
      request.problem = simulator.name;
      request.seed = 3;
      request.output = folder / "out";
      const std::vector<std::string> files = simulate(request).all;
      for (const std::string& file : files)
        EXPECT_TRUE(std::filesystem::exists(request.output + "/" + file)) << file;
      const Simulation made = make_simulation(simulator.name, {}, 3);
      std::size_t n_names = 0;  // of one block, or of all
      for (Index mode = 0; !made.blocks.empty() && mode < made.blocks[0].modes(); ++mode)
        n_names += made.blocks[0].labels(mode).empty() ? 0 : 1;
      EXPECT_EQ(files.size(), made.blocks.size() + made.lines.size() + made.memberships.size() +
                                  made.truth.size() + n_names + (made.images.count > 0 ? 2 : 1));
      for (const NamedLines& file : made.lines)
        EXPECT_EQ(TemporaryFolder::read(folder / ("out/" + file.file())), joined(file.lines));
      for (const Index i : {Index{0}, made.images.count - 1}) {
        if (made.images.count == 0) continue;
        const std::string name = made.images.make(i).name;
        EXPECT_TRUE(std::filesystem::exists(folder / ("out/images/" + name + ".bmp")));
      }
    }
  }
}

// Whatever the format, what is read with the names that were written is what was made.
TEST(Simulate, NamesOfItemsAreWrittenWhereTheFormatHoldsThemOrBesideIt) {
  for (const MethodInfo& info : all_methods()) {
    for (const Simulator& simulator : info.simulators) {
      std::map<std::string, std::string> options;
      for (const OptionRecord& record : simulator.options)
        if (record.name == "names") options["names"] = "yes";
      const Simulation made = make_simulation(simulator.name, options, 3);
      for (const std::string format : {"", "npz"}) {
        if (made.blocks.empty()) continue;
        if (!format.empty() && !made.blocks[0].is_matrix()) continue;
        const TemporaryFolder folder;
        SimulateRequest request;
        request.problem = simulator.name;
        request.options = options;
        request.seed = 3;
        request.output = folder / "out";
        request.format = format;
        const SimulatedFiles written = simulate(request);
        DataFiles input;
        for (const std::string& file : written.data)
          input.files.push_back(request.output + "/" + file);
        for (const std::string& file : written.names)
          input.names.push_back(file.empty() ? "" : request.output + "/" + file);
        const Dataset data = read_dataset(input);
        ASSERT_EQ(data.size(), std::ssize(made.blocks));
        for (Index b = 0; b < data.size(); ++b) {
          for (Index mode = 0; mode < data.block(b).modes(); ++mode) {
            const Labels& planted = made.blocks[b].labels(mode);
            if (!data.block(b).labels(mode).empty() || written.names.empty()) {
              EXPECT_EQ(data.block(b).labels(mode), planted) << simulator.name;
              continue;
            }
            const std::string key = made.blocks[b].is_matrix() ? (mode == 0 ? "rows" : "columns")
                                                               : "mode_" + std::to_string(mode);
            if (planted.empty()) continue;  // the blocks have names of their own
            EXPECT_EQ(TemporaryFolder::read(request.output + "/names/" + key + "_" +
                                            std::to_string(b) + ".txt"),
                      joined(planted));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace gingham
