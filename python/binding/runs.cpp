// Fits, with the interpreter free to do other things meanwhile.
#include <pybind11/stl.h>

#include <chrono>
#include <thread>

#include "binding.hpp"
#include "gingham/engine/check.hpp"
#include "gingham/engine/run.hpp"
#include "gingham/engine/session.hpp"
#include "gingham/tools/apply.hpp"
#include "gingham/tools/free_memory.hpp"
#include "observer.hpp"

namespace gingham::python {
namespace {

Options options_from(const std::string& method, const std::map<std::string, std::string>& given,
                     const py::dict& contents) {
  Options options = find_method(method).make_options();
  for (const auto& [name, text] : given) options.set(name, text);
  attach_contents(options, contents_from(contents));
  attach_files(options);
  return options;
}

// The result, and what was raised meanwhile (None otherwise).
py::tuple fit(const std::string& method, const Data& data,
              const std::map<std::string, std::string>& given, const py::dict& contents,
              const py::object& callback, double memory_limit_bytes) {
  const MethodInfo& info = find_method(method);
  Options options = options_from(method, given, contents);
  PythonObserver observer(callback);
  auto run = std::make_shared<StoredRun>();
  {
    const py::gil_scoped_release free;
    check_inputs(info, data.dataset, options);
    const double limit =
        memory_limit(memory_limit_bytes, static_cast<double>(data.dataset.bytes()));
    static_cast<void>(race_within(info, data.dataset, options, limit));
    check_memory(estimate_bytes(info, data.dataset, options), limit);
    run->result = gingham::run(info, data.dataset, options, {&observer});
    run->reading = data.reading;
  }
  const py::object raised = observer.raised();
  return py::make_tuple(run, raised ? raised : py::none());
}

py::dict applied_dict(std::unique_ptr<Applied> applied, std::size_t n_components) {
  const Transformed& found = applied->found;
  py::dict dict, labels;
  for (const Membership& membership : found.memberships)
    labels[py::str(membership.key())] = copy_of(strongest(membership));
  dict["labels"] = labels;
  dict["objective"] = found.terms.objective();
  py::dict terms = named_values(found.terms.penalties);
  terms["loss"] = found.terms.loss;
  dict["terms"] = terms;
  dict["gaps"] = named_values(found.terms.gaps);
  dict["status"] = std::string(status_name(applied->status));
  dict["notes"] = found.notes;
  dict["n_components"] = n_components;
  py::dict arrays;
  const py::capsule owner(applied.release(),
                          [](void* held) { delete static_cast<Applied*>(held); });
  for (const NamedArray& array : found.arrays) arrays[py::str(array.name)] = array_of(array, owner);
  dict["arrays"] = arrays;
  // Lists of all members can be larger than the arrays; few ask for them.
  dict["memberships"] = py::cpp_function([owner, &found] {
    py::list all;
    for (const Membership& membership : found.memberships) all.append(membership_dict(membership));
    return all;
  });
  return dict;
}

// Blocks on threads, with a look at Python's signals a few times a second: what they raise ends the
// work. Signals reach the thread that called, which works on blocks like the others.
class WatchedPool final : public Executor {
 public:
  explicit WatchedPool(int threads) : pool_(threads) {}
  int threads() const override { return pool_.threads(); }
  void map(Index n_blocks, FunctionRef<void(Index)> body) override {
    pool_.map(n_blocks, [&](Index block) {
      look();
      body(block);
    });
  }

 private:
  void look() {
    if (std::this_thread::get_id() != caller_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_look_) return;
    next_look_ = now + std::chrono::milliseconds(50);
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }

  ThreadPool pool_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point next_look_ = std::chrono::steady_clock::now();
};

// New items of one mode; takes the blocks out of the list.
py::dict apply(const StoredRun& fit, const py::list& given, Index mode,
               const std::vector<Index>& views, const std::map<std::string, std::string>& settings,
               int threads) {
  std::vector<Block> blocks = take_blocks(given);
  auto applied = std::make_unique<Applied>();
  {
    const py::gil_scoped_release free;
    WatchedPool pool(threads);
    *applied = apply_fit(fit.result, std::move(blocks),
                         {.mode = mode, .views = views, .settings = settings, .executor = &pool});
    applied->fresh = Dataset();  // the data are the caller's
  }
  return applied_dict(std::move(applied), fit.result.model.components.size());
}

}  // namespace

void bind_runs(py::module_& module) {
  module.def("fit", &fit);
  module.def("apply", &apply);
}

}  // namespace gingham::python
