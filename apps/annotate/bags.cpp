#include "annotate/bags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gingham/base/text.hpp"
#include "gingham/io/attached.hpp"

namespace gingham::annotate {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& line, const char* delimiters) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(delimiters, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

void add_terms(Bag& bag, const std::vector<std::string>& terms) {
  for (const std::string& term : terms) {
    if (std::find(bag.terms.begin(), bag.terms.end(), term) == bag.terms.end())
      bag.terms.push_back(term);
  }
}

// One form for all the ways to write the same place.
std::string plain_path(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  return (error ? path : whole).lexically_normal().string();
}

class Bags {
 public:
  Index number_of(const std::string& name) {
    const auto [place, is_new] = numbers_.try_emplace(name, std::ssize(bags));
    if (is_new) bags.push_back({name, {}});
    return place->second;
  }
  std::vector<Bag> bags = {};

 private:
  std::map<std::string, Index> numbers_ = {};
};

// A line of the table, by the place of its image.
using TableLines = std::map<std::string, Index>;

TableLines lines_by_path(const TextTable& table, const fs::path& folder) {
  TableLines lines;
  for (Index row = 0; row < table.rows(); ++row) {
    const std::string& image = table.at(row, "image");
    if (image.empty() || table.at(row, "bag").empty())
      throw Error(ErrorCode::input, table.where(row), "names no image or no bag");
    if (!lines.try_emplace(plain_path(folder / image), row).second)
      throw Error(ErrorCode::input, table.where(row),
                  "'" + printable(image, 80) + "' is in the table twice");
  }
  return lines;
}

BaggedImages bag_by_table(const std::vector<std::string>& typed, const std::string& path) {
  const TextTable table(path);
  const fs::path folder = fs::path(path).parent_path();
  const TableLines lines = lines_by_path(table, folder);
  Bags bags;
  BaggedImages found;
  const auto add = [&](const std::string& open, const std::string& shown, Index row) {
    found.images.push_back({open, shown, bags.number_of(table.at(row, "bag"))});
  };
  for (const std::string& image : typed) {
    const auto line = lines.find(plain_path(image));
    if (line == lines.end())
      throw Error(ErrorCode::input, printable(image), "is not in the table " + printable(path));
    add(image, image, line->second);
  }
  for (Index row = 0; typed.empty() && row < table.rows(); ++row)
    add((folder / table.at(row, "image")).string(), table.at(row, "image"), row);
  if (found.images.empty()) throw Error(ErrorCode::input, printable(path), "lists no images");
  const Index n_bags = std::ssize(bags.bags);
  for (Index row = 0; row < table.rows() && table.has("terms"); ++row) {
    const Index bag = bags.number_of(table.at(row, "bag"));
    if (bag < n_bags)
      add_terms(bags.bags[static_cast<std::size_t>(bag)], split_terms(table.at(row, "terms")));
  }
  bags.bags.resize(static_cast<std::size_t>(n_bags));
  found.bags = std::move(bags.bags);
  return found;
}

}  // namespace

TextTable::TextTable(const std::string& path) : path_(path) {
  const std::vector<std::string> lines = read_line_file(path);
  if (lines.empty()) throw Error(ErrorCode::input, printable(path), "is empty; expected a header");
  header_ = split(lines[0], "\t");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty() && i + 1 == lines.size()) break;
    cells_.push_back(split(lines[i], "\t"));
    // Empty fields at a line's end may have gone with the blanks there.
    if (cells_.back().size() < header_.size()) cells_.back().resize(header_.size());
    if (cells_.back().size() != header_.size())
      throw Error(ErrorCode::input, where(rows() - 1),
                  fmt::format("{} fields found, expected {} as in the header", cells_.back().size(),
                              header_.size()));
  }
}

std::string TextTable::where(Index row) const {
  return fmt::format("{}:{}", printable(path_), row + 2);
}

std::size_t TextTable::place(const std::string& column) const {
  return static_cast<std::size_t>(std::find(header_.begin(), header_.end(), column) -
                                  header_.begin());
}

bool TextTable::has(const std::string& column) const { return place(column) < header_.size(); }

const std::string& TextTable::at(Index row, const std::string& column) const {
  const std::size_t at = place(column);
  if (at == header_.size())
    throw Error(ErrorCode::input, printable(path_) + ":1",
                "has no column '" + column + "'; expected names of columns with tabs between them");
  return cells_[static_cast<std::size_t>(row)][at];
}

std::vector<std::string> split_terms(const std::string& text) {
  Bag terms;
  for (const std::string& field : split(text, ",|")) {
    const std::size_t begin = field.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    add_terms(terms, {field.substr(begin, field.find_last_not_of(' ') - begin + 1)});
  }
  return terms.terms;
}

std::string joined_terms(const std::vector<std::string>& terms) {
  return fmt::format("{}", fmt::join(terms, ","));
}

BaggedImages bag_images(const std::vector<std::string>& typed, const std::string& table) {
  if (!table.empty()) return bag_by_table(typed, table);
  if (typed.empty())
    throw Error(ErrorCode::usage, "gingham features", "no images; name some, or a table by --bags");
  BaggedImages found;
  Bags bags;
  for (const std::string& image : typed)
    found.images.push_back({image, image, bags.number_of(printable(image, 4096))});
  found.bags = std::move(bags.bags);
  return found;
}

}  // namespace gingham::annotate
