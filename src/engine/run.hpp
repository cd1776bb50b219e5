// One call from data to result.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "gingham/base/parallel.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/observer.hpp"
#include "gingham/engine/registry.hpp"

namespace gingham {

// An option and its value: {"clusters", 3}, {"row-sparsity", "20%"}.
struct Setting {
  Setting(std::string option, std::string value)
      : name(std::move(option)), text(std::move(value)) {}
  Setting(std::string option, const char* value) : name(std::move(option)), text(value) {}
  Setting(std::string option, double value) : name(std::move(option)), text(to_text(value)) {}
  Setting(std::string option, Index value) : name(std::move(option)), text(to_text(value)) {}
  Setting(std::string option, int value) : Setting(std::move(option), Index{value}) {}
  Setting(std::string option, bool value) : name(std::move(option)), text(value ? "yes" : "no") {}
  std::string name;
  std::string text;
};

// Runs a method on data: the number of threads and the time limit come from the options, or the
// blocks run on `executor` when one is given.
GINGHAM_API Result run(const MethodInfo& info, const Dataset& data, const Options& options,
                       std::vector<Observer*> observers = {}, Executor* executor = nullptr,
                       std::span<const std::byte> snapshot = {});

// The same by name: run("ssvd", data, {{"clusters", 3}}).
GINGHAM_API Result run(std::string_view method, const Dataset& data,
                       const std::vector<Setting>& settings = {},
                       const std::vector<Observer*>& observers = {});

}  // namespace gingham
