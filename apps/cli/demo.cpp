// Three simulated data sets, each fitted, scored and verified as a user would, and a page that
// leads to their reports. What is shown is a table; everything that is said is counted in the
// results.
#include <fmt/format.h>
#include <unistd.h>

#include <deque>
#include <filesystem>

#include "commands.hpp"
#include "demo_progress.hpp"
#include "demo_words.hpp"
#include "gingham/base/shell_words.hpp"
#include "gingham/base/text.hpp"
#include "gingham/io/atomic.hpp"
#include "gingham/tools/evaluate.hpp"
#include "gingham/tools/fit.hpp"
#include "gingham/tools/verify.hpp"
#include "look.hpp"
#include "report/index.hpp"
#include "report/page.hpp"
#include "summary.hpp"
#include "terminal.hpp"
#include "verification.hpp"

namespace gingham::cli {
namespace {

namespace fs = std::filesystem;

struct Exhibit {
  std::string folder, question, title;
  std::string problem;
  std::map<std::string, std::string> simulation;
  std::string method, clusters;
  std::string (*found)(const Result&);
};

const std::vector<Exhibit>& exhibits() {
  static const std::vector<Exhibit> all{
      {.folder = "email",
       .question = "Who forms a clique, and when?",
       .title = "An organisation's e-mail over two years: sender x receiver x month",
       .problem = "organisation",
       .simulation = {{"log", "yes"}},
       .method = "tensor",
       .clusters = "5",
       .found = cliques_found},
      {.folder = "brain",
       .question = "Which groups persist, and which change?",
       .title = "A small developing brain: voxels x genes at seven ages",
       .problem = "evolving",
       .simulation = {{"names", "yes"},
                      {"regions", "5"},
                      {"genes", "600"},
                      {"noise", "1.5"},
                      {"weakest", "0.5"},
                      {"gain", "0.3"}},
       .method = "evolving",
       .clusters = "5",
       .found = evolution_found},
      {.folder = "study",
       .question = "Who belongs together, by several measurements?",
       .title = "A study: genetic markers and clinical features of the same subjects",
       .problem = "multiview",
       .simulation = {{"names", "yes"},
                      {"subjects", "300"},
                      {"markers", "100"},
                      {"linkage", "0.98"},
                      {"background", "0.05"},
                      {"risk-markers", "12"},
                      {"other-features", "6"}},
       .method = "multiview",
       .clusters = "2",
       .found = groups_found}};
  return all;
}

// What to try next, with data of one's own.
std::vector<std::string> next_commands() {
  std::vector<std::string> commands;
  for (const Exhibit& exhibit : exhibits()) commands.push_back(find_method(exhibit.method).example);
  commands.push_back("gingham methods          # what else there is, and what each is for");
  return commands;
}

std::string simulate_command(const Exhibit& exhibit, const std::string& output) {
  std::vector<std::string> words{"gingham", "simulate", exhibit.problem, "-o", output};
  for (const OptionRecord& record : find_simulator(exhibit.problem).options) {
    const auto given = exhibit.simulation.find(record.name);
    if (given == exhibit.simulation.end()) continue;
    words.push_back("--" + record.name);
    if (record.type != OptionType::flag) words.push_back(given->second);
  }
  return shell_command(words);
}

std::string fit_command(const FitRequest& request, const Exhibit& exhibit,
                        const std::string& names) {
  std::vector<std::string> words{"gingham", "fit", request.method};
  words.insert(words.end(), request.input.files.begin(), request.input.files.end());
  words.insert(words.end(), {"-o", request.output, "--clusters", exhibit.clusters});
  if (!names.empty()) words.insert(words.end(), {"--names", names});
  words.insert(words.end(), {"--truth", request.truth.files[0]});
  return shell_command(words);
}

// What is kept of a run for the page.
struct Shown {
  Dataset data;
  Result result;
  IndexEntry entry;
};

class Demo {
 public:
  Demo(std::string folder, bool force)
      : folder_(std::move(folder)),
        force_(force),
        stop_(install_stop_signals()),
        look_(Look::of(STDOUT_FILENO)) {}

  int run() {
    for (const Exhibit& exhibit : exhibits()) {
      if (const int code = show(exhibit); code != kDone) return code;
    }
    const std::string index = write_index();
    print_line("What to try next, with data of your own:");
    for (const std::string& command : next_commands()) print_line("  " + command);
    print_line("\nSee it: open " + printable(index, 4096) + " in a browser");
    return kDone;
  }

 private:
  int show(const Exhibit& exhibit) {
    print_line(look_.paint(Ink::bold, fmt::format("{}. {}", shown_.size() + 1, exhibit.question)));
    const std::string place = folder_ + "/" + exhibit.folder;
    fs::create_directories(place);
    progress_.say("simulate");
    SimulateRequest simulation;
    simulation.problem = exhibit.problem;
    simulation.options = exhibit.simulation;
    simulation.output = place + "/data";
    simulation.force = force_;
    const SimulatedFiles files = simulate(simulation);
    shown_.emplace_back();
    Shown& shown = shown_.back();
    const FitRequest request = request_for(exhibit, place, files, shown);
    FitOutcome outcome = fit(request);
    if (stop_ || !outcome.is_written) return stopped();
    shown.result = std::move(outcome.result);
    progress_.say("verify");
    const Verification verification = verify_directory(request.output);
    progress_.clear();
    if (!verification.passed()) return show_verification(request.output, verification, false);
    tell(exhibit, request, verification, shown);
    return stop_ ? stopped() : kDone;
  }

  FitRequest request_for(const Exhibit& exhibit, const std::string& place,
                         const SimulatedFiles& files, Shown& shown) {
    FitRequest request;
    request.method = exhibit.method;
    for (const std::string& file : files.data)
      request.input.files.push_back(place + "/data/" + file);
    for (const std::string& file : files.names)
      request.input.names.push_back(file.empty() ? "" : place + "/data/" + file);
    request.options = find_method(exhibit.method).make_options();
    request.options.set("clusters", exhibit.clusters);
    request.output = place + "/result";
    request.force = force_;
    request.truth.files = {place + "/data/clusters.tsv"};
    request.observers = {&progress_};
    request.stop = &stop_;
    shown.entry.command = fit_command(request, exhibit, names_of(files, place + "/data"));
    request.report = [&shown](const Dataset& data, const Result& result) {
      shown.data = data;
      return report_page(data, result, shown.entry.command);
    };
    return request;
  }

  void tell(const Exhibit& exhibit, const FitRequest& request, const Verification& verification,
            Shown& shown) {
    const Result& result = shown.result;
    shown.entry.question = exhibit.question;
    shown.entry.title = fmt::format("{} ({})", exhibit.title, size_words(result));
    shown.entry.sentences = {exhibit.found(result), scores_words(result)};
    shown.entry.link = exhibit.folder + "/result/report.html";
    print_wrapped(Ink::plain, shown.entry.title);
    print_wrapped(Ink::dim,
                  "$ " + simulate_command(exhibit, folder_ + "/" + exhibit.folder + "/data"));
    print_wrapped(Ink::dim, "$ " + shown.entry.command);
    print_line("  " + status_line(result));
    print_wrapped(Ink::bold, shown.entry.sentences[0]);
    print_wrapped(Ink::plain, fmt::format("{} {} numbers of {} recomputed, all agree.",
                                          shown.entry.sentences[1], verification.n_checked,
                                          printable(request.output, 4096)));
    print_line("");
  }

  // How the gap or the motion fell, where the terminal can show it.
  std::string status_line(const Result& result) const {
    constexpr Index kSpark = 32;
    const std::string spark = look_.spark(distances(result.trace), kSpark);
    return headline(result, look_) + (spark.empty() ? "" : "  " + look_.paint(Ink::good, spark));
  }

  static std::string scores_words(const Result& result) {
    std::vector<std::string> words;
    for (const NamedValue& score : result.scores) {
      if (score.name == "nmi" || score.name == "s_index")
        words.push_back(fmt::format("{} {:.3f}", score.name, score.value));
    }
    return fmt::format("Against what was planted: {} (1 is perfect).", fmt::join(words, ", "));
  }

  void print_wrapped(Ink ink, const std::string& text) const {
    constexpr Index kIndent = 2;
    for (const std::string& line : look_.wrap(printable(text, 4096), kIndent))
      print_line(look_.paint(ink, line));
  }

  std::string write_index() const {
    IndexPage page{.title = "Three questions, three answers",
                   .lead =
                       "Simulated data with known structure, each fitted, scored and verified "
                       "as you would do it with your own.",
                   .entries = {},
                   .next = next_commands()};
    for (const Shown& shown : shown_) {
      page.entries.push_back(shown.entry);
      page.entries.back().data = &shown.data;
      page.entries.back().result = &shown.result;
    }
    const std::string index = fs::absolute(folder_).lexically_normal().string() + "/index.html";
    write_file_atomically(index, index_page(page));
    return index;
  }

  int stopped() {
    progress_.clear();
    print_remark("stopped; what is complete is in " + printable(folder_) +
                 ", --force begins again");
    return kStopped;
  }

  std::string folder_;
  bool force_;
  const std::atomic<bool>& stop_;
  Look look_;
  DemoProgress progress_;
  std::deque<Shown> shown_;  // they stay where they are
};

}  // namespace

int run_demo(const Arguments& arguments) {
  const std::string folder = without_final_slash(arguments.text("output"));
  const bool force = arguments.own.flag("force");
  if (fs::exists(folder) && !force) {
    throw Error(
        ErrorCode::usage, "--output",
        printable(folder) + " exists already; choose another name, or --force to replace it");
  }
  return Demo(folder, force).run();
}

}  // namespace gingham::cli
