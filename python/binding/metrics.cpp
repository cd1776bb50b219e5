// Scores of labels and of co-clusters.
#include <pybind11/stl.h>

#include "binding.hpp"
#include "gingham/metrics/accuracy.hpp"
#include "gingham/metrics/ari.hpp"
#include "gingham/metrics/auc.hpp"
#include "gingham/metrics/consensus.hpp"
#include "gingham/metrics/nmi.hpp"
#include "gingham/metrics/relative_error.hpp"
#include "gingham/metrics/s_index.hpp"

namespace gingham::python {
namespace {

using Labeling = py::array_t<Index, py::array::c_style | py::array::forcecast>;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

template <class T>
std::span<const T> span_of(const py::array_t<T, py::array::c_style | py::array::forcecast>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

template <double (*Score)(std::span<const Index>, std::span<const Index>)>
double score(const Labeling& found, const Labeling& truth) {
  return Score(span_of(found), span_of(truth));
}

std::vector<CoCluster> coclusters_of(const std::vector<std::vector<std::vector<Index>>>& all) {
  std::vector<CoCluster> clusters;
  for (const auto& modes : all) clusters.push_back({modes});
  return clusters;
}

}  // namespace

void bind_metrics(py::module_& module) {
  module.def("s_index", &score<s_index>);
  module.def("nmi", &score<nmi>);
  module.def("ari", &score<ari>);
  module.def("accuracy", &score<accuracy>);
  module.def("auc", [](const Numbers& scores, const Labeling& labels, Index positive) {
    return auc(span_of(scores), span_of(labels), positive);
  });
  module.def("relative_squared_error", [](const Numbers& estimate, const Numbers& truth) {
    return relative_squared_error(span_of(estimate), span_of(truth));
  });
  // Co-clusters: for each a list of items per mode.
  module.def("consensus_score", [](const std::vector<std::vector<std::vector<Index>>>& a,
                                   const std::vector<std::vector<std::vector<Index>>>& b) {
    return consensus_score(coclusters_of(a), coclusters_of(b));
  });
}

}  // namespace gingham::python
