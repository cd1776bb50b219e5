// Numbers used that no double can hold: lambda of adaptive weights has the units of data^(1+g).
#include <gtest/gtest.h>

#include "gingham/engine/run.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/tools/verify.hpp"
#include "io/temporary_folder.hpp"
#include "methods/contract_data.hpp"

namespace gingham {
namespace {

TEST(NumbersUsed, OutOfRangeTheyStillVerify) {
  const TemporaryFolder folder;
  Index n_written = 0;
  const std::vector<std::vector<Setting>> cases{
      {{"clusters", 2}},
      {{"clusters", 2}, {"row-sparsity", "30%"}, {"column-sparsity", "20%"}},
      {{"penalty", "rows=top:4"}, {"column-sparsity", "40%"}},
      {{"penalty", "columns=l1:20%"}, {"row-sparsity", "99.9%"}}};
  std::vector<Matrix> rows;  // u of each case at the first scale
  for (const double scale : {1.0, 1e-150, 1e150}) {
    const Dataset data(testing::scaled(testing::planted_matrix(20, 14, 3), scale));
    for (std::size_t k = 0; k < cases.size(); ++k) {
      SCOPED_TRACE(::testing::Message() << "scale " << scale << ", case " << k);
      const Result result = run("ssvd", data, cases[k]);
      if (scale == 1.0) rows.push_back(result.matrix("u"));
      for (Index i = 0; i < rows[k].size(); ++i)
        EXPECT_NEAR(result.matrix("u").data()[i], rows[k].data()[i], 1e-9);
      const Verification found = verify_result(data, result);
      for (const std::string& one : found.differences) ADD_FAILURE() << one;
      const std::string written = folder / std::to_string(++n_written);
      write_result(written, result, {"zero", "error", "automatic"}, false);
      const Verification again = verify_result(data, read_result(written).json.result);
      for (const std::string& one : again.differences) ADD_FAILURE() << one;
      Result changed = result;
      for (NamedArray& array : changed.model.arrays) {
        if (array.name == "v") std::get<Matrix>(array.values)(0, 0) += 0.01;
      }
      EXPECT_FALSE(verify_result(data, changed).passed());
    }
  }
}

}  // namespace
}  // namespace gingham
