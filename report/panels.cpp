// Further pictures of a result's arrays, as the method's record asks for them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "gingham/base/error.hpp"
#include "report/names.hpp"
#include "report/pack.hpp"
#include "report/sample_pairs.hpp"
#include "report/sections.hpp"
#include "report/text.hpp"

namespace gingham::report {
namespace {

constexpr Index kMaxRows = 200, kMaxColumns = 100, kMaxAtoms = 256, kMaxAtomCells = 80'000;
constexpr int kBins = 30;

Json titled(const char* kind, const PanelInfo& panel, const std::string& more = "") {
  return {{"kind", kind}, {"title", clean(panel.title)}, {"text", clean(panel.text, 600) + more}};
}

Json matrix_json(const PanelInfo& panel, const Matrix& values, const Options& options) {
  std::vector<std::string> names;
  try {
    if (panel.labels) names = panel.labels(options);
  } catch (const Error&) {
    // The file that names the rows is another now: they have numbers.
  }
  const std::string unnamed =
      names.empty() && !panel.labels_option.empty()
          ? fmt::format(" The file of --{} is not at hand, so rows have numbers.",
                        panel.labels_option)
          : "";
  Json json = titled("matrix", panel, unnamed), rows = Json::array(), columns = Json::array(),
       cells = Json::array();
  for (Index j = 0; j < values.cols() && j < kMaxColumns; ++j)
    columns.push_back(fmt::format("component {}", j));
  for (Index i = 0; i < values.rows() && i < kMaxRows; ++i) {
    rows.push_back(i < std::ssize(names) ? clean(names[i], kMaxLabel) : std::to_string(i));
    Json row = Json::array();
    for (Index j = 0; j < values.cols() && j < kMaxColumns; ++j)
      row.push_back(number_json(values(i, j)));
    cells.push_back(std::move(row));
  }
  if (values.rows() > kMaxRows || values.cols() > kMaxColumns)
    json["text"] =
        json["text"].get<std::string>() +
        fmt::format(" The first {} rows and {} columns are shown.",
                    std::min(values.rows(), kMaxRows), std::min(values.cols(), kMaxColumns));
  json["rows"] = rows;
  json["columns"] = columns;
  json["values"] = cells;
  return json;
}

Json curve_json(const PanelInfo& panel, const Matrix& points, Index n_components) {
  Json json = titled("curve", panel), x = Json::array(), y = Json::array(), error = Json::array(),
       chosen = nullptr;
  for (Index i = 0; i < points.rows(); ++i) {
    x.push_back(number_json(points(i, 0)));
    y.push_back(number_json(points(i, 1)));
    error.push_back(number_json(points(i, 2)));
    if (points(i, 0) == static_cast<double>(n_components)) chosen = i;
  }
  json["x_title"] = "components";
  json["y_title"] = "error";
  json["x"] = x;
  json["y"] = y;
  json["error"] = error;
  json["chosen"] = chosen;
  return json;
}

// Counts of values between the least and the largest in bins of equal width; whole numbers are
// never split.
class Histogram {
 public:
  Histogram(double low, double high, bool is_whole) : low_(low) {
    bins_ = kBins;
    if (is_whole) {
      const double width = std::max(std::ceil((high - low + 1.0) / kBins), 1.0);
      bins_ = static_cast<int>(std::ceil((high - low + 1.0) / width));
      width_ = width;
    } else {
      width_ = high > low ? (high - low) / kBins : 1.0;
    }
    counts_.assign(static_cast<std::size_t>(bins_), 0);
  }
  void add(double value) {
    const double at = std::floor((value - low_) / width_);
    ++counts_[static_cast<std::size_t>(std::clamp(at, 0.0, bins_ - 1.0))];
  }
  Json json(const PanelInfo& panel, const std::string& title, const std::string& x_title) const {
    Json json = titled("histogram", panel), edges = Json::array();
    if (!title.empty()) json["title"] = title;
    for (int i = 0; i <= bins_; ++i) edges.push_back(number_json(low_ + i * width_));
    json["x_title"] = x_title;
    json["edges"] = edges;
    json["counts"] = counts_;
    return json;
  }

 private:
  double low_, width_ = 1.0;
  int bins_ = kBins;
  std::vector<Index> counts_;
};

Json usage_json(const PanelInfo& panel, const std::vector<double>& usage) {
  double largest = 0.0;
  for (const double value : usage) largest = std::max(largest, std::isfinite(value) ? value : 0.0);
  Histogram histogram(0.0, largest, true);
  for (const double value : usage) histogram.add(std::isfinite(value) ? value : 0.0);
  return histogram.json(panel, "", "samples that use the atom");
}

Json atoms_json(const PanelInfo& panel, const Matrix& atoms, const std::vector<double>* usage) {
  std::vector<Index> order(static_cast<std::size_t>(atoms.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  const bool has_usage = usage != nullptr && std::ssize(*usage) == atoms.cols();
  if (has_usage) {
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return (*usage)[a] > (*usage)[b]; });
  }
  const Index shown =
      std::min({atoms.cols(), kMaxAtoms,
                std::max<Index>(kMaxAtomCells / std::max<Index>(atoms.rows(), 1), 1)});
  Json json = titled("images", panel), names = Json::array(), numbers = Json::array();
  std::vector<float> values;
  for (Index k = 0; k < shown; ++k) {
    names.push_back(fmt::format("atom {}", order[k]));
    numbers.push_back(has_usage ? number_json((*usage)[order[k]]) : Json("nan"));
    for (Index i = 0; i < atoms.rows(); ++i)
      values.push_back(static_cast<float>(atoms(i, order[k])));
  }
  const ImageShape shape = image_shape(atoms.rows());
  json["height"] = shape.height;
  json["width"] = shape.width;
  json["names"] = names;
  json["numbers_title"] = has_usage ? "samples that use it" : "";
  json["numbers"] = numbers;
  json["values"] = packed(values);
  json["left_out"] = atoms.cols() - shown;
  return json;
}

void add_codes(Json& list, const PanelInfo& panel, const SparseMatrix& codes, const Matrix* atoms,
               const Dataset& data) {
  double low = 0.0, high = 0.0, most = 0.0;
  for (const double value : codes.values()) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  for (Index i = 0; i < codes.rows(); ++i)
    most = std::max(most, static_cast<double>(codes.pointers()[i + 1] - codes.pointers()[i]));
  Histogram sizes(low, high, false), numbers(0.0, most, true);
  for (const double value : codes.values()) sizes.add(value);
  for (Index i = 0; i < codes.rows(); ++i)
    numbers.add(static_cast<double>(codes.pointers()[i + 1] - codes.pointers()[i]));
  list.push_back(numbers.json(panel, "Atoms per sample", "atoms"));
  list.push_back(sizes.json(panel, "Weights of the atoms", "weight"));
  list.back()["text"] = "";
  if (atoms == nullptr || data.size() != 1) return;
  if (Json pairs = sample_pairs_json(data.block(0), codes, *atoms); !pairs.is_null())
    list.push_back(std::move(pairs));
}

template <class T>
const T* find_array(const Model& model, const std::string& name) {
  for (const NamedArray& one : model.arrays) {
    if (one.name == name) return std::get_if<T>(&one.values);
  }
  return nullptr;
}

const std::string* array_of(const MethodInfo& info, PanelKind kind) {
  for (const PanelInfo& panel : info.panels) {
    if (panel.kind == kind) return &panel.array;
  }
  return nullptr;
}

}  // namespace

Json panels_json(const Dataset& data, const Result& result) {
  Json list = Json::array();
  const MethodInfo* info = known_method(result);
  if (info == nullptr) return list;
  const Model& model = result.model;
  const std::string *atoms_name = array_of(*info, PanelKind::atoms),
                    *usage_name = array_of(*info, PanelKind::usage);
  for (const PanelInfo& panel : info->panels) {
    const auto* matrix = find_array<Matrix>(model, panel.array);
    const auto* vector = find_array<std::vector<double>>(model, panel.array);
    const auto* sparse = find_array<SparseMatrix>(model, panel.array);
    if (panel.kind == PanelKind::matrix && matrix != nullptr)
      list.push_back(matrix_json(panel, *matrix, result.options));
    if (panel.kind == PanelKind::curve && matrix != nullptr && matrix->cols() >= 3)
      list.push_back(curve_json(panel, *matrix, std::ssize(model.components)));
    if (panel.kind == PanelKind::usage && vector != nullptr)
      list.push_back(usage_json(panel, *vector));
    if (panel.kind == PanelKind::atoms && matrix != nullptr) {
      const auto* usage =
          usage_name == nullptr ? nullptr : find_array<std::vector<double>>(model, *usage_name);
      list.push_back(atoms_json(panel, *matrix, usage));
    }
    if (panel.kind == PanelKind::codes && sparse != nullptr) {
      const auto* atoms = atoms_name == nullptr ? nullptr : find_array<Matrix>(model, *atoms_name);
      add_codes(list, panel, *sparse, atoms, data);
    }
  }
  return list;
}

}  // namespace gingham::report
