// Results as Python sees them: numbers through result.json, arrays as windows, and a plain state
// for pickling.
#include <pybind11/stl.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "binding.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/item_labels.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/tools/status_words.hpp"
#include "gingham/tools/verify.hpp"
#include "report/page.hpp"
#include "report/picture.hpp"

namespace gingham::python {
namespace {

using Json = nlohmann::ordered_json;

py::dict arrays_of(const py::object& self) {
  py::dict arrays;
  for (const NamedArray& array : self.cast<const StoredRun&>().result.model.arrays)
    arrays[py::str(array.name)] = array_of(array, self);
  return arrays;
}

py::list memberships_of(const StoredRun& run) {
  py::list all;
  for (const Membership& membership : run.result.model.memberships)
    all.append(membership_dict(membership));
  return all;
}

// What the memberships are about, in their order: mode, block (None: all of them), number of items.
py::list modes_of(const StoredRun& run) {
  py::list all;
  for (const Membership& membership : run.result.model.memberships) {
    const py::object block =
        membership.block ? py::object(py::int_(*membership.block)) : py::none();
    all.append(py::make_tuple(membership.mode, block, membership.n_items));
  }
  return all;
}

py::list stability_of(const StoredRun& run) {
  py::list all;
  for (const std::vector<double>& shares : run.result.stability)
    all.append(py::array_t<double>(std::ssize(shares), shares.data()));
  return all;
}

py::dict labels_dict(const StoredRun& run) {
  py::dict labels;
  for (const Membership& membership : run.result.model.memberships)
    labels[py::str(membership.key())] = copy_of(strongest(membership));
  return labels;
}

template <class Field>
py::array column(const std::vector<Record>& trace, Field Record::*field) {
  py::array_t<Field> values(std::ssize(trace));
  Field* out = values.mutable_data();
  for (const Record& record : trace) *out++ = record.*field;
  return values;
}

py::dict trace_of(const StoredRun& run) {
  const std::vector<Record>& trace = run.result.trace;
  py::dict columns;
  columns["component"] = column(trace, &Record::component);
  columns["iteration"] = column(trace, &Record::iteration);
  columns["objective"] = column(trace, &Record::objective);
  columns["gap"] = column(trace, &Record::gap);
  columns["moved"] = column(trace, &Record::moved);
  columns["seconds"] = column(trace, &Record::seconds);
  return columns;
}

std::string json_text(const StoredRun& run) { return to_json(run.result, run.reading); }

// Contents that options have, by key: lines or a matrix.
py::dict contents_of(const Options& options) {
  py::dict contents;
  for (const OptionRecord& record : options.records()) {
    if (!options.is_attached(record.name)) continue;
    if (const Matrix* matrix = options.matrix(record.name)) {
      contents[py::str(record.name)] =
          py::array_t<double>({matrix->rows(), matrix->cols()}, matrix->data());
    } else {
      contents[py::str(record.name)] = py::cast(options.lines(record.name));
    }
  }
  return contents;
}

// The options as one would type them, and where contents came from.
py::dict options_of(const StoredRun& run) {
  py::dict all;
  const Options& options = run.result.options;
  for (const OptionRecord& record : options.records()) {
    if (options.given(record.name))
      all[py::str(record.name)] =
          options.is_file(record.name) ? options.path(record.name) : options.canonical(record.name);
  }
  return all;
}

// How it ended: good, fair or bad; a title; what it means.
py::tuple words_of(const StoredRun& run) {
  const StatusWords words = status_words(run.result.status);
  const char* tone = words.tone == Tone::good ? "good" : words.tone == Tone::fair ? "fair" : "bad";
  return py::make_tuple(tone, words.title, words.meaning);
}

// The user's names of the items that a membership is about; none where there are none.
Labels names_of(const StoredRun& run, const std::string& mode, std::optional<Index> block,
                Index n_items) {
  const Labels* labels = labels_of(run.result, block, mode_number(mode), n_items);
  return labels != nullptr ? *labels : Labels{};
}

py::dict state_of(const py::object& self) {
  const auto& run = self.cast<const StoredRun&>();
  py::dict state;
  state["json"] = json_text(run);
  state["arrays"] = arrays_of(self);
  state["memberships"] = memberships_of(run);
  state["stability"] = stability_of(run);
  state["item_labels"] = py::cast(run.result.item_labels);
  state["contents"] = contents_of(run.result.options);
  return state;
}

template <class T>
std::vector<T> vector_of(const py::handle& object) {
  const auto array = object.cast<py::array_t<T, py::array::c_style | py::array::forcecast>>();
  return {array.data(), array.data() + array.size()};
}

Membership membership_from(const py::dict& dict) {
  Membership membership{
      dict["mode"].cast<std::string>(), std::nullopt, dict["n_items"].cast<Index>(), {}};
  if (!dict["block"].is_none()) membership.block = dict["block"].cast<Index>();
  const auto components = vector_of<Index>(dict["component"]);
  const auto items = vector_of<Index>(dict["item"]);
  const auto values = vector_of<double>(dict["value"]);
  for (std::size_t i = 0; i < components.size(); ++i)
    membership.members.push_back({components[i], items.at(i), values.at(i)});
  return membership;
}

template <class T>
Array<T> array_from(const py::handle& object) {
  const std::vector<T> values = vector_of<T>(object);
  Array<T> array(std::ssize(values));
  std::copy(values.begin(), values.end(), array.data());
  return array;
}

NamedArray named_array_from(const std::string& name, const py::handle& value) {
  if (py::isinstance<py::tuple>(value)) {
    const auto parts = value.cast<py::tuple>();
    const auto shape = parts[4].cast<Shape>();
    return {name, SparseMatrix(shape.at(0), shape.at(1), array_from<Index>(parts[1]),
                               array_from<std::int32_t>(parts[2]), array_from<double>(parts[3]))};
  }
  const auto array = value.cast<py::array>();
  if (array.ndim() == 1) return {name, vector_of<double>(value)};
  return {name, Matrix(array.shape(0), array.shape(1), array_from<double>(value))};
}

std::shared_ptr<StoredRun> from_state(const py::dict& state) {
  StoredResult stored = from_json(state["json"].cast<std::string>(), "pickled result");
  auto run = std::make_shared<StoredRun>(StoredRun{std::move(stored.result), stored.reading});
  Result& result = run->result;
  for (const auto& [name, value] : state["arrays"].cast<py::dict>())
    result.model.arrays.push_back(named_array_from(name.cast<std::string>(), value));
  for (const py::handle one : state["memberships"])
    result.model.memberships.push_back(membership_from(one.cast<py::dict>()));
  for (const py::handle one : state["stability"])
    result.stability.push_back(vector_of<double>(one));
  result.item_labels = state["item_labels"].cast<std::vector<std::vector<Labels>>>();
  for (auto& [name, content] : contents_from(state["contents"])) {
    if (auto* lines = std::get_if<std::vector<std::string>>(&content)) {
      result.options.attach(name, std::move(*lines));
    } else {
      result.options.attach_matrix(name, std::get<Matrix>(std::move(content)));
    }
  }
  return run;
}

std::shared_ptr<StoredRun> load(const std::string& directory,
                                const std::map<std::string, std::string>& attached) {
  const py::gil_scoped_release free;
  ResultDirectory stored = read_result(directory);
  attach_again(stored.json.result.options, stored.json.attached, directory, attached);
  return std::make_shared<StoredRun>(StoredRun{std::move(stored.json.result), stored.json.reading});
}

void save(const StoredRun& run, const std::string& directory, bool replace, const Data* data,
          const std::string& command) {
  const py::gil_scoped_release free;
  std::vector<ExtraFile> pages;
  if (data != nullptr)
    pages.push_back({"report.html", report_page(data->dataset, run.result, command)});
  write_result(directory, run.result, run.reading, replace, pages);
}

// The pictures of the report, as its page gets them.
std::string picture(const StoredRun& run, const Data& data) {
  const py::gil_scoped_release free;
  report::Shared shared(1);
  Json page;
  page["picture"] = report::picture_json(data.dataset, run.result, shared);
  shared.write(page);
  return page.dump(-1, ' ', false, Json::error_handler_t::replace);
}

py::dict verify(const StoredRun& run, const Data& data, bool deep) {
  Verification found;
  {
    const py::gil_scoped_release free;
    found = verify_result(data.dataset, run.result, deep ? Depth::run_again : Depth::numbers);
  }
  py::dict dict;
  dict["checked"] = found.n_checked;
  dict["differences"] = found.differences;
  return dict;
}

}  // namespace

py::object array_of(const NamedArray& array, const py::object& owner) {
  if (const Matrix* matrix = std::get_if<Matrix>(&array.values))
    return window(matrix->data(), {matrix->rows(), matrix->cols()}, owner);
  if (const auto* vector = std::get_if<std::vector<double>>(&array.values))
    return window(vector->data(), {std::ssize(*vector)}, owner);
  const auto& sparse = std::get<SparseMatrix>(array.values);
  return py::make_tuple("csr", window(sparse.pointers().data(), {sparse.rows() + 1}, owner),
                        window(sparse.columns().data(), {sparse.entries()}, owner),
                        window(sparse.values().data(), {sparse.entries()}, owner),
                        py::make_tuple(sparse.rows(), sparse.cols()));
}

py::dict named_values(const std::vector<NamedValue>& values) {
  py::dict dict;
  for (const NamedValue& one : values) dict[py::str(one.name)] = one.value;
  return dict;
}

py::dict membership_dict(const Membership& membership) {
  const auto n = std::ssize(membership.members);
  py::array_t<Index> component(n), item(n);
  py::array_t<double> value(n);
  for (py::ssize_t i = 0; i < n; ++i) {
    const Member& member = membership.members[i];
    component.mutable_data()[i] = member.component;
    item.mutable_data()[i] = member.item;
    value.mutable_data()[i] = member.value;
  }
  py::dict dict;
  dict["mode"] = membership.mode;
  dict["block"] = membership.block ? py::object(py::int_(*membership.block)) : py::none();
  dict["n_items"] = membership.n_items;
  dict["component"] = component;
  dict["item"] = item;
  dict["value"] = value;
  return dict;
}

MemoryContents contents_from(const py::dict& dict) {
  MemoryContents contents;
  for (const auto& [name, value] : dict) {
    if (py::isinstance<py::array>(value)) {
      contents[name.cast<std::string>()] = matrix_of(value.cast<py::array>());
    } else {
      contents[name.cast<std::string>()] = value.cast<std::vector<std::string>>();
    }
  }
  return contents;
}

void bind_results(py::module_& module) {
  py::class_<StoredRun, std::shared_ptr<StoredRun>>(module, "Run")
      .def_property_readonly("json", &json_text)
      .def_property_readonly("has_model",
                             [](const StoredRun& run) { return !run.result.model.arrays.empty(); })
      .def_property_readonly("objective",
                             [](const StoredRun& run) { return run.result.terms.objective(); })
      .def_property_readonly("explained",
                             [](const StoredRun& run) -> std::optional<double> {
                               const double share = run.result.model.explained;
                               return std::isnan(share) ? std::nullopt : std::optional(share);
                             })
      .def_property_readonly("iterations",
                             [](const StoredRun& run) { return run.result.iterations; })
      .def_property_readonly(
          "status",
          [](const StoredRun& run) { return std::string(status_name(run.result.status)); })
      .def_property_readonly("status_words", &words_of)
      .def("names_of", &names_of)
      .def_static("mode_number", [](const std::string& mode) { return mode_number(mode); })
      .def_property_readonly(
          "n_components", [](const StoredRun& run) { return run.result.model.components.size(); })
      .def("arrays", [](const py::object& self) { return arrays_of(self); })
      .def("memberships", &memberships_of)
      .def("modes", &modes_of)
      .def("labels", &labels_dict)
      .def("stability", &stability_of)
      .def("trace", &trace_of)
      .def("options", &options_of)
      .def("contents", [](const StoredRun& run) { return contents_of(run.result.options); })
      .def("item_labels", [](const StoredRun& run) { return run.result.item_labels; })
      .def("save", &save)
      .def("report",
           [](const StoredRun& run, const Data& data, const std::string& command) {
             const py::gil_scoped_release free;
             return report_page(data.dataset, run.result, command);
           })
      .def("picture", &picture)
      .def("verify", &verify, py::arg("data"), py::arg("deep") = false)
      .def(py::pickle([](const py::object& self) { return state_of(self); },
                      [](const py::dict& state) { return from_state(state); }));
  module.def("load", &load);
  module.def("strongest", [](const py::dict& membership) {
    return copy_of(strongest(membership_from(membership)));
  });
}

}  // namespace gingham::python
