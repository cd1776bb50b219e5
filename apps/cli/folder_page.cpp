#include "folder_page.hpp"

#include <fmt/ranges.h>

#include <deque>
#include <filesystem>

#include "gingham/base/shell_words.hpp"
#include "gingham/base/text.hpp"
#include "gingham/io/result_directory.hpp"
#include "gingham/tools/read_again.hpp"
#include "gingham/tools/stored_folder.hpp"
#include "report/page.hpp"

namespace gingham::cli {
namespace {

namespace fs = std::filesystem;

// The command that makes the result: every option that is not at its default. None for one slice of
// a series, which no command fits by itself.
std::string retyped(const StoredResult& stored, const std::string& directory) {
  const ReadingRecord& reading = stored.reading;
  if (reading.slice) return "";
  const ReadingRecord usual = record_of(DataFiles{});
  std::vector<std::string> words{"gingham", "fit", stored.result.method};
  words.insert(words.end(), reading.files.begin(), reading.files.end());
  words.insert(words.end(), {"-o", directory});
  const auto add = [&](const std::string& name, const std::string& value) {
    words.insert(words.end(), {"--" + name, value});
  };
  if (reading.unlisted != usual.unlisted) add("unlisted", reading.unlisted);
  if (reading.duplicates != usual.duplicates) add("duplicates", reading.duplicates);
  if (reading.labels != usual.labels) add("labels", reading.labels);
  if (reading.index_base != usual.index_base) add("index-base", to_text(reading.index_base));
  if (reading.series_mode) add("series-mode", to_text(*reading.series_mode));
  std::string shape;
  for (const Index size : reading.shape) shape += (shape.empty() ? "" : ",") + to_text(size);
  if (!shape.empty()) add("shape", shape);
  if (!reading.names.empty()) add("names", fmt::format("{}", fmt::join(reading.names, ",")));
  const Options& options = stored.result.options;
  const Options defaults(options.records());
  for (const OptionRecord& record : options.records()) {
    std::string value = options.canonical(record.name);
    if (options.is_file(record.name) && options.path(record.name).empty())
      value = directory + "/" + attached_file(record);
    if (!options.given(record.name) || value == defaults.canonical(record.name)) continue;
    if (record.type == OptionType::flag) {
      if (options.flag(record.name)) words.push_back("--" + record.name);
    } else {
      add(record.name, value);
    }
  }
  if (!stored.result.truth.empty()) words.push_back("--truth");
  words.insert(words.end(), stored.result.truth.begin(), stored.result.truth.end());
  return shell_command(words);
}

// Results and their data, each read once; addresses stay.
class Library {
 public:
  explicit Library(Moved moved) : moved_(std::move(moved)) {}

  ReportEntry read(const std::string& directory, const std::string& name, const std::string& folder,
                   bool with_arrays) {
    results_.push_back(read_result(directory).json);
    StoredResult& stored = results_.back();
    attach_again(stored.result.options, stored.attached, directory, moved_.attached);
    const Dataset* data = find(stored);
    if (data == nullptr) {
      data_.push_back(read_data_again(stored, moved_.inputs));
      data = &data_.back();
      check(*data, stored.result);
    }
    stored.result.item_labels = item_labels(*data);
    if (!with_arrays) stored.result.model.arrays.clear();
    return {.name = name,
            .folder = folder,
            .command = retyped(stored, directory),
            .data = data,
            .result = &stored.result};
  }

 private:
  static bool fits(const Dataset& data, const Result& result) {
    if (data.size() != std::ssize(result.inputs)) return false;
    for (Index b = 0; b < data.size(); ++b) {
      if (data.block(b).digest() != result.inputs[b].digest) return false;
    }
    return true;
  }

  static void check(const Dataset& data, const Result& result) {
    if (fits(data, result)) return;
    throw Error(ErrorCode::input,
                result.inputs.empty() ? "" : printable(result.inputs.front().path),
                "is not what the result was made from; a picture of it would mislead");
  }

  const Dataset* find(const StoredResult& stored) const {
    for (const Dataset& data : data_) {
      if (fits(data, stored.result)) return &data;
    }
    return nullptr;
  }

  Moved moved_;
  std::deque<StoredResult> results_;
  std::deque<Dataset> data_;
};

std::string path_folder_page(const std::string& directory, Library& library) {
  const StoredFolder folder = read_folder(directory, FolderKind::path);
  std::vector<PathEntry> entries;
  for (Index row = 0; row < folder.table.rows(); ++row) {
    for (const std::string& name : result_folders(directory, folder.table, row))
      entries.push_back({library.read(directory + "/" + name, name, name, false), row});
  }
  std::vector<VariedOption> vary;
  for (const Variation& one : folder.vary) vary.push_back({one.option, one.values});
  return path_page(entries, vary, folder.table, folder.command);
}

std::string comparison_page(const std::string& directory, Library& library) {
  const StoredFolder folder = read_folder(directory, FolderKind::comparison);
  std::vector<ReportEntry> entries;
  for (Index row = 0; row < folder.table.rows(); ++row) {
    for (const std::string& name : result_folders(directory, folder.table, row))
      entries.push_back(library.read(directory + "/" + name, name, name, false));
  }
  return compare_page(entries, folder.table, folder.command);
}

}  // namespace

std::string folder_page(const std::vector<std::string>& directories, const Moved& moved,
                        const std::string& page_folder) {
  Library library(moved);
  if (directories.size() == 1) {
    const std::string& directory = directories.front();
    switch (folder_kind(directory)) {
      case FolderKind::path:
        return path_folder_page(directory, library);
      case FolderKind::comparison:
        return comparison_page(directory, library);
      case FolderKind::result:
        break;
    }
    const ReportEntry one = library.read(directory, "", "", true);
    return report_page(*one.data, *one.result, one.command);
  }
  std::vector<ReportEntry> entries;
  for (const std::string& directory : directories) {
    if (folder_kind(directory) != FolderKind::result)
      throw Error(ErrorCode::input, printable(directory),
                  "holds several results; side by side go folders of one result each");
    const std::string link = fs::absolute(directory).lexically_relative(fs::absolute(page_folder));
    entries.push_back(library.read(directory, directory, link, false));
  }
  return several_page(entries);
}

}  // namespace gingham::cli
