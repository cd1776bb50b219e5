// Reads a page as a browser would tell its elements apart, strictly: every element closed in order,
// every attribute quoted, every & an entity.
#pragma once
#include <cctype>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gingham::test {

struct HtmlTree {
  std::string shape;                    // names of elements and attributes, indented by depth
  std::string text;                     // all text between them
  std::vector<std::string> references;  // values of src and href
};

inline HtmlTree read_html(std::string_view page) {
  const std::set<std::string> void_elements{"meta", "img"};
  HtmlTree tree;
  std::vector<std::string> open;
  const auto fail = [&](const std::string& why, std::size_t at) {
    throw std::runtime_error(why + " near: " + std::string(page.substr(at, 80)));
  };
  std::size_t at = page.find("<html");
  if (!page.starts_with("<!DOCTYPE html>\n") || at != 16) fail("no doctype", 0);
  while (at < page.size()) {
    if (!open.empty() && (open.back() == "script" || open.back() == "style")) {
      // Raw text: it ends where the element is closed and nowhere else.
      const std::size_t end = page.find("</" + open.back() + ">", at);
      if (end == std::string_view::npos) fail("<" + open.back() + "> is not closed", at);
      if (page.substr(at, end - at).find("<!--") != std::string_view::npos)
        fail("a comment in raw text", at);
      open.pop_back();
      at = page.find('>', end) + 1;
      continue;
    }
    if (page[at] != '<') {
      const std::size_t end = std::min(page.find('<', at), page.size());
      const std::string_view text = page.substr(at, end - at);
      if (text.find_first_of(">\"") != std::string_view::npos)
        fail("a mark that is not escaped", at);
      for (std::size_t i = text.find('&'); i != std::string_view::npos; i = text.find('&', i + 1)) {
        bool known = false;
        for (const char* entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
          known = known || text.substr(i).starts_with(entity);
        }
        if (!known) fail("an & that is not an entity", at + i);
      }
      tree.text += text;
      at = end;
      continue;
    }
    std::size_t i = at + 1;
    const bool closes = i < page.size() && page[i] == '/';
    if (closes) ++i;
    std::string name;
    while (i < page.size() && (std::isalnum(static_cast<unsigned char>(page[i])) != 0))
      name += page[i++];
    if (name.empty()) fail("a < that opens nothing", at);
    if (closes) {
      if (page[i] != '>' || open.empty() || open.back() != name)
        fail("</" + name + "> closes nothing", at);
      open.pop_back();
      at = i + 1;
      continue;
    }
    tree.shape += std::string(open.size(), ' ') + name;
    bool is_closed = void_elements.contains(name);
    while (i < page.size() && page[i] != '>') {
      if (page[i] == '/') {
        is_closed = true;
        ++i;
        continue;
      }
      if (page[i++] != ' ') fail("no space before an attribute", at);
      const std::size_t equals = page.find("=\"", i);
      const std::size_t end =
          equals == std::string_view::npos ? equals : page.find('"', equals + 2);
      if (end == std::string_view::npos) fail("an attribute without a value", at);
      const std::string attribute(page.substr(i, equals - i));
      for (const char c : attribute) {
        if (std::isalpha(static_cast<unsigned char>(c)) == 0 && c != '-' &&
            !(c >= '0' && c <= '9')) {
          fail("an odd name of an attribute", i);
        }
      }
      if (attribute.starts_with("on")) fail("a handler", i);
      const std::string_view value = page.substr(equals + 2, end - equals - 2);
      if (value.find_first_of("<>") != std::string_view::npos) fail("a mark in an attribute", i);
      if (attribute == "src" || attribute == "href" || attribute == "srcset")
        tree.references.emplace_back(value);
      tree.shape += " " + attribute;
      i = end + 1;
    }
    tree.shape += "\n";
    if (!is_closed) open.push_back(name);
    at = i + 1;
  }
  if (!open.empty()) throw std::runtime_error("<" + open.back() + "> is not closed");
  return tree;
}

}  // namespace gingham::test
