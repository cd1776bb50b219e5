// Traffic (traffic.hpp) of an organisation. Department d has n_d people of its own, who form a
// clique while its project lasts, a run of t_d months:
//
//   n_d = share people / departments * U(0.7, 1.3),   t_d = months * U(1/4, 1/2),
//   level_d = level * U(0.8, 1.2)
//
// The others are of the administration and in no clique. The everyday mail is a third in August and
// December of what it is in other months. The first month is a January.
#include "gingham/methods/tensor/simulate_organisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "gingham/methods/tensor/traffic.hpp"

namespace gingham::methods::tensor {
namespace {

constexpr Index kFirstYear = 2024;
constexpr double kHoliday = 1.0 / 3.0;  // traffic of a quiet month
constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<const char*, 10> kDepartments{"sales",     "research", "legal",  "finance",
                                                   "logistics", "support",  "design", "purchasing",
                                                   "training",  "quality"};
constexpr const char* kOthers = "administration";
// Equally many of both, so that a person's number tells the name apart (name_of).
constexpr std::array<const char*, 40> kFirst{
    "Ada",     "Bruno",  "Chiara", "Dario",  "Elif",    "Farid",  "Greta",  "Hugo",
    "Ines",    "Jonas",  "Keiko",  "Luis",   "Mira",    "Nadia",  "Omar",   "Petra",
    "Quentin", "Rosa",   "Samir",  "Tove",   "Umberto", "Vera",   "Wanda",  "Xavier",
    "Yara",    "Zoltan", "Amara",  "Benoit", "Carla",   "Dmitri", "Esther", "Felix",
    "Gloria",  "Henrik", "Imani",  "Jan",    "Kamala",  "Lotte",  "Marco",  "Noor"};
constexpr std::array<const char*, kFirst.size()> kLast{
    "Moreno",  "Keller",   "Rossi",    "Tanaka",  "Okafor",  "Lindberg", "Novak",   "Dubois",
    "Haddad",  "Silva",    "Petrov",   "Weber",   "Mensah",  "Fischer",  "Costa",   "Nilsson",
    "Aydin",   "Marino",   "Kowalski", "Romero",  "Jansen",  "Sharma",   "Bianchi", "Laurent",
    "Eriksen", "Farkas",   "Gruber",   "Horvat",  "Ivanov",  "Jimenez",  "Kaya",    "Lefevre",
    "Molnar",  "Nakamura", "Oliveira", "Popescu", "Quiroga", "Ricci",    "Santos",  "Toth"};

// Different for every person: the first name is i mod 40, and of people with the same first name
// the last names are all different for 40 times 40 people; after these come numbers.
std::string name_of(Index i) {
  const auto n = std::ssize(kFirst);
  const Index round = i / n;
  const std::string name =
      fmt::format("{} {}", kFirst[i % n], kLast[(7 * (i % n) + round % n) % n]);
  return round < n ? name : fmt::format("{} {}", name, round / n + 1);
}

std::string department_name(Index d) {
  if (d < std::ssize(kDepartments)) return kDepartments[d];
  return fmt::format("branch {}", d - std::ssize(kDepartments) + 1);
}

std::string month_name(Index month) {
  return fmt::format("{} {}", kMonths[month % 12], kFirstYear + month / 12);
}

Index between(double low, double high, Index most, Rng& rng) {
  return std::clamp<Index>(std::llround(rng.uniform(low, high)), 1, most);
}

std::vector<Clique> draw_departments(const Options& options, Rng& rng) {
  const Index n = options.integer("people"), t = options.integer("months");
  const Index k = options.integer("departments");
  const double mean = options.real("share") * static_cast<double>(n) / static_cast<double>(k);
  const std::vector<Index> order = rng.permutation(n);
  std::vector<Clique> departments(static_cast<std::size_t>(k));
  Index taken = 0;
  for (Index d = 0; d < k; ++d) {
    Clique& one = departments[d];
    // Everybody who comes later needs one person at least.
    const Index size = between(0.7 * mean, 1.3 * mean, n - taken - (k - d - 1), rng);
    one.people.assign(order.begin() + taken, order.begin() + taken + size);
    std::sort(one.people.begin(), one.people.end());
    taken += size;
    const auto months = static_cast<double>(t);
    one.months.resize(static_cast<std::size_t>(between(months / 4.0, months / 2.0, t, rng)));
    std::iota(one.months.begin(), one.months.end(), rng.below(t - std::ssize(one.months) + 1));
    one.level = options.real("level") * rng.uniform(0.8, 1.2);
  }
  return departments;
}

Background everyday_mail(const Options& options) {
  Background background{
      .draws = options.integer("entries"), .activity = options.real("activity"), .months = {}};
  for (Index month = 0; month < options.integer("months"); ++month)
    background.months.push_back(month % 12 == 7 || month % 12 == 11 ? kHoliday : 1.0);
  return background;
}

std::vector<Labels> labels_of(const std::vector<Clique>& departments, const Options& options) {
  std::vector<std::string> of(static_cast<std::size_t>(options.integer("people")), kOthers);
  for (Index d = 0; d < std::ssize(departments); ++d) {
    for (const Index person : departments[d].people) of[person] = department_name(d);
  }
  Labels people, months;
  for (Index i = 0; i < std::ssize(of); ++i)
    people.push_back(fmt::format("{} ({})", name_of(i), of[i]));
  for (Index month = 0; month < options.integer("months"); ++month)
    months.push_back(month_name(month));
  return {people, people, months};
}

Simulation make(const Options& options, Rng rng) {
  const Index n = options.integer("people"), t = options.integer("months");
  if (options.integer("departments") > n) {
    throw Error(ErrorCode::usage, "--departments",
                "every department needs a person: --departments must be at most --people");
  }
  Traffic traffic(n, t);
  const std::vector<Clique> departments = draw_departments(options, rng);
  for (const Clique& one : departments) traffic.add(one, rng);
  traffic.add(everyday_mail(options), rng);
  Simulation simulation;
  simulation.memberships = memberships_of(departments, n, t);
  std::vector<double> levels;
  for (const Clique& one : departments) levels.push_back(one.level);
  simulation.truth.push_back({"levels", std::move(levels)});
  simulation.blocks.emplace_back("data", traffic.tensor(options.flag("log")),
                                 labels_of(departments, options));
  return simulation;
}

}  // namespace

Simulator organisation_simulator() {
  return {
      .name = "organisation",
      .title =
          "An organisation's e-mail by sender, receiver and month, with names: the people "
          "of a department write to each other while their project lasts",
      .options = {integer_option("people", "150", 1, 1e5, "Senders, who are the receivers too."),
                  integer_option("months", "24", 1, 1e4, "Months."),
                  integer_option("departments", "5", 1, 1e4, "Departments with a project."),
                  real_option("share", "0.5", 0, 1, "Share of the people in them."),
                  real_option("level", "4", 0, kLargestMean / 2.0,
                              "Typical mean number of e-mails between two of a department in "
                              "a month of its project."),
                  integer_option("entries", "15000", 0, 1e9,
                                 "Draws of the everyday mail; those that fall into one cell "
                                 "add."),
                  real_option("activity", "0.6", 0, 4,
                              "How unequal people are: activity is rank to this power, "
                              "downwards."),
                  {.name = "log",
                   .type = OptionType::flag,
                   .initial = "no",
                   .help = "log2(x) + 1 in place of the counts x."}},
      .make = make};
}

}  // namespace gingham::methods::tensor
