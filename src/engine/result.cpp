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
