// What a method makes of data and options alone: kernels, sorted copies, means. It is made once,
// and shared by all restarts of a run and by the runs of a path that agree in the options it
// depends on.
#pragma once
#include <any>
#include <memory>
#include <utility>

#include "gingham/base/error.hpp"

namespace gingham {

class Derived {
 public:
  Derived() = default;
  template <class T>
  Derived(std::shared_ptr<const T> made) : made_(std::move(made)) {}
  template <class T>
  Derived(std::shared_ptr<T> made) : Derived(std::shared_ptr<const T>(std::move(made))) {}

  bool is_empty() const { return !made_.has_value(); }
  // Throws Error{internal} where it is something else, or nothing.
  template <class T>
  std::shared_ptr<const T> as() const {
    const auto* made = std::any_cast<std::shared_ptr<const T>>(&made_);
    if (made == nullptr) throw Error(ErrorCode::internal, "", "nothing was derived from the data");
    return *made;
  }

 private:
  std::any made_;
};

}  // namespace gingham
