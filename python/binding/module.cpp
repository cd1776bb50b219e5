// gingham._core: the engine as Python sees it. No method is named here; the classes are made in
// Python from what the registry says.
#include <algorithm>
#include <cctype>
#include <string_view>

#include "binding.hpp"
#include "gingham/base/version.hpp"
#include "gingham/kernels/blas.hpp"

#ifdef GINGHAM_STATIC_BLAS
extern "C" __attribute__((weak)) void blas_thread_shutdown_();  // an OpenBLAS may have no threads
#endif

namespace gingham::python {
namespace {

// A copy of OpenBLAS that only this module sees never needs the threads that it starts when it is
// loaded. One that is shared with numpy keeps its threads.
void end_own_blas_threads() {
#ifdef GINGHAM_STATIC_BLAS
  [[maybe_unused]] static const auto* const forever = new BlasSingleThread;
  if (blas_thread_shutdown_ != nullptr) blas_thread_shutdown_();
#endif
}

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

// Messages name options as they are typed, --row-sparsity; here they are arguments, row_sparsity.
// A word of the language itself has an underscore at its end.
std::string in_python_words(std::string_view message) {
  std::string text;
  for (std::size_t at = 0; at < message.size();) {
    const bool is_inside =
        at > 0 && (is_name(message[at - 1]) || std::isalnum(message[at - 1]) != 0);
    const bool begins = !is_inside && message.substr(at).starts_with("--") &&
                        at + 2 < message.size() && message[at + 2] != '-' &&
                        is_name(message[at + 2]);
    if (!begins) {
      text += message[at++];
      continue;
    }
    std::size_t end = at += 2;
    while (end < message.size() && is_name(message[end])) ++end;
    std::string name(message.substr(at, end - at));
    std::replace(name.begin(), name.end(), '-', '_');
    text += name == "lambda" ? "lambda_" : name;
    at = end;
  }
  return text;
}

PyObject* exception_for(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
    case ErrorCode::input:
      return PyExc_ValueError;
    case ErrorCode::memory:
      return PyExc_MemoryError;
    case ErrorCode::output:
      return PyExc_OSError;
    case ErrorCode::internal:
      break;
  }
  return PyExc_RuntimeError;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Error& error) {
    PyErr_SetString(exception_for(error.code()), in_python_words(error.what()).c_str());
  }
}

}  // namespace
}  // namespace gingham::python

PYBIND11_MODULE(_core, module) {
  using namespace gingham::python;
  end_own_blas_threads();
  pybind11::register_exception_translator(translate);
  module.attr("version") = gingham::kVersion;
  module.def("in_python_words", [](const std::string& text) { return in_python_words(text); });
  bind_data(module);
  bind_registry(module);
  bind_results(module);
  bind_runs(module);
  bind_batches(module);
  bind_metrics(module);
}
