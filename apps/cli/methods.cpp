#include <fmt/format.h>

#include "commands.hpp"
#include "gingham/engine/registry.hpp"
#include "help.hpp"
#include "terminal.hpp"

namespace gingham::cli {

int run_methods(const Arguments& arguments) {
  if (arguments.own.flag("markdown")) {
    std::string text = methods_markdown();
    text.pop_back();
    print_line(text);
  } else if (const std::string method = arguments.text("METHOD"); !method.empty()) {
    std::string text = method_help(find_method(method), find_command("fit"));
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
