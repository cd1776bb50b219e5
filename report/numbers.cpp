#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/escape.hpp"
#include "report/sections.hpp"

namespace gingham::report {
namespace {

constexpr std::size_t kMaxValues = 60, kMaxRestarts = 50;

// As the summary on the terminal shows them.
std::string show_score(double value) {
  return std::isfinite(value) ? fmt::format("{:.4f}", value) : number(value);
}
std::string show_term(double value) { return number(value, 8); }
std::string show_gap(double value) {
  return std::isfinite(value) && value != 0.0 ? fmt::format("{:.1e}", value) : number(value);
}

std::string value_table(const char* title, const char* remark,
                        const std::vector<NamedValue>& values, std::string (*show)(double)) {
  std::string html =
      fmt::format("<div><h3>{}</h3><p class=\"quiet\">{}</p><table><tbody>", title, remark);
  for (std::size_t i = 0; i < values.size() && i < kMaxValues; ++i) {
    html += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td></tr>", escape(values[i].name, 60),
                        show(values[i].value));
  }
  html += "</tbody></table>";
  if (values.size() > kMaxValues)
    html += fmt::format("<p>and {} more in result.json</p>", values.size() - kMaxValues);
  return html + "</div>";
}

std::string restart_table(const Result& result) {
  std::string html =
      "<div><h3>Restarts</h3><p class=\"quiet\">The lowest objective was "
      "kept.</p><table><thead><tr>"
      "<th>restart</th><th class=\"n\">objective</th><th "
      "class=\"n\">iterations</th><th>ended</th></tr>"
      "</thead><tbody>";
  for (std::size_t i = 0; i < result.restarts.size() && i < kMaxRestarts; ++i) {
    const RestartSummary& one = result.restarts[i];
    const bool is_kept = static_cast<Index>(i) == result.best_restart;
    html += fmt::format(
        "<tr{}><td>{}{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
        is_kept ? " class=\"kept\"" : "", i, is_kept ? ", kept" : "", number(one.objective, 8),
        count(one.iterations), status_words(one.status).title);
  }
  html += "</tbody></table>";
  if (result.restarts.size() > kMaxRestarts) {
    html += fmt::format("<p>and {} more in result.json</p>", result.restarts.size() - kMaxRestarts);
  }
  return html + "</div>";
}

}  // namespace

StatusWords status_words(Status status) {
  switch (status) {
    case Status::converged:
      return {"good", "Converged",
              "Every part of the model is optimal, to the tolerance asked for, while the others "
              "stay as they are. More "
              "iterations would not change it. Other starts may still lead to another solution."};
    case Status::iteration_limit:
      return {"fair", "Stopped at the iteration limit",
              "It has not converged: the components below may still change. Allow more iterations "
              "(<code>--max-iterations</code>, or epochs where a method counts these) or accept a "
              "larger gap (<code>--tolerance</code>)."};
    case Status::time_limit:
      return {"fair", "Stopped at the time limit",
              "It has not converged: this is the best so far. The same command with "
              "<code>--resume</code> goes "
              "on from here."};
    case Status::cancelled:
      return {"fair", "Stopped on request",
              "It has not converged: this is the best so far. The same command with "
              "<code>--resume</code> goes "
              "on from here."};
    case Status::numerical_failure:
      return {"bad", "Failed",
              "A number that is not finite turned up. Do not use the components below; try the "
              "data on a smaller scale."};
    case Status::cycle:
      return {"fair", "Ends in a cycle",
              "The iterations repeat themselves without settling, and going on would not help. The "
              "components are one "
              "point of the cycle; other penalties or another start may settle."};
  }
  return {"bad", "Unknown", "How the run ended is not known."};
}

std::string numbers_section(const Result& result) {
  std::string html = "<section><h2>Numbers</h2><div class=\"tables\">";
  if (!result.scores.empty()) {
    html += value_table("Scores", "Against the known labels that were given.", result.scores,
                        show_score);
  }
  std::vector<NamedValue> terms{{"loss", result.terms.loss}};
  terms.insert(terms.end(), result.terms.penalties.begin(), result.terms.penalties.end());
  terms.resize(std::min(terms.size(), kMaxValues - 1));
  terms.push_back({"objective", result.terms.objective()});
  html += value_table("Terms", "What was minimised, part by part.", terms, show_term);
  html += value_table("Gaps", "Relative distance of each part from its optimum, the others fixed.",
                      result.terms.gaps, show_gap);
  if (!result.restarts.empty()) html += restart_table(result);
  return html + "</div></section>";
}

}  // namespace gingham::report
