// Bags of pictures and their terms, as tab-separated tables with a header.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "gingham/base/index.hpp"

namespace gingham::annotate {

// A table by the names of its columns. Throws Error{input} with file and line for a line with
// another number of fields than the header, and for a missing column that is asked for.
class TextTable {
 public:
  explicit TextTable(const std::string& path);
  Index rows() const { return std::ssize(cells_); }
  bool has(const std::string& column) const;
  const std::string& at(Index row, const std::string& column) const;
  std::string where(Index row) const;  // "file:line"

 private:
  std::size_t place(const std::string& column) const;
  std::string path_;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> cells_;
};

struct Bag {
  std::string name;
  std::vector<std::string> terms;  // each once, in the order they came
};

struct BaggedImage {
  std::string path;   // to open
  std::string shown;  // as it was typed, or as the table has it
  Index bag = 0;
};

struct BaggedImages {
  std::vector<BaggedImage> images;
  std::vector<Bag> bags;  // in the order they first came
};

// Terms with commas or | between them, blanks around them left out.
std::vector<std::string> split_terms(const std::string& text);
std::string joined_terms(const std::vector<std::string>& terms);

// The images that were typed, or without any those of the table, and their bags. A bag's terms are
// those of all its lines together. Without a table each image is a bag without terms, called by its
// path. Throws Error{input} for an image that the table does not have or has twice, and
// Error{usage} where there is nothing.
BaggedImages bag_images(const std::vector<std::string>& typed, const std::string& table);

}  // namespace gingham::annotate
