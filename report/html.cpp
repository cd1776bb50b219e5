#include "report/html.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gingham/base/version.hpp"
#include "report/embedded.hpp"
#include "report/pack.hpp"
#include "report/text.hpp"

namespace gingham::report {
namespace {

std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  return bytes;
}

// The one script and the one style sheet, by their digests; no request, no form, no other page.
std::string policy() {
  return fmt::format(
      "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data: blob:; "
      "base-uri 'none'; form-action 'none'",
      base64(from_hex(script_sha256())), base64(from_hex(style_sha256())));
}

// JSON that no parser of HTML can take for markup. Invalid UTF-8 does not come here; would it, it
// would be replaced.
std::string data_block(const Json& page) {
  const std::string text = page.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

Json empty_page(const char* kind, const std::string& title, const std::string& command) {
  return {{"format", 1},
          {"kind", kind},
          {"title", clean(title, 200)},
          {"lead", ""},
          {"command", clean(command, 4000)},
          {"version", kVersion},
          {"axes", Json::array()},
          {"fields", Json::array()},
          {"labels", Json::array()},
          {"results", Json::array()},
          {"results_left_out", 0},
          {"table", nullptr},
          {"path", nullptr},
          {"index", Json::array()},
          {"next", Json::array()}};
}

std::string html_page(const Json& page) {
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">";
  html += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">", policy());
  html +=
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\">"
      "<meta name=\"referrer\" content=\"no-referrer\">";
  html += fmt::format("<title>{}</title>", escape(page["title"].get<std::string>(), 200));
  html += "<style>";
  html += style_sheet();
  html +=
      "</style></head><body><div id=\"page\"></div><noscript><p>This page draws itself with a "
      "script of its own, which is switched off here. The numbers are in result.json, the members "
      "in clusters.tsv.</p></noscript>\n<script type=\"application/json\" id=\"data\">";
  html += data_block(page);
  html += "</script>\n<script>";
  html += script();
  html += "</script></body></html>\n";
  return html;
}

}  // namespace gingham::report
