#include <filesystem>

#include "commands.hpp"
#include "folder_page.hpp"
#include "gingham/base/text.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/tools/output.hpp"
#include "gingham/tools/stored_folder.hpp"
#include "terminal.hpp"

namespace gingham::cli {

namespace fs = std::filesystem;

int run_report(const Arguments& arguments) {
  std::vector<std::string> directories;
  for (const std::string& one : arguments.list("DIR")) {
    directories.push_back(without_final_slash(one));
    folder_kind(directories.back());  // what is not there is said first
  }
  std::string file = arguments.text("output");
  if (file.empty()) {
    if (directories.size() > 1)
      throw Error(ErrorCode::usage, "--output",
                  "a file for the page is needed where several results are shown side by side");
    file = directories.front() + "/report.html";
  }
  std::error_code ignored;
  if (!arguments.text("output").empty() && fs::exists(file, ignored) &&
      !arguments.own.flag("force"))
    throw Error(ErrorCode::usage, "--output",
                printable(file) + " exists already; choose another name, or --force to replace it");
  if (fs::is_directory(file, ignored))
    throw Error(ErrorCode::usage, "--output", printable(file) + " is a directory, not a file");
  check_parent(file);
  const std::string page_folder = fs::absolute(file).parent_path().string();
  const Moved moved{.inputs = arguments.list("input"), .attached = attached_files(arguments)};
  write_file_atomically(file, folder_page(directories, moved, page_folder));
  if (!arguments.own.flag("quiet")) print_line("report: " + printable(file));
  return kDone;
}

void write_page_of(const std::string& directory, bool quiet) {
  const std::string folder = without_final_slash(directory);
  const std::string file = folder + "/report.html";
  try {
    write_file_atomically(file, folder_page({folder}, {}, folder));
    if (!quiet) print_line("report: " + printable(file));
  } catch (const std::exception& error) {
    print_remark(std::string("no report.html: ") + error.what());
  }
}

}  // namespace gingham::cli
