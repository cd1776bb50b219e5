#include <fmt/format.h>

#include "commands.hpp"
#include "gingham/engine/registry.hpp"
#include "help.hpp"
#include "terminal.hpp"

namespace gingham::cli {

int run_methods(const MethodsArguments& arguments) {
  if (arguments.markdown) {
    std::string text = methods_markdown();
    text.pop_back();
    print_line(text);
  } else if (!arguments.method.empty()) {
    std::string text = method_help(find_method(arguments.method));
    text.pop_back();
    print_line(text);
  } else {
    for (const MethodInfo& info : all_methods())
      print_line(fmt::format("{:<22}{}", info.name, info.title));
    print_line("\ngingham methods METHOD explains one.");
  }
  return kDone;
}

}  // namespace gingham::cli
