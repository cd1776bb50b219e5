#include "report/page.hpp"

#include <fmt/format.h>

#include "report/chart.hpp"
#include "report/escape.hpp"
#include "report/names.hpp"
#include "report/picture.hpp"
#include "report/sections.hpp"

namespace gingham {
namespace {

using namespace report;

constexpr std::size_t kMaxNotes = 30;

// No script, no request, no form, no frame of another page.
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action "
    "'none'";

std::string what_was_read(const Result& result) {
  if (result.inputs.empty()) return "";
  std::string text = file_name(result.inputs.front().path);
  if (result.inputs.size() > 1) {
    text += " and " + counted(static_cast<long long>(result.inputs.size()) - 1, "more input");
  }
  return text;
}

std::string fact(const std::string& value, const char* name) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
}

std::string heading(const Result& result, const std::string& title) {
  const StatusWords words = status_words(result.status);
  double seconds = 0.0;
  for (const NamedValue& one : result.seconds) {
    if (one.name == "fit") seconds = one.value;
  }
  std::string html = "<header><p class=\"brand\">Gingham</p><h1>" + title + "</h1>";
  html += "<p class=\"data\"><span class=\"label\">" + what_was_read(result) + "</span></p>";
  html +=
      fmt::format("<div class=\"status {}\"><strong>{}</strong><p>{}</p></div><dl class=\"facts\">",
                  words.tone, words.title, words.meaning);
  html += fact(count(static_cast<long long>(result.model.components.size())), "components");
  html += fact(number(result.terms.objective(), 8), "objective");
  html += fact(number(result.terms.gap(), 2), "largest gap");
  html += fact(count(result.iterations), "iterations");
  html += fact(seconds < 0.1 ? number(1e3 * seconds, 2) + " ms" : number(seconds, 3) + " s",
               "time to fit");
  html += "</dl></header>";
  return html;
}

std::string notes(const Result& result) {
  const std::vector<std::string>& all = result.model.notes;
  if (all.empty()) return "";
  std::string html = "<section class=\"notes\"><h2>Notes</h2><ul>";
  for (std::size_t i = 0; i < all.size() && i < kMaxNotes; ++i)
    html += "<li>" + escape(all[i], 400) + "</li>";
  html += "</ul>";
  if (all.size() > kMaxNotes)
    html += fmt::format("<p>and {} more in result.json</p>", all.size() - kMaxNotes);
  return html + "</section>";
}

}  // namespace

std::string report_page(const Dataset& data, const Result& result, const std::string& command) {
  const MethodInfo* info = known_method(result);
  const std::string title = escape(info != nullptr ? info->title : result.method, 300);
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">";
  html += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">", kPolicy);
  html +=
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"referrer\" "
      "content=\"no-referrer\">";
  html += fmt::format(
      "<title>{}: {}</title><style>{}</style></head><body><div class=\"cloth\"></div><main>\n",
      what_was_read(result), escape(result.method, 60), style_sheet());
  html +=
      heading(result, title) + "\n" + notes(result) + "\n" + picture_section(data, result) + "\n";
  html += components_section(result) + "\n" + trace_section(result) + "\n" +
          numbers_section(result) + "\n";
  html += provenance_section(result, command);
  html += fmt::format(
      "\n<footer>Made by Gingham {}. This page is one file and asks nothing of any "
      "network.</footer>"
      "</main></body></html>\n",
      escape(result.version, 40));
  return html;
}

}  // namespace gingham
