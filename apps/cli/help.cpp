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
  return option_line("--" + record.name, option_text(record));
}

std::string option_help(const CommandOption& option) {
  const std::string letter = option.letter != 0 ? std::string{'-', option.letter, ',', ' '} : "";
  const std::string value = option.value.empty() ? "" : " " + option.value;
  return option_line(letter + "--" + option.record.name + value, option_text(option.record));
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

void require_known(const std::string& where, const std::string& kind, const std::string& word,
                   const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return;
  throw Error(ErrorCode::usage, where,
              "there is no " + kind + " '" + printable(word, 60) + "'" + hint(word, known));
}

void check_options(int argc, char** argv, int from, const std::string& where,
                   const std::vector<OptionRecord>& records) {
  std::vector<std::string> known{"--help"};
  for (const OptionRecord& record : records) known.push_back("--" + record.name);
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

std::string option_text(const OptionRecord& record) {
  if (record.type == OptionType::flag) return record.help;
  if (record.type == OptionType::text)
    return record.help + (record.initial.empty() ? "" : " [" + record.initial + "]");
  return record.help + " " + option_range(record);
}

namespace {

// The method's example is a fit; a path over it varies its first penalty, or its first number.
std::string example_of(const MethodInfo& info, const Command& command) {
  const std::string fit = "gingham fit ";
  if (command.name == "fit" || !info.example.starts_with(fit)) return info.example;
  std::string text = "gingham " + command.name + " " + info.example.substr(fit.size());
  for (const OptionType type : {OptionType::penalties, OptionType::integer}) {
    for (const OptionRecord& record : info.options) {
      if (record.type != type) continue;
      return text + " --vary " + record.name +
             (type == OptionType::penalties ? "=1%:90%:5" : "=2:6:5");
    }
  }
  return text;
}

}  // namespace

std::string method_help(const MethodInfo& info, const Command& command) {
  std::string text = fmt::format("{}: {}\n\n", info.name, info.title);
  text += "  objective  " + wrapped(info.formula, 13);
  text += "  takes      " + std::string(input_text(info.input)) +
          (info.traits.accepts_sparse ? ", dense or sparse" : ", dense") +
          (info.traits.accepts_missing ? ", missing values allowed" : ", no missing values") +
          (info.traits.needs_nonnegative ? ", no negative values\n" : "\n");
  text += "  reference  " + wrapped(info.reference, 13);
  text += fmt::format("\nUsage:    gingham {} {} {}\nExample:  {}\n", command.name, info.name,
                      command.usage, example_of(info, command));
  text += "\nIts options:\n";
  for (const OptionRecord& record : info.all_options()) {
    if (!is_common(record)) text += option_help(record);
  }
  text += "\nOptions of all methods:\n";
  for (const OptionRecord& record : info.all_options()) {
    if (is_common(record)) text += option_help(record);
  }
  text += "\nOptions of gingham " + command.name + ":\n";
  for (const CommandOption& option : command.options) {
    if (!option.is_word && !option.is_about_input) text += option_help(option);
  }
  text += "\nHow inputs are read:\n";
  for (const CommandOption& option : command.options) {
    if (option.is_about_input) text += option_help(option);
  }
  text += "\nWrites into DIR: " + wrapped(command.writes, 17);
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
        "\n## {}\n\n{}. Objective:\n\n    {}\n\n{}.\n\nPython class `{}`. Example: `{}`\n\n",
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
  const std::string name = argc > 1 ? argv[1] : "";
  if (name.starts_with("-")) return;
  std::vector<std::string> commands;
  for (const Command& command : all_commands()) commands.push_back(command.name);
  require_known("", "command", name, commands);
  const Command& command = find_command(name);
  const std::string topic = argc > 2 ? argv[2] : "";
  const bool has_topic = !topic.empty() && !topic.starts_with("-");
  std::string where = "gingham " + name;
  std::vector<OptionRecord> records;
  if (command.topic == Topic::method && has_topic) {
    std::vector<std::string> methods;
    for (const MethodInfo& info : all_methods()) methods.push_back(info.name);
    require_known(where, "method", topic, methods);
    records = find_method(topic).all_options();
  } else if (command.topic == Topic::problem && has_topic) {
    std::vector<std::string> problems;
    for (const MethodInfo& info : all_methods()) {
      for (const Simulator& problem : info.simulators) {
        problems.push_back(problem.name);
        if (problem.name == topic) records = problem.options;
      }
    }
    require_known(where, "problem", topic, problems);
  } else if (command.topic != Topic::none) {
    return;
  } else if (command.takes_method_options) {
    records = method_options(command);
  }
  if (command.topic != Topic::none) where += " " + topic;
  for (const CommandOption& option : command.options) {
    if (!option.is_word) records.push_back(option.record);
  }
  check_options(argc, argv, command.topic != Topic::none ? 3 : 2, where, records);
}

}  // namespace gingham::cli
