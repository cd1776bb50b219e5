#include "gingham/tools/output.hpp"

#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "gingham/base/text.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/io/result_directory.hpp"

namespace gingham {

namespace fs = std::filesystem;

std::string without_final_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

void check_parent(const std::string& output) {
  std::error_code ignored;
  if (output.empty()) throw Error(ErrorCode::usage, "--output", "a directory is needed");
  const fs::path parent = fs::absolute(output).parent_path();
  if (!fs::is_directory(parent, ignored)) {
    throw Error(ErrorCode::usage, "--output",
                "the folder " + printable(parent.string()) + " does not exist; make it first");
  }
  if (access(parent.c_str(), W_OK) != 0) {
    throw Error(ErrorCode::output, printable(output),
                "the folder " + printable(parent.string()) + " cannot be written to");
  }
}

void check_replaceable(const std::string& output, const std::string& marker,
                       const std::string& kind, bool may_exist) {
  std::error_code ignored;
  if (!fs::exists(output, ignored)) return;
  if (!may_exist) {
    throw Error(
        ErrorCode::usage, "--output",
        printable(output) + " exists already; choose another name, or --force to replace it");
  }
  if (!fs::exists(output + "/" + marker, ignored) &&
      !(fs::is_directory(output, ignored) && fs::is_empty(output, ignored))) {
    throw Error(ErrorCode::usage, "--output",
                printable(output) + " is not " + kind + "; it is never replaced");
  }
}

void begin_folder(const std::string& output, const std::string& marker,
                  const std::string& contents) {
  AtomicDirectory folder(output, true, marker);
  folder.write(marker, contents);
  folder.commit();
}

bool write_run(const std::string& directory, const Dataset& data, const Finishing& finishing,
               bool replace, Result& result, std::vector<std::string>& remarks) {
  if (result.model.arrays.empty()) return false;
  if (!finishing.truth.empty()) {
    try {
      result.scores = score_result(result, finishing.truth, finishing.truth_mode);
      result.truth = finishing.truth.files;
      result.truth_mode = finishing.truth_mode;
    } catch (const Error& error) {
      remarks.push_back(std::string("no scores: ") + error.what());
    }
  }
  if (directory.empty()) return false;
  std::vector<ExtraFile> pages;
  if (finishing.report) {
    const auto began = std::chrono::steady_clock::now();
    try {
      pages.push_back({"report.html", finishing.report(data, result)});
    } catch (const std::exception& error) {
      remarks.push_back(std::string("no report.html: ") + error.what());
    }
    result.seconds.push_back(
        {"report",
         std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count()});
  }
  write_result(directory, result, finishing.reading, replace, pages);
  return true;
}

}  // namespace gingham
