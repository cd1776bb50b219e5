#include "help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "gingham/base/text.hpp"

namespace gingham::cli {
namespace {

constexpr std::size_t kNameWidth = 26;
constexpr std::size_t kPageWidth = 100;

std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::size_t size = end - begin;
    if (column > indent && column + 1 + size > kPageWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += text.substr(begin, size);
    column += size;
    begin = end + 1;
  }
  return out + "\n";
}

std::string option_line(const std::string& name, const std::string& text) {
  return fmt::format("  {:<{}}{}", name, kNameWidth - 2, wrapped(text, kNameWidth));
}

std::string option_help(const OptionRecord& record) {
  if (record.type == OptionType::flag) return option_line("--" + record.name, record.help);
  return option_line("--" + record.name, record.help + " " + option_range(record));
}

const char* input_text(InputKind kind) {
  switch (kind) {
    case InputKind::matrix:
      return "one matrix";
    case InputKind::tensor:
      return "one matrix or tensor";
    case InputKind::series:
      return "several matrices over time, or a tensor cut by --series-mode";
    case InputKind::views:
      return "several matrices with the same rows";
  }
  return "";
}

bool is_common(const OptionRecord& record) {
  const std::vector<OptionRecord> common = common_options();
  return std::any_of(common.begin(), common.end(),
                     [&](const OptionRecord& one) { return one.name == record.name; });
}

// Text as a cell of a Markdown table.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

std::string yes(bool holds) { return holds ? "yes" : "no"; }

// Edits (insert, delete, change, swap neighbours) from one word to another.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

// "; did you mean x?" where something is near, a list otherwise.
std::string hint(std::string_view word, const std::vector<std::string>& known) {
  std::string best, list;
  std::size_t least = 3;
  for (const std::string& one : known) {
    const std::size_t distance = edit_distance(word, one);
    if (distance < least) {
      least = distance;
      best = one;
    }
    list += " " + one;
  }
  return best.empty() ? "; there are" + list : "; did you mean " + best + "?";
}

void check_options(int argc, char** argv, int from, const std::string& where,
                   std::vector<std::string> known) {
  known.insert(known.end(), {"--help", "-h"});
  for (int i = from; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return;
    if (!word.starts_with("--") || word.size() == 2) continue;
    const std::string name(word.substr(0, word.find('=')));
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw Error(ErrorCode::usage, where,
                  "there is no option " + printable(name, 60) + hint(name, known));
    }
  }
}

}  // namespace

std::string option_range(const OptionRecord& record) {
  return fmt::format("[{}] {}", record.initial.empty() ? "none" : record.initial,
                     record.range_text());
}

std::string method_help(const MethodInfo& info) {
  std::string text = fmt::format("{}: {}\n\n", info.name, info.title);
  text += "  minimises  " + info.formula + "\n";
  text += "  takes      " + std::string(input_text(info.input)) +
          (info.traits.accepts_sparse ? ", dense or sparse" : ", dense") +
          (info.traits.accepts_missing ? ", missing values allowed\n" : ", no missing values\n");
  text += "  reference  " + wrapped(info.reference, 13);
  text += "\nUsage:    gingham fit " + info.name +
          " INPUT... -o DIR [options]\nExample:  " + info.example + "\n";
  text += "\nIts options:\n";
  for (const OptionRecord& record : info.all_options()) {
    if (!is_common(record)) text += option_help(record);
  }
  text += "\nOptions of all methods:\n";
  text += option_line("-o, --output DIR", "Directory for the result; must not exist.");
  for (const OptionRecord& record : info.all_options()) {
    if (is_common(record)) text += option_help(record);
  }
  text += option_line("--truth FILE", "Known labels of the rows; adds scores to the summary.");
  text += option_line("--force", "Replace an existing result, forget an unfinished run.");
  text += option_line("--resume", "Continue an unfinished run from DIR.checkpoint.");
  text += option_line("--checkpoint-interval", "Seconds between checkpoints. [5]");
  text += option_line("--memory-limit",
                      "Memory that may be used, as 4GB. [four fifths of what is free]");
  text += option_line("-q, --quiet", "No progress, no summary.");
  text += "\nHow inputs are read:\n";
  text += option_line("--unlisted",
                      "What a sparse file means where it lists nothing. [zero] zero or missing");
  text += option_line("--index-base", "First index of .mtx and .tns. [1] 1 or 0");
  text += option_line("--duplicates", "Several entries at one place. [error] error or sum");
  text += option_line("--labels",
                      "Labels of a table. [automatic] automatic, none, rows, columns or both");
  text += option_line("--shape", "Sizes of a .tns whose last indices do not occur: 80,80,8.");
  text += "\nWrites into DIR: result.json, clusters.tsv, labels/, report.html, and\n";
  for (const ArrayInfo& array : info.arrays)
    text += option_line(array.name + ".npy", array.meaning);
  return text;
}

std::string methods_markdown() {
  std::string text =
      "# Methods\n\nMade by `gingham methods --markdown` from the registry.\n\n"
      "| method | what it does | takes | sparse | missing values |\n|---|---|---|---|---|\n";
  for (const MethodInfo& info : all_methods()) {
    text += fmt::format("| [`{0}`](#{0}) | {1} | {2} | {3} | {4} |\n", info.name, info.title,
                        input_text(info.input), yes(info.traits.accepts_sparse),
                        yes(info.traits.accepts_missing));
  }
  text +=
      "\n## Options of all methods\n\n| option | default | values | meaning |\n|---|---|---|---|\n";
  const auto row = [](const OptionRecord& record) {
    return fmt::format("| `--{}` | {} | {} | {} |\n", record.name,
                       record.initial.empty() ? "none" : record.initial, cell(record.range_text()),
                       cell(record.help));
  };
  for (const OptionRecord& record : common_options()) text += row(record);
  for (const MethodInfo& info : all_methods()) {
    text += fmt::format(
        "\n## {}\n\n{}. Minimises\n\n    {}\n\n{}.\n\nPython class `{}`. Example: `{}`\n\n",
        info.name, info.title, info.formula, info.reference, info.python_class, info.example);
    text += "| option | default | values | meaning |\n|---|---|---|---|\n";
    for (const OptionRecord& record : info.options) text += row(record);
    text += "\n| array | meaning |\n|---|---|\n";
    for (const ArrayInfo& array : info.arrays)
      text += fmt::format("| `{}` | {} |\n", array.name, cell(array.meaning));
  }
  return text;
}

void explain_unknown(int argc, char** argv) {
  const std::vector<std::string> commands{"fit",    "methods",  "info", "evaluate",
                                          "verify", "simulate", "demo", "completion"};
  const std::string command = argc > 1 ? argv[1] : "";
  if (command.starts_with("-")) return;
  if (std::find(commands.begin(), commands.end(), command) == commands.end()) {
    throw Error(ErrorCode::usage, "",
                "there is no command '" + printable(command, 60) + "'" + hint(command, commands));
  }
  const std::string second = argc > 2 ? argv[2] : "";
  const bool has_second = !second.empty() && !second.starts_with("-");
  const std::vector<std::string> input{"--unlisted", "--index-base", "--duplicates",
                                       "--labels",   "--shape",      "--memory-limit"};
  if (command == "fit" && has_second) {
    std::vector<std::string> methods;
    for (const MethodInfo& info : all_methods()) methods.push_back(info.name);
    if (std::find(methods.begin(), methods.end(), second) == methods.end()) {
      throw Error(ErrorCode::usage, "gingham fit",
                  "there is no method '" + printable(second, 60) + "'" + hint(second, methods));
    }
    std::vector<std::string> known = input;
    known.insert(known.end(), {"--output", "--truth", "--force", "--resume",
                               "--checkpoint-interval", "--quiet"});
    for (const OptionRecord& record : find_method(second).all_options())
      known.push_back("--" + record.name);
    check_options(argc, argv, 3, "gingham fit " + second, known);
  } else if (command == "simulate" && has_second) {
    std::vector<std::string> problems, known{"--output", "--seed", "--format", "--force"};
    for (const MethodInfo& info : all_methods()) {
      for (const Simulator& problem : info.simulators) {
        problems.push_back(problem.name);
        if (problem.name != second) continue;
        for (const OptionRecord& record : problem.options) known.push_back("--" + record.name);
      }
    }
    if (std::find(problems.begin(), problems.end(), second) == problems.end()) {
      throw Error(ErrorCode::usage, "gingham simulate",
                  "there is no problem '" + printable(second, 60) + "'" + hint(second, problems));
    }
    check_options(argc, argv, 3, "gingham simulate " + second, known);
  }
}

}  // namespace gingham::cli
