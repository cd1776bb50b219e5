#include <gingham/gingham.hpp>

#include <cstdio>

int main() {
  gingham::Matrix x(30, 20);
  gingham::Rng rng = gingham::Rng::named(1, "example");
  for (double& value : x.values()) value = rng.normal();
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 6; ++j) x(i, j) += 5.0;
  }
  const gingham::Result result =
      gingham::run("ssvd", gingham::Dataset(std::move(x)), {{"clusters", 1}});
  std::printf("%s, %lld rows\n", std::string(gingham::status_name(result.status)).c_str(),
              static_cast<long long>(gingham::size_of(result.membership("rows"), 0)));
}
