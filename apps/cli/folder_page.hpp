// The page of what fit, path or compare wrote, made from their folders and the data.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace gingham::cli {

// Where things are that have moved since: data files (of a single result), files of options.
struct Moved {
  std::vector<std::string> inputs = {};
  std::map<std::string, std::string> attached = {};
};

// Of one folder its page; of several, which hold a result each, all side by side with links from
// `page_folder`, where the page will be. Throws Error{input} for what cannot be read or is not what
// the result was made from.
std::string folder_page(const std::vector<std::string>& directories, const Moved& moved,
                        const std::string& page_folder);

}  // namespace gingham::cli
