#include "gingham/engine/result.hpp"

#include "gingham/base/text.hpp"

namespace gingham {
namespace {

template <class T>
const T& array_of(const Model& model, std::string_view name) {
  for (const NamedArray& array : model.arrays) {
    if (array.name == name) {
      if (const T* values = std::get_if<T>(&array.values)) return *values;
    }
  }
  throw Error(ErrorCode::usage, "",
              "the result has no array '" + printable(name, 60) + "' of this kind");
}

}  // namespace

std::vector<InputSummary> summaries(const Dataset& data) {
  std::vector<InputSummary> inputs;
  for (const Block& block : data.blocks()) {
    const Summary& summary = block.summary();
    inputs.push_back(
        {block.name(), summary.shape, summary.nonzeros, summary.missing, block.digest()});
  }
  return inputs;
}

std::vector<std::vector<Labels>> item_labels(const Dataset& data) {
  std::vector<std::vector<Labels>> all;
  for (const Block& block : data.blocks()) {
    std::vector<Labels>& labels = all.emplace_back();
    for (Index mode = 0; mode < block.modes(); ++mode) labels.push_back(block.labels(mode));
  }
  return all;
}

const Matrix& Result::matrix(std::string_view name) const { return array_of<Matrix>(model, name); }

const std::vector<double>& Result::vector(std::string_view name) const {
  return array_of<std::vector<double>>(model, name);
}

const Membership& Result::membership(std::string_view key) const {
  for (const Membership& membership : model.memberships) {
    if (membership.key() == key) return membership;
  }
  throw Error(ErrorCode::usage, "", "the result has no labels for '" + printable(key, 60) + "'");
}

std::vector<Index> Result::labels(std::string_view key) const { return strongest(membership(key)); }

}  // namespace gingham
