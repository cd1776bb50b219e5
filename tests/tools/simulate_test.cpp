#include "gingham/tools/simulate.hpp"

#include <gtest/gtest.h>

#include <filesystem>

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
      EXPECT_EQ(files.size(), made.blocks.size() + made.lines.size() + made.memberships.size() +
                                  made.truth.size() + (made.images.count > 0 ? 2 : 1));
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

}  // namespace
}  // namespace gingham
