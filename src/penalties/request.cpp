#include "gingham/penalties/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gingham/base/text.hpp"
#include "gingham/penalties/bisection.hpp"
#include "gingham/penalties/separable.hpp"

namespace gingham {
namespace {

using Takes = PenaltyWord::Takes;

[[noreturn]] void refuse(const std::string& where, const std::string& message) {
  throw Error(ErrorCode::usage, where, message);
}

const PenaltyWord& find_word(std::string_view word, const std::string& where) {
  std::vector<std::string> known;
  for (const PenaltyWord& one : penalty_words()) {
    if (one.word == word) return one;
    known.push_back(one.word);
  }
  refuse(where, fmt::format("there is no penalty '{}'; there are {}", printable(word, 40),
                            fmt::join(known, " ")));
}

PenaltyValue parse_weight(std::string_view text, const PenaltyWord& word,
                          const std::string& where) {
  const bool is_percent = text.ends_with('%');
  const auto number = parse_real(is_percent ? text.substr(0, text.size() - 1) : text);
  if (!number || !std::isfinite(*number) || *number < 0.0) {
    refuse(where, fmt::format("'{}' is not a number of at least 0 or a percentage; type {}",
                              printable(text, 40), word.example));
  }
  return {.kind = is_percent ? PenaltyValue::Kind::percent : PenaltyValue::Kind::number,
          .number = *number,
          .word = {}};
}

bool is_all_zero(ConstVec z) {
  return std::all_of(z.begin(), z.end(), [](double x) { return x == 0.0; });
}

}  // namespace

PenaltyRequest PenaltyRequest::parse(std::string_view text, const std::string& where) {
  PenaltyRequest made;
  const PenaltyWord* structure = nullptr;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    // A + inside a number (1e+3) does not separate.
    std::size_t end = begin;
    do {
      end = std::min(text.find('+', end + (end > begin)), text.size());
    } while (end < text.size() && end > begin + 1 &&
             (text[end - 1] == 'e' || text[end - 1] == 'E') &&
             text.substr(begin, end - begin).find(':') != std::string_view::npos &&
             std::isdigit(static_cast<unsigned char>(text[end - 2])) != 0);
    const std::string_view part = text.substr(begin, end - begin);
    const std::string here = fmt::format("{}, position {}", where, begin + 1);
    const std::size_t colon = part.find(':');
    const PenaltyWord& word = find_word(part.substr(0, colon), here);
    const bool is_given = colon != std::string_view::npos;
    std::string_view argument = is_given ? part.substr(colon + 1) : std::string_view{};
    for (const Part& earlier : made.parts_) {
      if (earlier.word == &word) refuse(here, fmt::format("'{}' stands twice", word.word));
    }
    if (word.make) {
      if (structure != nullptr) {
        refuse(here, fmt::format("{} and {} cannot be added: no minimiser of the sum is known",
                                 structure->word, word.word));
      }
      structure = &word;
    }
    Part added{&word, {}};
    switch (word.takes) {
      case Takes::nothing:
        if (is_given)
          refuse(here, fmt::format("{} takes no number; type {}", word.word, word.example));
        break;
      case Takes::optional_weight:
        if (!is_given) break;
        [[fallthrough]];
      case Takes::weight:
        if (!is_given)
          refuse(here, fmt::format("{} needs a weight; type {}", word.word, word.example));
        added.value = parse_weight(argument, word, here);
        break;
      case Takes::count: {
        const auto count = parse_integer(argument);
        if (!count || *count < 0)
          refuse(here, fmt::format("'{}' is not a whole number of at least 0; type {}",
                                   printable(argument, 40), word.example));
        added.value.number = static_cast<double>(*count);
        break;
      }
      case Takes::groups: {
        const std::size_t comma = argument.rfind(',');
        if (!is_given || comma == std::string_view::npos || comma == 0)
          refuse(here,
                 fmt::format("{} needs a file and a weight; type {}", word.word, word.example));
        made.file_ = argument.substr(0, comma);
        added.value = parse_weight(argument.substr(comma + 1), word, here);
        break;
      }
    }
    made.parts_.push_back(std::move(added));
    begin = end + 1;
  }
  // A sum that makes no sense is refused before any work; groups come with the data.
  if (made.file_.empty()) {
    try {
      static_cast<void>(made.make(made.numbers(std::vector<double>(made.parts_.size(), 1.0))));
    } catch (const Error& error) {
      refuse(where, error.message());
    }
  }
  return made;
}

std::string PenaltyRequest::text(const std::vector<double>& numbers) const {
  PenaltyRequest plain = *this;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    plain.parts_[i].value = {.number = numbers.at(i), .word = {}};
  }
  return plain.text();
}

std::string PenaltyRequest::text() const {
  if (parts_.empty()) return "free";
  std::string text;
  for (const Part& part : parts_) {
    text += (text.empty() ? "" : "+") + part.word->word;
    const bool is_bare = part.word->takes == Takes::nothing ||
                         (part.word->takes == Takes::optional_weight && part.value.number == 0.0);
    if (part.word->takes == Takes::groups)
      text += ":" + file_ + "," + part.value.text();
    else if (!is_bare)
      text += ":" + part.value.text();
  }
  return text;
}

std::vector<PenaltyValue> PenaltyRequest::values() const {
  std::vector<PenaltyValue> all;
  for (const Part& part : parts_) all.push_back(part.value);
  return all;
}

bool PenaltyRequest::has_percentages() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) {
    return part.value.kind == PenaltyValue::Kind::percent;
  });
}

EntryRule PenaltyRequest::entry(const std::vector<double>& numbers, const EntryRule& within) const {
  EntryRule rule;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].word->adjust) parts_[i].word->adjust({.weight = numbers[i]}, rule);
  }
  rule.low = std::max(rule.low, within.low);
  rule.high = std::min(rule.high, within.high);
  return rule;
}

std::unique_ptr<Penalty> PenaltyRequest::make(const std::vector<double>& numbers,
                                              const std::shared_ptr<const Groups>& groups,
                                              const EntryRule& within) const {
  const EntryRule rule = entry(numbers, within);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!parts_[i].word->make) continue;
    return parts_[i].word->make(
        {.weight = numbers[i], .count = static_cast<Index>(numbers[i]), .groups = groups}, rule);
  }
  return std::make_unique<Separable>(rule);
}

std::vector<double> PenaltyRequest::numbers(const std::vector<double>& maxima) const {
  std::vector<double> found;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    found.push_back(parts_[i].value.resolve(i < maxima.size() ? maxima[i] : 0.0));
  }
  return found;
}

std::vector<double> PenaltyRequest::maxima(ConstVec b, Curvature h,
                                           const std::shared_ptr<const Groups>& groups) const {
  std::vector<double> found(parts_.size(), 0.0);
  const std::vector<double> others = numbers();  // percentages at 0
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].value.kind != PenaltyValue::Kind::percent) continue;
    const PenaltyWord& word = *parts_[i].word;
    std::vector<double> trial = others;
    trial[i] = 1.0;
    if (word.make) {
      found[i] = make(trial, groups)->smallest_zero(b, h);
      continue;
    }
    if (entry(trial).ridge > entry(others).ridge) {
      found[i] = h.largest(b.size());
      continue;
    }
    // L1: whatever else is asked, at the largest |b| nothing is left.
    std::vector<double> z(b.size());
    found[i] = smallest_weight(entry(others).smallest_zero(b, h), [&](double weight) {
      trial[i] = weight;
      make(trial, groups)->minimise(b, h, z);
      return is_all_zero(z);
    });
  }
  return found;
}

std::vector<ModePenalty> parse_mode_penalties(std::string_view text, const std::string& where) {
  std::vector<ModePenalty> found;
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return found;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view one = text.substr(0, end);
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      refuse(where,
             fmt::format("'{}' is not MODE=PENALTY; type rows=nonneg+l1:20%", printable(one, 60)));
    }
    const std::string mode(one.substr(0, equals));
    for (const ModePenalty& earlier : found) {
      if (earlier.mode == mode)
        refuse(where,
               fmt::format("mode '{}' has two penalties; join them with +", printable(mode, 40)));
    }
    found.push_back(
        {mode, PenaltyRequest::parse(one.substr(equals + 1),
                                     fmt::format("{} {}", where, printable(mode, 40)))});
    text.remove_prefix(end);
  }
}

std::string to_text(const std::vector<ModePenalty>& penalties) {
  std::string text;
  for (const ModePenalty& one : penalties) {
    text += (text.empty() ? "" : " ") + one.mode + "=" + one.penalty.text();
  }
  return text;
}

std::string to_text(const std::vector<ModePenalty>& penalties, const std::vector<double>& numbers) {
  std::string text;
  auto next = numbers.begin();
  for (const ModePenalty& one : penalties) {
    if (numbers.end() - next < one.penalty.n_weights()) return to_text(penalties);
    const std::vector<double> own(next, next + one.penalty.n_weights());
    next += one.penalty.n_weights();
    text += (text.empty() ? "" : " ") + one.mode + "=" + one.penalty.text(own);
  }
  return text;
}

}  // namespace gingham
