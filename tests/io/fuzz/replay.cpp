// Runs every file of a folder through the target that the file's name starts with ("csv-…"), and a
// few damaged forms of it, without any fuzzer: replay FOLDER [DAMAGES].
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gingham/base/rng.hpp"
#include "io/fuzz/targets.hpp"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int damages = argc > 2 ? std::atoi(argv[2]) : 50;
  long runs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    const std::string name = entry.path().filename().string();
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    for (const auto& target : gingham::fuzz::targets()) {
      if (!name.starts_with(std::string(target.name) + "-")) continue;
      gingham::Rng rng = gingham::Rng::named(1, name);
      target.one_input(bytes);
      for (int k = 0; k < damages && !bytes.empty(); ++k) {
        std::string damaged = bytes;
        for (gingham::Index flips = 1 + rng.below(4); flips > 0 && !damaged.empty(); --flips) {
          const auto at =
              static_cast<std::size_t>(rng.below(static_cast<gingham::Index>(damaged.size())));
          const gingham::Index how = rng.below(4);
          if (how == 0) damaged[at] = static_cast<char>(rng.below(256));
          if (how == 1) damaged.erase(at, 1);
          if (how == 2) damaged.insert(at, 1, "0123456789,.-\n \"'(%e"[rng.below(20)]);
          if (how == 3) damaged.resize(at);
        }
        target.one_input(damaged);
        ++runs;
      }
      ++runs;
    }
  }
  std::printf("%ld inputs replayed\n", runs);
  return runs > 0 ? 0 : 1;
}
