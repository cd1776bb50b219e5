#include <fmt/format.h>

#include <algorithm>

#include "gingham/base/text.hpp"
#include "gingham/io/attached.hpp"
#include "report/escape.hpp"
#include "report/names.hpp"
#include "report/sections.hpp"

namespace gingham::report {
namespace {

constexpr std::size_t kMaxInputs = 40, kMaxUsed = 30, kMaxRows = 60;

std::string shape_text(const Shape& shape) {
  std::string text;
  for (std::size_t mode = 0; mode < shape.size() && mode < 16; ++mode) {
    text += (mode > 0 ? " \u00d7 " : "") + count(shape[mode]);
  }
  return text;
}

std::string input_table(const Result& result) {
  std::string html =
      "<h3>Inputs</h3><div class=\"wide\"><table><thead><tr><th>file</th><th>shape</th><th "
      "class=\"n\">"
      "nonzeros</th><th class=\"n\">missing</th><th>digest</th></tr></thead><tbody>";
  for (std::size_t i = 0; i < result.inputs.size() && i < kMaxInputs; ++i) {
    const InputSummary& input = result.inputs[i];
    html += fmt::format(
        "<tr><td class=\"path\"><span class=\"label\">{}</span></td><td>{}</td><td "
        "class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td><code>{}</code></td></tr>",
        escape(input.path, 240), shape_text(input.shape), count(input.nonzeros),
        count(input.missing), escape(input.digest, 80));
  }
  html += "</tbody></table></div>";
  if (result.inputs.size() > kMaxInputs)
    html += fmt::format("<p>and {} more in result.json</p>", result.inputs.size() - kMaxInputs);
  for (const AttachedRecord& one : attached_records(result.options)) {
    html += fmt::format(
        "<p><code>--{}</code>: <span class=\"label\">{}</span>, {}, digest "
        "<code>{}</code></p>",
        escape(one.option, 60), escape(result.options.canonical(one.option), 240), one.size_text(),
        escape(one.digest, 80));
  }
  for (std::size_t i = 0; i < result.truth.size() && i < 10; ++i) {
    html +=
        "<p>Known labels: <span class=\"label\">" + escape(result.truth[i], 240) + "</span></p>";
  }
  return html;
}

std::string used_text(const Result& result, const OptionRecord& record) {
  std::string text;
  for (const UsedValues& used : result.model.used) {
    if (used.option != record.name && used.option != record.key()) continue;
    for (std::size_t i = 0; i < used.values.size() && i < kMaxUsed; ++i) {
      text += (text.empty() ? "" : ", ") + number(used.values[i]);
    }
    if (used.values.size() > kMaxUsed) text += ", \u2026";
  }
  return text;
}

std::string parameter_table(const Result& result) {
  std::string html =
      "<div><h3>Parameters</h3><table><thead><tr><th>option</th><th>value</th><th>came "
      "to</th></tr></thead><tbody>";
  std::size_t shown = 0;
  for (const OptionRecord& record : result.options.records()) {
    if (shown++ == kMaxRows) break;
    const std::string value = escape(result.options.canonical(record.name), 120);
    html += fmt::format("<tr><td><code>--{}</code></td><td>{}</td><td>{}</td></tr>",
                        escape(record.name, 60), value.empty() ? "\u2013" : value,
                        used_text(result, record));
  }
  return html + "</tbody></table></div>";
}

std::string time_table(const Result& result) {
  std::string html = "<div><h3>Time and memory</h3><table><tbody>";
  for (std::size_t i = 0; i < result.seconds.size() && i < kMaxRows; ++i) {
    html += fmt::format("<tr><td>{}</td><td class=\"n\">{} s</td></tr>",
                        escape(result.seconds[i].name, 60), number(result.seconds[i].value, 3));
  }
  html += fmt::format("<tr><td>memory, at most</td><td class=\"n\">{}</td></tr>",
                      human_bytes(result.peak_bytes));
  return html + "</tbody></table></div>";
}

}  // namespace

std::string provenance_section(const Result& result, const std::string& command) {
  std::string html = "<section><h2>How to make it again</h2>";
  html += "<h3>Command</h3><pre>" + escape(command, 4000) + "</pre>";
  if (const MethodInfo* info = known_method(result)) {
    html += fmt::format(
        "<h3>Method</h3><p><strong>{}</strong>. {}.</p><pre>minimises  {}</pre><p "
        "class=\"quiet\">{}</p>",
        escape(info->name), escape(info->title, 300), escape(info->formula, 2000),
        escape(info->reference, 1000));
  }
  html += input_table(result) + "<div class=\"tables\">" + parameter_table(result) +
          time_table(result) + "</div>";
  return html +
         "<p class=\"quiet\"><code>gingham verify</code> on this folder recomputes every number "
         "from the data.</p></section>";
}

}  // namespace gingham::report
