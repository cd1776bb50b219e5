// What path and compare leave behind, read again.
#pragma once
#include <string>
#include <vector>

#include "gingham/tools/table.hpp"
#include "gingham/tools/variation.hpp"

namespace gingham {

enum class FolderKind { result, path, comparison };

// Throws Error{input} where the folder is none of them.
FolderKind folder_kind(const std::string& directory);

struct StoredFolder {
  std::string command;          // as typed
  std::vector<Variation> vary;  // of a path
  Table table;                  // path.tsv or compare.tsv
};

// Of a path or a comparison. Throws Error{input} naming the file that is missing or damaged.
StoredFolder read_folder(const std::string& directory, FolderKind kind);

// The result directories that a row of the table stands for: the one its column `folder` names, or
// the numbered ones within. None where the row has no result.
std::vector<std::string> result_folders(const std::string& directory, const Table& table,
                                        Index row);

}  // namespace gingham
