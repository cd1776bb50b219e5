// Several runs at once: paths and comparisons of data in memory.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>

#include "binding.hpp"
#include "gingham/tools/compare.hpp"
#include "gingham/tools/grid.hpp"
#include "gingham/tools/path.hpp"
#include "observer.hpp"
#include "report/page.hpp"

namespace gingham::python {
namespace {

// The results of a path or a comparison and their table.
struct Batch {
  struct Entry {
    std::string name;
    Index number = 0;  // of the point; of the block or view that a method saw by itself
    std::shared_ptr<StoredRun> run;
  };
  Table table = {};
  std::vector<Entry> entries = {};
  std::vector<VariedOption> vary = {};  // of a path
  bool is_complete = false;
  std::vector<std::string> remarks = {};

  void add(const std::string& name, Index number, const Result& result, const Data& data) {
    entries.push_back({name, number, std::make_shared<StoredRun>(StoredRun{result, data.reading})});
  }
};

ReportMaker report_maker(const std::string& command) {
  return [command](const Dataset& data, const Result& result) {
    return report_page(data, result, command);
  };
}

// A table as columns of text, by name.
py::dict columns_of(const Table& table) {
  py::dict columns;
  for (Index c = 0; c < std::ssize(table.columns()); ++c) {
    py::list cells;
    for (Index r = 0; r < table.rows(); ++r) cells.append(table.cell(r, c));
    columns[py::str(table.columns()[c].name)] = cells;
  }
  return columns;
}

// Where and how the results are written; nowhere without an output.
struct Destination {
  std::string output, command;
  bool force = false;
};

template <class Request>
void fill(Request& request, const Data& data, const Truth& truth, const Destination& destination,
          double memory_limit_bytes, PythonObserver& observer) {
  request.data = data.dataset;
  request.input = files_of(data.reading);
  request.truth = truth;
  request.output = destination.output;
  request.command = destination.command;
  request.force = destination.force;
  request.memory_limit_bytes = memory_limit_bytes;
  request.observers = {&observer};
  request.report = report_maker(destination.command);
}

py::tuple with_raised(Batch batch, const PythonObserver& observer) {
  const py::object raised = observer.raised();
  return py::make_tuple(std::move(batch), raised ? raised : py::none());
}

// The batch, and what was raised meanwhile (None otherwise).
py::tuple run_path(const std::string& method, const Data& data,
                   const std::map<std::string, std::string>& given, const py::dict& contents,
                   const std::vector<std::string>& vary, bool cold, const Truth& truth,
                   const Destination& destination, double memory_limit_bytes,
                   const py::object& callback) {
  PathRequest request;
  PythonObserver observer(callback);
  fill(request, data, truth, destination, memory_limit_bytes, observer);
  request.info = &find_method(method);
  request.options = given;
  request.contents = contents_from(contents);
  request.vary = vary;
  request.cold = cold;
  Batch batch;
  request.done = [&](Index point, const Result& result) {
    batch.add(fmt::format("point {}", point), point, result, data);
  };
  {
    const py::gil_scoped_release free;
    PathOutcome outcome = path(request);
    batch.table = std::move(outcome.table);
    batch.is_complete = outcome.is_complete;
    batch.remarks = std::move(outcome.remarks);
    const Grid grid(vary, request.info->make_options());
    for (const Variation& axis : grid.axes()) batch.vary.push_back({axis.option, axis.values});
  }
  return with_raised(std::move(batch), observer);
}

// `methods`: for each its name, its options and their contents.
py::tuple run_compare(const py::list& methods, const Data& data, const Truth& truth,
                      const std::string& truth_mode, const Destination& destination,
                      double memory_limit_bytes, const py::object& callback) {
  CompareRequest request;
  PythonObserver observer(callback);
  fill(request, data, truth, destination, memory_limit_bytes, observer);
  request.truth_mode = truth_mode;
  for (const py::handle one : methods) {
    const auto parts = one.cast<py::tuple>();
    MethodChoice choice{.info = &find_method(parts[0].cast<std::string>())};
    for (const auto& [name, text] : parts[1].cast<std::map<std::string, std::string>>())
      choice.settings.emplace_back(name, text);
    choice.contents = contents_from(parts[2].cast<py::dict>());
    request.methods.push_back(std::move(choice));
  }
  Batch batch;
  request.done = [&](const std::string& name, Index number, const Result& result) {
    batch.add(name, number, result, data);
  };
  {
    const py::gil_scoped_release free;
    CompareOutcome outcome = compare(request);
    batch.table = std::move(outcome.table);
    batch.is_complete = outcome.is_complete;
    batch.remarks = std::move(outcome.remarks);
  }
  return with_raised(std::move(batch), observer);
}

// What a result was made from: all of the data, or the one block that a method saw by itself.
const Dataset* data_of(const Batch::Entry& entry, const Data& data,
                       std::map<Index, Dataset>& parts) {
  if (std::ssize(entry.run->result.inputs) == data.dataset.size()) return &data.dataset;
  const auto [place, is_new] = parts.try_emplace(entry.number);
  if (is_new) place->second = Dataset(lent(data.dataset.block(entry.number), data.dataset));
  return &place->second;
}

std::string page_of(const Batch& batch, const Data& data, const std::string& command) {
  const py::gil_scoped_release free;
  std::map<Index, Dataset> parts;
  std::vector<ReportEntry> entries;
  for (const Batch::Entry& entry : batch.entries)
    entries.push_back({.name = entry.name,
                       .folder = "",
                       .command = command,
                       .data = data_of(entry, data, parts),
                       .result = &entry.run->result});
  if (batch.vary.empty()) return compare_page(entries, batch.table, command);
  std::vector<PathEntry> points;
  for (std::size_t i = 0; i < entries.size(); ++i)
    points.push_back({entries[i], batch.entries[i].number});
  return path_page(points, batch.vary, batch.table, command);
}

py::list runs_of(const Batch& batch) {
  py::list runs;
  for (const Batch::Entry& entry : batch.entries)
    runs.append(py::make_tuple(entry.name, entry.number, entry.run));
  return runs;
}

}  // namespace

void bind_batches(py::module_& module) {
  py::class_<Truth>(module, "Truth")
      .def(py::init([](std::vector<std::string> files, std::vector<std::vector<Index>> labels) {
        return Truth{std::move(files), std::move(labels)};
      }));
  py::class_<Destination>(module, "Destination")
      .def(py::init([](std::string output, std::string command, bool force) {
        return Destination{std::move(output), std::move(command), force};
      }));
  py::class_<Batch>(module, "Batch")
      .def("columns", [](const Batch& batch) { return columns_of(batch.table); })
      .def("runs", &runs_of)
      .def("page", &page_of)
      .def_readonly("is_complete", &Batch::is_complete)
      .def_readonly("remarks", &Batch::remarks);
  module.def("path", &run_path);
  module.def("compare", &run_compare);
}

}  // namespace gingham::python
