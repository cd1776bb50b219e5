#include "gingham/methods/plain/penalty.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "gingham/base/error.hpp"

namespace gingham::methods::plain {
namespace {

struct Column {
  const Reals& z;
  const std::vector<double>& observed;
  const Groups* groups;
  Real w;

  template <class Term>
  Real over_items(const Term& term) const {
    Real sum = 0;
    for (std::size_t j = 0; j < z.size(); ++j) sum += observed[j] > 0.0 ? term(z[j]) : Real{0};
    return sum;
  }
  template <class Term>
  Real over_changes(const Term& term) const {
    Real sum = 0;
    for (std::size_t j = 0; j + 1 < z.size(); ++j) sum += term(z[j + 1] - z[j]);
    return sum;
  }
  template <class Norm>
  Real over_groups(const Norm& norm) const {
    Real sum = 0;
    for (Index s = 0; s < groups->count(); ++s) sum += norm(groups->members(s));
    return sum;
  }
};

Real zero_if(bool is_inside) { return is_inside ? 0 : std::numeric_limits<Real>::infinity(); }
bool is_nonnegative(const Reals& z) {
  return std::all_of(z.begin(), z.end(), [](Real x) { return x >= 0; });
}
bool rises_and_falls(const Reals& z) {
  std::size_t j = 1;
  while (j < z.size() && z[j] >= z[j - 1]) ++j;
  while (j < z.size() && z[j] <= z[j - 1]) ++j;
  return j >= z.size();
}

constexpr Real kBoundary = 1e-11L;  // of a length or sum that is to be 1

const std::map<std::string, std::function<Real(const Column&)>>& formulas() {
  static const std::map<std::string, std::function<Real(const Column&)>> all{
      {"free", [](const Column&) { return Real{0}; }},
      {"nonneg", [](const Column& c) { return zero_if(is_nonnegative(c.z)); }},
      {"l1",
       [](const Column& c) { return c.w * c.over_items([](Real x) { return std::abs(x); }); }},
      {"ridge",
       [](const Column& c) { return c.w / 2 * c.over_items([](Real x) { return x * x; }); }},
      {"box",
       [](const Column& c) {
         const bool is_inside =
             std::all_of(c.z.begin(), c.z.end(), [](Real x) { return x >= 0 && x <= 1; });
         return zero_if(is_inside) + c.w * c.over_items([](Real x) { return x; });
       }},
      {"top",
       [](const Column& c) {
         return zero_if(std::count_if(c.z.begin(), c.z.end(), [](Real x) { return x != 0; }) <=
                        c.w);
       }},
      {"ball",
       [](const Column& c) {
         Real squares = 0;
         for (const Real x : c.z) squares += x * x;
         return zero_if(squares <= 1 + kBoundary);
       }},
      {"simplex",
       [](const Column& c) {
         Real sum = 0, count = 0, unseen = 0;
         for (std::size_t j = 0; j < c.z.size(); ++j) {
           (c.observed[j] > 0.0 ? sum : unseen) += c.z[j];
           count += c.observed[j];
         }
         return zero_if(is_nonnegative(c.z) && unseen == 0 &&
                        (count == 0 || std::abs(sum - 1) <= kBoundary));
       }},
      {"unimodal", [](const Column& c) { return zero_if(rises_and_falls(c.z)); }},
      {"fused",
       [](const Column& c) { return c.w * c.over_changes([](Real x) { return std::abs(x); }); }},
      {"smooth",
       [](const Column& c) { return c.w * c.over_changes([](Real x) { return x * x; }); }},
      {"group",
       [](const Column& c) {
         return c.w * c.over_groups([&](std::span<const Index> items) {
           Real squares = 0;
           for (const Index j : items) squares += c.z[j] * c.z[j];
           return std::sqrt(squares);
         });
       }},
      {"groupmax", [](const Column& c) {
         return c.w * c.over_groups([&](std::span<const Index> items) {
           Real most = 0;
           for (const Index j : items) most = std::max(most, std::abs(c.z[j]));
           return most;
         });
       }}};
  return all;
}

}  // namespace

AskedPenalty::AskedPenalty(const Options& options, const Model& model, const std::string& mode,
                           Index n_items) {
  const PenaltyRequest* request = asked_penalty(options, mode);
  if (request == nullptr) return;
  std::vector<double> numbers;
  bool is_used = false;  // where there are percentages the result has the numbers of all modes
  for (const ModePenalty& one : options.mode_penalties("penalty"))
    is_used = is_used || one.penalty.has_percentages();
  if (is_used) numbers = used_values(model, "penalty");
  std::size_t first = 0;
  for (const ModePenalty& one : options.mode_penalties("penalty")) {
    if (one.mode == mode) break;
    first += static_cast<std::size_t>(one.penalty.n_weights());
  }
  if (!is_used) {
    numbers = request->numbers();
    first = 0;
  }
  if (first + static_cast<std::size_t>(request->n_weights()) > numbers.size())
    throw Error(ErrorCode::input, "penalty", "numbers used are missing from the result");
  // A + between words is followed by a letter, one in a number by a digit.
  const std::string text = request->text();
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;
    while (end < text.size() && !(text[end] == '+' && end + 1 < text.size() &&
                                  std::isalpha(static_cast<unsigned char>(text[end + 1])) != 0))
      ++end;
    const std::string part = text.substr(begin, end - begin);
    words_.push_back({part.substr(0, part.find(':')), 0});
    begin = end + 1;
  }
  // Without any word the text is "free".
  for (std::size_t i = 0; i < words_.size() && first + i < numbers.size(); ++i)
    words_[i].number = numbers[first + i];
  groups_ = penalty_groups(options, mode, n_items);
}

std::optional<Real> AskedPenalty::value(const Reals& z, const std::vector<double>& observed) const {
  if (words_.empty()) return std::nullopt;
  Real total = 0;
  for (const Word& word : words_) {
    const auto found = formulas().find(word.name);
    if (found == formulas().end()) return std::nullopt;
    total += found->second({z, observed, groups_.get(), word.number});
  }
  return total;
}

}  // namespace gingham::methods::plain
