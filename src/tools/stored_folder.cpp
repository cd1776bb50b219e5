#include "gingham/tools/stored_folder.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gingham/base/text.hpp"
#include "gingham/io/whole_file.hpp"

namespace gingham {

namespace fs = std::filesystem;

FolderKind folder_kind(const std::string& directory) {
  std::error_code ignored;
  const auto has = [&](const char* name) { return fs::exists(directory + "/" + name, ignored); };
  if (has("result.json")) return FolderKind::result;
  if (has("path.json")) return FolderKind::path;
  if (has("compare.json")) return FolderKind::comparison;
  throw Error(
      ErrorCode::input, printable(directory),
      "is not a folder that fit, path or compare wrote: it has no result.json, path.json or "
      "compare.json");
}

StoredFolder read_folder(const std::string& directory, FolderKind kind) {
  const std::string name = kind == FolderKind::path ? "path" : "compare";
  const std::string record = directory + "/" + name + ".json";
  const std::string table = directory + "/" + name + ".tsv";
  StoredFolder folder;
  folder.table = Table::from_tsv(read_whole_file(table), table);
  try {
    const auto json = nlohmann::ordered_json::parse(read_whole_file(record));
    folder.command = json.at("command").get<std::string>();
    if (kind == FolderKind::path) {
      for (const auto& [option, values] : json.at("vary").items())
        folder.vary.push_back({option, values.get<std::vector<std::string>>()});
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::input, printable(record), std::string("is damaged: ") + error.what());
  }
  return folder;
}

std::vector<std::string> result_folders(const std::string& directory, const Table& table,
                                        Index row) {
  std::error_code ignored;
  std::vector<std::string> found;
  for (Index c = 0; c < std::ssize(table.columns()); ++c) {
    const std::string name = table.cell(row, c);
    if (table.columns()[c].name != "folder" || name.empty()) continue;
    if (name.find("..") != std::string::npos || name.starts_with('/'))
      throw Error(ErrorCode::input, printable(directory), "its table names a folder elsewhere");
    if (fs::exists(directory + "/" + name + "/result.json", ignored)) return {name};
    for (Index block = 0;; ++block) {
      const std::string part = name + "/" + std::to_string(block);
      if (!fs::exists(directory + "/" + part + "/result.json", ignored)) break;
      found.push_back(part);
    }
  }
  return found;
}

}  // namespace gingham
