#include "parser.hpp"

#include <CLI/CLI.hpp>
#include <functional>

#include "gingham/base/text.hpp"
#include "gingham/base/version.hpp"
#include "gingham/engine/registry.hpp"
#include "help.hpp"

namespace gingham::cli {
namespace {

using Values = std::map<std::string, std::string>;

// One option per record; what is typed lands in `values`, and only that.
CLI::Option* add_record(CLI::App& app, const std::string& names, const OptionRecord& record,
                        Values& values) {
  const std::string name = record.name;
  if (record.type == OptionType::flag) {
    return app.add_flag_callback(
        names, [&values, name] { values[name] = "yes"; }, option_text(record));
  }
  if (record.type == OptionType::mode_penalties) {  // may be typed once per mode
    return app
        .add_option_function<std::vector<std::string>>(
            names,
            [&values, name](const std::vector<std::string>& all) {
              std::string& text = values[name];
              for (const std::string& one : all) text += (text.empty() ? "" : " ") + one;
            },
            option_text(record))
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  return app.add_option_function<std::string>(
      names, [&values, name](const std::string& value) { values[name] = value; },
      option_text(record));
}

void add_records(CLI::App& app, const std::vector<OptionRecord>& records, Values& values) {
  for (const OptionRecord& record : records) add_record(app, "--" + record.name, record, values);
}

std::string typed_names(const CommandOption& option) {
  if (option.is_word) return option.record.name;
  return (option.letter != 0 ? std::string{'-', option.letter, ','} : "") + "--" +
         option.record.name;
}

// CLI11 tells a missing or unknown word in its own way; here it becomes one line with the remedy.
[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
  std::string path;
  for (const CLI::App* at = &app; at != nullptr; at = at->get_parent()) {
    if (!at->get_name().empty()) path = at->get_name() + (path.empty() ? "" : " " + path);
  }
  throw Error(ErrorCode::usage, path, std::string(error.what()) + "; see " + path + " --help");
}

const CLI::App* deepest(const CLI::App* app) {
  for (;;) {
    const auto used = app->get_subcommands();
    if (used.empty()) return app;
    app = used.front();
  }
}

class Parser {
 public:
  Parser(int argc, char** argv) {
    arguments_.typed.assign(argv, argv + argc);
    app_.set_version_flag("--version", std::string("gingham ") + kVersion);
    app_.require_subcommand(1);
    app_.footer(
        "Examples:\n  gingham demo\n  gingham fit ssvd table.csv -o out --clusters 3\n"
        "  gingham info table.csv\n\ngingham COMMAND --help explains a command.");
    for (const Command& command : all_commands()) add(command);
  }

  int parse_and_run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& wanted) {  // --help, --version
      return app_.exit(wanted);
    } catch (const CLI::ParseError& error) {
      if (argc == 1) {
        std::fputs(app_.help().c_str(), stderr);
        return kBadInput;
      }
      explain_unknown(argc, argv);
      refuse(*deepest(&app_), error);
    }
    return run();
  }

 private:
  void add(const Command& command) {
    CLI::App* app = app_.add_subcommand(command.name, command.title);
    switch (command.topic) {
      case Topic::none:
        add_own(*app, command, "");
        if (command.takes_method_options)
          add_records(*app, method_options(command), arguments_.options);
        return;
      case Topic::method:
        expect_topic(*app, command, "METHOD");
        for (const MethodInfo& method : all_methods()) {
          CLI::App* one = app->add_subcommand(method.name, method.title);
          one->formatter_fn([&method, &command](const CLI::App*, std::string, CLI::AppFormatMode) {
            return method_help(method, command);
          });
          add_own(*one, command, method.name);
          add_records(*one, method.all_options(), arguments_.options);
        }
        return;
      case Topic::problem:
        expect_topic(*app, command, "PROBLEM");
        for (const MethodInfo& method : all_methods()) {
          for (const Simulator& problem : method.simulators) {
            CLI::App* one = app->add_subcommand(problem.name, problem.title);
            add_own(*one, command, problem.name);
            add_records(*one, problem.options, arguments_.options);
          }
        }
        return;
    }
  }

  static void expect_topic(CLI::App& app, const Command& command, const std::string& topic) {
    app.footer("gingham " + command.name + " " + topic + " " + command.usage + "\ngingham " +
               command.name + " " + topic + " --help explains it and its options.");
    app.require_subcommand(1);
  }

  void add_own(CLI::App& app, const Command& command, const std::string& topic) {
    for (const CommandOption& option : command.options) {
      CLI::Option* added = nullptr;
      if (option.is_list) {
        added = app.add_option(typed_names(option), lists_[option.record.name],
                               option_text(option.record));
        if (option.takes_one_each) added->allow_extra_args(false);
      } else {
        added = add_record(app, typed_names(option), option.record, own_);
      }
      if (option.is_required) added->required();
    }
    app.callback([this, &command, topic] {
      command_ = &command;
      arguments_.topic = topic;
    });
  }

  int run() {
    std::vector<OptionRecord> records;
    for (const CommandOption& option : command_->options) {
      if (option.is_list) {
        arguments_.lists[option.record.name] = lists_[option.record.name];
      } else {
        records.push_back(option.record);
      }
    }
    arguments_.own = Options(std::move(records));
    for (const auto& [name, text] : own_) arguments_.own.set(name, text);
    return command_->run(arguments_);
  }

  CLI::App app_{
      "Gingham finds sparse, structured blocks in data: where a few rows cross a few columns.",
      "gingham"};
  Values own_;
  std::map<std::string, std::vector<std::string>> lists_;
  Arguments arguments_;
  const Command* command_ = nullptr;
};

}  // namespace

int parse_and_run(int argc, char** argv) { return Parser(argc, argv).parse_and_run(argc, argv); }

}  // namespace gingham::cli
