#include "report/index.hpp"

#include <fmt/format.h>

#include "report/text.hpp"

namespace gingham {
namespace {

using report::escape;

constexpr std::size_t kMost = 4096;

std::string entry_html(const IndexEntry& entry) {
  std::string html =
      fmt::format("<section><h2><a href=\"{}\">{}</a></h2><p>{}</p>", escape(entry.link, kMost),
                  escape(entry.question, kMost), escape(entry.title, kMost));
  for (const std::string& sentence : entry.sentences)
    html += "<p>" + escape(sentence, kMost) + "</p>";
  return html + "<pre><code>" + escape(entry.command, kMost) + "</code></pre></section>\n";
}

}  // namespace

std::string index_page(const IndexPage& page) {
  const std::string title = escape(page.title);
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\">";
  html += fmt::format("<title>{}</title></head><body><main><h1>{}</h1>\n", title, title);
  for (const IndexEntry& entry : page.entries) html += entry_html(entry);
  return html + "</main></body></html>\n";
}

}  // namespace gingham
