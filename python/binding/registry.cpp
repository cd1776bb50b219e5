// Methods, options and simulators as plain dictionaries: what the classes in Python are made from.
#include "gingham/engine/registry.hpp"

#include <pybind11/stl.h>

#include "binding.hpp"
#include "gingham/tools/simulate.hpp"

namespace gingham::python {
namespace {

const char* type_name(OptionType type) {
  switch (type) {
    case OptionType::flag:
      return "flag";
    case OptionType::integer:
      return "integer";
    case OptionType::real:
      return "real";
    case OptionType::choice:
      return "choice";
    case OptionType::text:
      return "text";
    case OptionType::penalties:
      return "penalties";
    case OptionType::lines:
      return "lines";
    case OptionType::mode_penalties:
      return "mode_penalties";
    case OptionType::matrix:
      return "matrix";
  }
  return "text";
}

const char* input_name(InputKind kind) {
  switch (kind) {
    case InputKind::matrix:
      return "matrix";
    case InputKind::tensor:
      return "tensor";
    case InputKind::series:
      return "series";
    case InputKind::views:
      return "views";
  }
  return "matrix";
}

py::list option_dicts(const std::vector<OptionRecord>& records) {
  py::list all;
  for (const OptionRecord& record : records) {
    py::dict one;
    one["name"] = record.name;
    one["type"] = type_name(record.type);
    one["initial"] = record.initial;
    one["words"] = record.words;
    one["help"] = record.help;
    one["range"] = record.range_text();
    one["is_single"] = record.is_single;
    one["is_for_transform"] = record.is_for_transform;
    all.append(one);
  }
  return all;
}

py::list simulator_dicts(const MethodInfo& info) {
  py::list all;
  for (const Simulator& simulator : info.simulators) {
    py::dict one;
    one["name"] = simulator.name;
    one["title"] = simulator.title;
    one["options"] = option_dicts(simulator.options);
    all.append(one);
  }
  return all;
}

py::dict method_dict(const MethodInfo& info) {
  py::dict one;
  one["name"] = info.name;
  one["title"] = info.title;
  one["formula"] = info.formula;
  one["reference"] = info.reference;
  one["python_class"] = info.python_class;
  one["input"] = input_name(info.input);
  one["accepts_missing"] = info.traits.accepts_missing;
  one["accepts_sparse"] = info.traits.accepts_sparse;
  one["needs_nonnegative"] = info.traits.needs_nonnegative;
  one["checkerboard"] = info.traits.checkerboard;
  one["transforms"] = static_cast<bool>(info.transform);
  one["options"] = option_dicts(info.all_options());
  py::list arrays;
  for (const ArrayInfo& array : info.arrays) {
    arrays.append(py::dict(py::arg("name") = array.name, py::arg("meaning") = array.meaning,
                           py::arg("is_optional") = array.is_optional));
  }
  one["arrays"] = arrays;
  one["simulators"] = simulator_dicts(info);
  return one;
}

py::array image_array(const Image& image) {
  std::vector<py::ssize_t> shape{image.height, image.width};
  if (image.channels > 1) shape.push_back(image.channels);
  return py::array_t<std::uint8_t>(std::move(shape), image.pixels.data());
}

// Blocks, files of lines, arrays and members as the simulator made them.
py::dict simulate(const std::string& problem, const std::map<std::string, std::string>& options,
                  std::uint64_t seed) {
  auto made = std::make_unique<Simulation>();
  {
    const py::gil_scoped_release free;
    *made = make_simulation(problem, options, seed);
  }
  py::dict dict;
  py::list blocks;
  for (Block& block : made->blocks) blocks.append(py::cast(std::move(block)));
  dict["blocks"] = blocks;
  py::dict lines;
  for (NamedLines& one : made->lines) lines[py::str(one.name)] = py::cast(one.lines);
  dict["lines"] = lines;
  py::list images;
  for (Index i = 0; i < made->images.count; ++i) {
    const NamedImage named = made->images.make(i);
    images.append(py::make_tuple(named.name, image_array(named.image)));
  }
  dict["images"] = images;
  py::list memberships;
  for (const Membership& membership : made->memberships)
    memberships.append(membership_dict(membership));
  dict["memberships"] = memberships;
  const Simulation& kept = *made;  // the arrays are windows onto it
  const py::capsule owner(made.release(),
                          [](void* held) { delete static_cast<Simulation*>(held); });
  py::dict truth;
  for (const NamedArray& array : kept.truth) truth[py::str(array.name)] = array_of(array, owner);
  dict["truth"] = truth;
  return dict;
}

}  // namespace

void bind_registry(py::module_& module) {
  module.def("methods", [] {
    py::list all;
    for (const MethodInfo& info : all_methods()) all.append(method_dict(info));
    return all;
  });
  module.def("simulate", &simulate);
}

}  // namespace gingham::python
