#include "gingham/engine/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gingham/base/digest.hpp"
#include "gingham/base/line_text.hpp"
#include "gingham/base/text.hpp"

namespace gingham {
namespace {

std::string replaced(std::string_view text, char from, char to) {
  std::string result(text);
  std::replace(result.begin(), result.end(), from, to);
  return result;
}

bool contains(const std::vector<std::string>& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

[[noreturn]] void refuse(const OptionRecord& record, std::string_view text) {
  throw Error(ErrorCode::usage, "--" + record.name,
              fmt::format("'{}' is not {}", printable(text, 60), record.range_text()));
}

bool in_range(const OptionRecord& record, double value) {
  return value >= record.min && value <= record.max;  // false for NaN
}

PenaltyValue parse_penalty(const OptionRecord& record, std::string_view text) {
  PenaltyValue penalty;
  if (contains(record.words, text)) {
    penalty.kind = PenaltyValue::Kind::word;
    penalty.word = text;
    return penalty;
  }
  const bool percent = text.ends_with('%');
  const auto number = parse_real(percent ? text.substr(0, text.size() - 1) : text);
  if (!number || !std::isfinite(*number)) refuse(record, text);
  if (percent ? !(*number >= 0.0 && record.takes_percent) : !in_range(record, *number))
    refuse(record, text);
  penalty.kind = percent ? PenaltyValue::Kind::percent : PenaltyValue::Kind::number;
  penalty.number = *number;
  return penalty;
}

}  // namespace

std::string OptionRecord::key() const { return replaced(name, '-', '_'); }

std::string OptionRecord::range_text() const {
  const auto bound = [this](double value) {
    return type == OptionType::integer ? to_text(static_cast<Index>(value)) : to_text(value);
  };
  std::string range;
  if (std::isfinite(min) && std::isfinite(max)) {
    range = fmt::format(" from {} to {}", bound(min), bound(max));
  } else if (std::isfinite(min)) {
    range = fmt::format(" of at least {}", bound(min));
  } else if (std::isfinite(max)) {
    range = fmt::format(" of at most {}", bound(max));
  }
  switch (type) {
    case OptionType::flag:
      return "yes or no";
    case OptionType::integer:
      return "a whole number" + range;
    case OptionType::real:
      return "a number" + range;
    case OptionType::choice:
      return fmt::format("one of {}", fmt::join(words, ", "));
    case OptionType::text:
      return "text";
    case OptionType::penalties:
      return fmt::format("a number{}{}{}{}", range, takes_percent ? ", a percentage" : "",
                         words.empty() ? "" : ", or ", fmt::join(words, " or "));
    case OptionType::lines:
      return "a text file";
    case OptionType::matrix:
      return fmt::format("{}{}the file of a matrix", fmt::join(words, ", "),
                         words.empty() ? "" : ", or ");
    case OptionType::mode_penalties:
      return fmt::format("MODE=PENALTY{}{}", words.empty() ? "" : ", or ", fmt::join(words, ", "));
  }
  return {};
}

OptionRecord choice_option(std::string name, std::string initial, std::vector<std::string> words,
                           std::string help) {
  return {.name = std::move(name),
          .type = OptionType::choice,
          .initial = std::move(initial),
          .words = std::move(words),
          .help = std::move(help)};
}

OptionRecord allow_negative_option() {
  return {.name = "allow-negative",
          .type = OptionType::flag,
          .initial = "no",
          .help = "Take data with negative values; a model of at least 0 cannot reach them."};
}

OptionRecord mode_penalties_option(std::string help, std::vector<std::string> words) {
  help += " Words, joined by +:";
  for (const PenaltyWord& word : penalty_words()) {
    const bool is_plain = word.example.find('+') == std::string::npos;
    help += " " + (is_plain ? word.example : word.example.substr(word.example.find('+') + 1));
  }
  help += ".";
  return {.name = "penalty",
          .type = OptionType::mode_penalties,
          .words = std::move(words),
          .help = std::move(help)};
}

OptionRecord lines_option(std::string name, std::string help) {
  return {.name = std::move(name), .type = OptionType::lines, .help = std::move(help)};
}

OptionRecord matrix_option(std::string name, std::string initial, std::vector<std::string> words,
                           std::string help) {
  OptionRecord record =
      choice_option(std::move(name), std::move(initial), std::move(words), std::move(help));
  record.type = OptionType::matrix;
  return record;
}

OptionRecord integer_option(std::string name, std::string initial, double min, double max,
                            std::string help) {
  OptionRecord record = real_option(std::move(name), std::move(initial), min, max, std::move(help));
  record.type = OptionType::integer;
  return record;
}

OptionRecord real_option(std::string name, std::string initial, double min, double max,
                         std::string help) {
  OptionRecord record;
  record.name = std::move(name);
  record.type = OptionType::real;
  record.initial = std::move(initial);
  record.min = min;
  record.max = max;
  record.help = std::move(help);
  return record;
}

Options::Options(std::vector<OptionRecord> records) : records_(std::move(records)) {
  for (const OptionRecord& record : records_) {
    values_.push_back(record.initial.empty() ? Value{} : parse(record, record.initial));
  }
}

Options::Value Options::parse(const OptionRecord& record, std::string_view text) {
  switch (record.type) {
    case OptionType::flag:
      if (text == "yes" || text == "true" || text == "1") return true;
      if (text == "no" || text == "false" || text == "0") return false;
      break;
    case OptionType::integer:
      if (const auto number = parse_integer(text);
          number && in_range(record, static_cast<double>(*number))) {
        return *number;
      }
      break;
    case OptionType::real:
      if (const auto number = parse_real(text);
          number && std::isfinite(*number) && in_range(record, *number)) {
        return *number;
      }
      break;
    case OptionType::choice:
      if (contains(record.words, text)) return std::string(text);
      break;
    case OptionType::text:
      return std::string(text);
    case OptionType::penalties: {
      std::vector<PenaltyValue> list;
      for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        list.push_back(parse_penalty(record, text.substr(begin, comma - begin)));
        begin = comma + 1;
      }
      if (record.is_single && list.size() > 1) {
        throw Error(
            ErrorCode::usage, "--" + record.name,
            fmt::format("takes one value, {} were given: '{}'", list.size(), printable(text, 60)));
      }
      return list;
    }
    case OptionType::matrix:
      if (contains(record.words, text)) return std::string(text);
      [[fallthrough]];
    case OptionType::lines:
      if (!text.empty()) return File{.path = std::string(text)};
      break;
    case OptionType::mode_penalties: {
      if (contains(record.words, text)) return std::string(text);
      ModePenalties asked{.list = parse_mode_penalties(text, "--" + record.name)};
      if (asked.list.empty()) break;
      for (const ModePenalty& one : asked.list) {
        if (!one.penalty.file().empty()) asked.files[one.mode].path = one.penalty.file();
      }
      return asked;
    }
  }
  refuse(record, text);
}

std::size_t Options::find(std::string_view name) const {
  const std::string wanted = replaced(name, '_', '-');
  const auto found =
      std::find_if(records_.begin(), records_.end(),
                   [&](const OptionRecord& record) { return record.name == wanted; });
  return static_cast<std::size_t>(found - records_.begin());
}

std::size_t Options::find_typed(std::string_view name) const {
  const std::size_t at = find(name);
  if (at == records_.size()) {
    std::vector<std::string> known;
    for (const OptionRecord& record : records_) known.push_back("--" + record.name);
    throw Error(ErrorCode::usage, "--" + printable(replaced(name, '_', '-'), 60),
                fmt::format("there is no such option; there are {}", fmt::join(known, " ")));
  }
  return at;
}

void Options::set(std::string_view name, std::string_view text) {
  const std::size_t at = find_typed(name);
  values_[at] = parse(records_[at], text);
}

std::size_t Options::find_file(std::string_view name, OptionType type) const {
  const std::size_t at = find_typed(name.substr(0, name.find('.')));
  if (records_[at].type == type) return at;
  if (type == OptionType::lines && find_held(name) != nullptr) return at;
  const bool is_lines = type == OptionType::lines;
  throw Error(ErrorCode::usage, "--" + records_[at].name,
              "takes " + records_[at].range_text() + ", not " +
                  (is_lines ? "the lines of a file" : "a matrix"));
}

void Options::attach_to(std::size_t at, std::string_view name, File file) {
  if (auto* asked = std::get_if<ModePenalties>(&values_[at])) {
    File& held = asked->files.find(name.substr(name.find('.') + 1))->second;
    file.path = std::move(held.path);
    held = std::move(file);
    return;
  }
  if (const File* typed = std::get_if<File>(&values_[at])) file.path = typed->path;
  values_[at] = std::move(file);
}

namespace {

// Lines from memory are kept in a text file, and must read back from it as themselves.
void check_lines(const std::string& name, const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::optional<std::string> fault = line_fault(lines[i]);
    if (i == 0 && lines[0].starts_with("\xEF\xBB\xBF")) fault = "begins with a byte order mark";
    if (fault)
      throw Error(ErrorCode::input, "--" + name, fmt::format("line {}: {}", i + 1, *fault));
  }
}

}  // namespace

void Options::attach(std::string_view name, std::vector<std::string> lines) {
  const std::size_t at = find_file(name, OptionType::lines);
  check_lines(records_[at].name, lines);
  for (std::string& line : lines) line.resize(without_end_blanks(line).size());
  Digest digest;
  digest.add(std::ssize(lines));
  for (const std::string& line : lines) digest.add(line);
  attach_to(at, name,
            {.lines = std::make_shared<const std::vector<std::string>>(std::move(lines)),
             .digest = digest.hex()});
}

void Options::attach_matrix(std::string_view name, Matrix matrix) {
  const std::size_t at = find_file(name, OptionType::matrix);
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (matrix.size() == 0 ||
      !std::all_of(matrix.values().begin(), matrix.values().end(), is_finite)) {
    throw Error(ErrorCode::input, "--" + records_[at].name,
                "the matrix is empty or has a value that is not a finite number");
  }
  Digest digest;
  digest.add(matrix.rows());
  digest.add(matrix.cols());
  digest.add(std::as_const(matrix).values());
  attach_to(at, name,
            {.matrix = std::make_shared<const Matrix>(std::move(matrix)), .digest = digest.hex()});
}

bool Options::has(std::string_view name) const { return find(name) < records_.size(); }

const OptionRecord& Options::record(std::string_view name) const {
  const std::size_t at = find(name);
  if (at == records_.size()) {
    throw Error(ErrorCode::internal, "", "no option '" + std::string(name) + "'");
  }
  return records_[at];
}

const Options::Value& Options::value(std::string_view name) const {
  record(name);
  return values_[find(name)];
}

bool Options::given(std::string_view name) const {
  return !std::holds_alternative<std::monostate>(value(name));
}

namespace {

template <class T, class Value>
const T& typed(const Value& value, std::string_view name) {
  if (const T* held = std::get_if<T>(&value)) return *held;
  throw Error(ErrorCode::usage, "--" + std::string(name), "a value is needed");
}

}  // namespace

bool Options::flag(std::string_view name) const { return typed<bool>(value(name), name); }
Index Options::integer(std::string_view name) const { return typed<Index>(value(name), name); }
double Options::real(std::string_view name) const { return typed<double>(value(name), name); }
const std::string& Options::text(std::string_view name) const {
  return typed<std::string>(value(name), name);
}
const std::vector<PenaltyValue>& Options::penalties(std::string_view name) const {
  return typed<std::vector<PenaltyValue>>(value(name), name);
}
const PenaltyValue& Options::penalty(std::string_view name) const {
  return penalties(name).front();
}

const std::vector<ModePenalty>& Options::mode_penalties(std::string_view name) const {
  static const std::vector<ModePenalty> kNone;
  const auto* asked = std::get_if<ModePenalties>(&value(name));
  return asked != nullptr ? asked->list : kNone;
}

const Options::File* Options::find_held(std::string_view name) const {
  const std::size_t dot = std::min(name.find('.'), name.size());
  const Value& held = value(name.substr(0, dot));
  if (const auto* asked = std::get_if<ModePenalties>(&held)) {
    const auto found = asked->files.find(name.substr(std::min(dot + 1, name.size())));
    return found == asked->files.end() ? nullptr : &found->second;
  }
  return dot == name.size() ? std::get_if<File>(&held) : nullptr;
}

std::vector<std::string> Options::file_names() const {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < records_.size(); ++at) {
    if (std::holds_alternative<File>(values_[at])) names.push_back(records_[at].name);
    const auto* asked = std::get_if<ModePenalties>(&values_[at]);
    if (asked == nullptr) continue;
    for (const auto& [mode, file] : asked->files) names.push_back(records_[at].name + "." + mode);
  }
  return names;
}

const Options::File& Options::attached(std::string_view name) const {
  const File* file = find_held(name);
  const std::string where = "--" + std::string(name);
  if (file == nullptr) throw Error(ErrorCode::usage, where, "a value is needed");
  if (file->lines || file->matrix) return *file;
  throw Error(ErrorCode::internal, where,
              "the content of " + printable(file->path) + " was never attached");
}
const std::vector<std::string>& Options::lines(std::string_view name) const {
  return *attached(name).lines;
}
const Matrix* Options::matrix(std::string_view name) const {
  return is_file(name) ? attached(name).matrix.get() : nullptr;
}
const std::string& Options::digest(std::string_view name) const { return attached(name).digest; }
const std::string& Options::path(std::string_view name) const {
  const File* file = find_held(name);
  if (file == nullptr) throw Error(ErrorCode::usage, "--" + std::string(name), "a value is needed");
  return file->path;
}
bool Options::is_attached(std::string_view name) const {
  const File* file = find_held(name);
  return file != nullptr && (file->lines || file->matrix);
}
bool Options::is_file(std::string_view name) const { return find_held(name) != nullptr; }

std::string Options::identity(std::string_view name) const {
  if (is_file(name)) return digest(name);
  std::string identity = canonical(name);
  if (const auto* asked = std::get_if<ModePenalties>(&value(name))) {
    for (const auto& [mode, file] : asked->files) identity += " " + file.digest;
  }
  return identity;
}

std::string Options::canonical(std::string_view name) const {
  struct Show {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(bool yes) const { return yes ? "yes" : "no"; }
    std::string operator()(Index number) const { return to_text(number); }
    std::string operator()(double number) const { return to_text(number); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<PenaltyValue>& list) const {
      std::string text;
      for (const PenaltyValue& penalty : list) text += (text.empty() ? "" : ",") + penalty.text();
      return text;
    }
    std::string operator()(const ModePenalties& asked) const { return to_text(asked.list); }
    std::string operator()(const File& file) const {
      if (!file.path.empty()) return file.path;
      if (file.matrix) return fmt::format("<{} x {}>", file.matrix->rows(), file.matrix->cols());
      const std::size_t n = file.lines->size();
      return fmt::format("<{} line{}>", n, n == 1 ? "" : "s");
    }
  };
  return std::visit(Show{}, value(name));
}

}  // namespace gingham
