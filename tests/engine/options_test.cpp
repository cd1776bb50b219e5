#include "gingham/engine/options.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "gingham/base/rng.hpp"
#include "gingham/base/text.hpp"
#include "gingham/engine/registry.hpp"
#include "support/arrays.hpp"

namespace gingham {
namespace {

using test::expect_error;

Options sample_options() {
  return Options({
      {.name = "be-quiet", .type = OptionType::flag, .initial = "no"},
      {.name = "clusters", .type = OptionType::integer, .initial = "3", .min = 1, .max = 100},
      {.name = "any-number", .type = OptionType::integer},
      {.name = "step", .type = OptionType::real, .initial = "0.5", .min = 0},
      {.name = "share", .type = OptionType::real, .max = 1},
      {.name = "start", .type = OptionType::choice, .initial = "svd", .words = {"svd", "random"}},
      {.name = "groups", .type = OptionType::text},
      {.name = "row-sparsity",
       .type = OptionType::penalties,
       .initial = "auto",
       .min = 0,
       .words = {"auto", "max"}},
      {.name = "plain-penalty", .type = OptionType::penalties, .min = 0, .max = 10},
      lines_option("group-file", "Groups."),
      matrix_option("begin", "random", {"random", "ones"}, "Where to begin."),
  });
}

void expect_refused(const std::string& option, const std::vector<std::string>& values,
                    const std::string& expected) {
  Options options = sample_options();
  const std::string before = options.canonical(option);
  for (const std::string& value : values) {
    expect_error(ErrorCode::usage,
                 {"--" + option + ": ", "'" + printable(value, 60) + "' is not " + expected},
                 [&] { options.set(option, value); });
  }
  EXPECT_EQ(options.canonical(option), before);
}

TEST(Options, StartAtTheirDefaults) {
  const Options options = sample_options();
  EXPECT_FALSE(options.flag("be-quiet"));
  EXPECT_EQ(options.integer("clusters"), 3);
  EXPECT_EQ(options.real("step"), 0.5);
  EXPECT_EQ(options.text("start"), "svd");
  EXPECT_TRUE(options.penalty("row-sparsity").is("auto"));
  EXPECT_TRUE(options.given("clusters"));
  EXPECT_FALSE(options.given("share"));
  EXPECT_EQ(options.canonical("share"), "");
  EXPECT_TRUE(options.has("share"));
  EXPECT_FALSE(options.has("nothing"));
}

TEST(Options, HyphensAndUnderscoresAreTheSame) {
  Options options = sample_options();
  options.set("row_sparsity", "2");
  EXPECT_EQ(options.penalty("row-sparsity").number, 2.0);
  options.set("any_number", "4");
  EXPECT_EQ(options.integer("any_number"), 4);
  EXPECT_EQ(options.record("row_sparsity").key(), "row_sparsity");
}

TEST(Options, TakeWhatTheRecordAllows) {
  Options options = sample_options();
  for (const char* yes : {"yes", "true", "1"}) {
    options.set("be-quiet", "no");
    options.set("be-quiet", yes);
    EXPECT_TRUE(options.flag("be-quiet"));
  }
  for (const char* no : {"no", "false", "0"}) {
    options.set("be-quiet", "yes");
    options.set("be-quiet", no);
    EXPECT_FALSE(options.flag("be-quiet"));
  }
  options.set("clusters", "1");
  options.set("clusters", "+100");
  EXPECT_EQ(options.integer("clusters"), 100);
  options.set("any-number", "-9223372036854775808");
  EXPECT_EQ(options.integer("any-number"), std::numeric_limits<Index>::min());
  options.set("step", "1e300");
  EXPECT_EQ(options.real("step"), 1e300);
  options.set("share", "-5");
  options.set("groups", "any text, ünicode");
  EXPECT_EQ(options.text("groups"), "any text, ünicode");
}

TEST(Options, RefuseTheRestAndSayWhatWasExpected) {
  expect_refused("be-quiet", {"", "maybe", "YES", "2", " yes"}, "yes or no");
  expect_refused(
      "clusters",
      {"", "0", "101", "-1", "1.0", "1e1", "abc", "99999999999999999999", " 3", "0x3", "3 "},
      "a whole number from 1 to 100");
  expect_refused("any-number", {"", "x", "1.5"}, "a whole number");
  expect_refused("step", {"", "-0.1", "nan", "inf", "1e999", "1,5", "-1e-300"},
                 "a number of at least 0");
  expect_refused("share", {"1.0000001", "nan", "-inf", "50%"}, "a number of at most 1");
  expect_refused("start", {"", "SVD", "svd ", "other", "svd,random"}, "one of svd, random");
  expect_refused("row-sparsity",
                 {"", "x", "-1", "-5%", "nan", "nan%", "inf%", "%", "Auto", "5%%", "1 %"},
                 "a number of at least 0, a percentage, or auto or max");
  expect_refused("plain-penalty", {"auto", "11"}, "a number from 0 to 10, a percentage");
  expect_refused("step", {"\x1b[31m", std::string(500, 'x')}, "a number");
  expect_refused("group-file", {""}, "a text file");
}

TEST(Options, NameTheBadPieceOfAList) {
  Options options = sample_options();
  expect_error(ErrorCode::usage, {"--row-sparsity", "'-3' is not"},
               [&] { options.set("row-sparsity", "1,-3,x"); });
  for (const char* bad : {",", "1,", ",1", "1,,2", "auto,"}) {
    expect_error(ErrorCode::usage, {"--row-sparsity", "'' is not"},
                 [&] { options.set("row-sparsity", bad); });
  }
}

TEST(Options, UnknownNamesAreRefusedWithTheKnownOnes) {
  Options options = sample_options();
  expect_error(ErrorCode::usage,
               {"--no-such: there is no such option", "--clusters", "--row-sparsity"},
               [&] { options.set("no_such", "1"); });
  expect_error(ErrorCode::usage, {"--?[31m"}, [&] { options.set("\x1b[31m", "1"); });
  expect_error(ErrorCode::usage, {""}, [&] { options.set("", "1"); });
  expect_error(ErrorCode::internal, {"no option 'no-such'"},
               [&] { static_cast<void>(options.real("no-such")); });
  expect_error(ErrorCode::usage, {"--share", "a value is needed"},
               [&] { static_cast<void>(options.real("share")); });
}

TEST(Options, ListsOfPenaltiesKeepTheirOrder) {
  Options options = sample_options();
  options.set("row-sparsity", "1.5,20%,auto,max,0");
  const std::vector<PenaltyValue>& list = options.penalties("row-sparsity");
  ASSERT_EQ(list.size(), 5u);
  EXPECT_EQ(list[0].resolve(1000), 1.5);
  EXPECT_EQ(list[1].resolve(1000), 200.0);
  EXPECT_TRUE(list[2].is("auto") && !list[2].is("max") && list[3].is("max"));
  EXPECT_EQ(list[4].resolve(1000), 0.0);
  expect_error(ErrorCode::internal, {"auto"}, [&] { static_cast<void>(list[2].resolve(1)); });
  EXPECT_EQ(options.canonical("row_sparsity"), "1.5,20%,auto,max,0");
  EXPECT_FALSE(list[0].is("1.5"));
}

TEST(Options, LinesComeFromAPathAndAreAttached) {
  Options options = sample_options();
  EXPECT_FALSE(options.given("group-file") || options.is_attached("group-file"));
  EXPECT_EQ(options.identity("group-file"), "");
  expect_error(ErrorCode::usage, {"--group-file", "a value is needed"},
               [&] { static_cast<void>(options.lines("group-file")); });
  options.set("group_file", "some where/groups.txt");
  EXPECT_TRUE(options.given("group-file"));
  EXPECT_FALSE(options.is_attached("group-file"));
  EXPECT_EQ(options.canonical("group-file"), "some where/groups.txt");
  for (const auto& read : std::vector<std::function<void()>>{
           [&] { static_cast<void>(options.lines("group-file")); },
           [&] { static_cast<void>(options.digest("group-file")); },
           [&] { static_cast<void>(options.identity("group-file")); }}) {
    expect_error(ErrorCode::internal, {"--group-file", "groups.txt", "never attached"}, read);
  }
  const std::vector<std::string> lines{"a", "", "b,c"};
  options.attach("group_file", lines);
  EXPECT_TRUE(options.is_attached("group-file"));
  EXPECT_EQ(options.lines("group-file"), lines);
  EXPECT_EQ(options.path("group-file"), "some where/groups.txt");
  EXPECT_EQ(options.canonical("group-file"), "some where/groups.txt");
  const Options copy = options;
  options.set("group-file", "other.txt");  // its content is not known yet
  EXPECT_FALSE(options.is_attached("group-file"));
  EXPECT_EQ(copy.lines("group-file"), lines);
}

TEST(Options, LinesFromMemoryHaveNoPath) {
  Options options = sample_options();
  options.attach("group-file", {"a", "b"});
  EXPECT_TRUE(options.given("group-file"));
  EXPECT_EQ(options.path("group-file"), "");
  EXPECT_EQ(options.canonical("group-file"), "<2 lines>");
  options.attach("group-file", {""});
  EXPECT_EQ(options.canonical("group-file"), "<1 line>");
  options.attach("group-file", {});
  EXPECT_EQ(options.canonical("group-file"), "<0 lines>");
  EXPECT_TRUE(options.given("group-file") && options.lines("group-file").empty());
  expect_error(ErrorCode::usage, {"--clusters: takes a whole number from 1 to 100, not the lines"},
               [&] { options.attach("clusters", {"1"}); });
  expect_error(ErrorCode::usage, {"--nothing", "no such option"},
               [&] { options.attach("nothing", {}); });
}

TEST(Options, LinesAreThoseATextFileCanHold) {
  Options options = sample_options();
  options.attach("group-file", {"a \t", " ", "\tb c"});
  EXPECT_EQ(options.lines("group-file"), (std::vector<std::string>{"a", "", "\tb c"}));
  const auto refused = [&](const std::string& line, const std::string& part) {
    expect_error(ErrorCode::input, {"--group-file: line 2: ", part}, [&] {
      options.attach("group-file", {"a", line});
    });
  };
  refused("b\nc", "0x0a at byte 2");
  refused("b\r", "0x0d at byte 2");
  refused(std::string(1, '\0'), "0x00");
  refused("\xC2\x85", "0x85");
  refused("ab\xFF", "byte 3 of the line is not UTF-8");
  expect_error(ErrorCode::input, {"--group-file: line 1: ", "byte order mark"},
               [&] { options.attach("group-file", {"\xEF\xBB\xBFx"}); });
  EXPECT_EQ(options.lines("group-file").size(), 3u);
}

Matrix counted(Index rows, Index cols) {
  Matrix matrix(rows, cols);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<double>(i);
  return matrix;
}

TEST(Options, AMatrixIsAWordOrAFile) {
  Options options = sample_options();
  EXPECT_EQ(options.record("begin").range_text(), "random, ones, or the file of a matrix");
  EXPECT_EQ(options.text("begin"), "random");
  options.set("begin", "ones");
  EXPECT_TRUE(options.matrix("begin") == nullptr && !options.is_file("begin"));
  EXPECT_FALSE(options.is_attached("begin"));
  EXPECT_EQ(options.identity("begin"), "ones");
  options.set("begin", "./ones");
  EXPECT_TRUE(options.given("begin") && options.is_file("begin"));
  EXPECT_FALSE(options.is_attached("begin"));
  EXPECT_EQ(options.canonical("begin"), "./ones");
  expect_error(ErrorCode::internal, {"--begin", "./ones", "never attached"},
               [&] { static_cast<void>(options.matrix("begin")); });
  expect_error(ErrorCode::usage, {"--begin"}, [&] { static_cast<void>(options.text("begin")); });
  options.attach_matrix("begin", counted(2, 3));
  ASSERT_NE(options.matrix("begin"), nullptr);
  EXPECT_EQ((*options.matrix("begin"))(1, 2), 5.0);
  EXPECT_EQ(options.path("begin"), "./ones");
  const Options copy = options;
  options.set("begin", "random");
  EXPECT_EQ(options.matrix("begin"), nullptr);
  EXPECT_NE(copy.matrix("begin"), nullptr);
}

TEST(Options, MatricesFromMemoryHaveNoPathAndAreTheSameByContentAlone) {
  const auto with = [](const std::string& path, Matrix matrix) {
    Options options = sample_options();
    if (!path.empty()) options.set("begin", path);
    options.attach_matrix("begin", std::move(matrix));
    return options;
  };
  EXPECT_EQ(with("", counted(2, 3)).canonical("begin"), "<2 x 3>");
  EXPECT_EQ(with("", counted(2, 3)).path("begin"), "");
  const std::string expected = with("a.npy", counted(2, 3)).identity("begin");
  EXPECT_EQ(with("b.csv", counted(2, 3)).identity("begin"), expected);
  EXPECT_EQ(with("", counted(2, 3)).identity("begin"), expected);
  EXPECT_NE(with("a.npy", counted(3, 2)).identity("begin"), expected);
  EXPECT_NE(with("a.npy", counted(6, 1)).identity("begin"), expected);
  Matrix other = counted(2, 3);
  other(0, 1) += 1e-9;
  EXPECT_NE(with("a.npy", other).identity("begin"), expected);
}

TEST(Options, MatricesAreNumbersAndBelongToTheirOption) {
  Options options = sample_options();
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Matrix bad = counted(2, 2);
    bad(1, 0) = value;
    expect_error(ErrorCode::input, {"--begin", "finite"},
                 [&] { options.attach_matrix("begin", bad); });
  }
  for (const Matrix& empty : {Matrix(), Matrix(0, 3), Matrix(3, 0)}) {
    expect_error(ErrorCode::input, {"--begin", "empty"},
                 [&] { options.attach_matrix("begin", empty); });
  }
  EXPECT_EQ(options.text("begin"), "random");
  expect_error(ErrorCode::usage, {"--group-file: takes a text file, not a matrix"},
               [&] { options.attach_matrix("group-file", counted(1, 1)); });
  expect_error(ErrorCode::usage, {"--begin: takes random, ones, or the file of a matrix, not the"},
               [&] { options.attach("begin", {"1"}); });
  expect_error(ErrorCode::usage, {"--begin", "''"}, [&] { options.set("begin", ""); });
}

TEST(Options, LinesAreTheSameByContentAlone) {
  const auto identity = [](const std::string& path, const std::vector<std::string>& lines) {
    Options options = sample_options();
    if (!path.empty()) options.set("group-file", path);
    options.attach("group-file", lines);
    return options.identity("group-file");
  };
  EXPECT_EQ(identity("here", {"a", "b"}), identity("there", {"a", "b"}));
  EXPECT_EQ(identity("here", {"a", "b"}), identity("", {"a", "b"}));
  const std::vector<std::vector<std::string>> different{
      {}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"b", "a"}, {"a", "b", ""}, {"", "ab"}, {"ab", ""}};
  for (std::size_t i = 0; i < different.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_NE(identity("here", different[i]), identity("here", different[k])) << i << " " << k;
  }
  EXPECT_EQ(sample_options().identity("clusters"), "3");
}

TEST(Options, TheCanonicalFormReadsBackAsItself) {
  Rng rng = Rng::named(1, "options");
  const auto number = [&] {
    return to_text(std::abs(rng.normal()) * std::exp2(100 * rng.uniform() - 50));
  };
  for (int trial = 0; trial < 2000; ++trial) {
    Options options = sample_options();
    options.set("be-quiet", trial % 2 == 0 ? "1" : "false");
    options.set("clusters", "+0" + to_text(1 + rng.below(100)));
    options.set("any-number", to_text(static_cast<Index>(rng.bits())));
    options.set("step", "+" + number());
    options.set("start", trial % 2 == 0 ? "svd" : "random");
    options.set("groups", "a " + number());
    options.set("row-sparsity", number() + "," + number() + "%,max,-0,-0%,00" + number());
    Options again = sample_options();
    for (const OptionRecord& record : options.records()) {
      if (!options.given(record.name)) continue;
      const std::string text = options.canonical(record.name);
      again.set(record.name, text);
      ASSERT_EQ(again.canonical(record.name), text);
    }
    ASSERT_EQ(again.flag("be-quiet"), options.flag("be-quiet"));
    ASSERT_EQ(again.integer("any-number"), options.integer("any-number"));
    ASSERT_EQ(again.integer("clusters"), options.integer("clusters"));
    ASSERT_EQ(again.real("step"), options.real("step"));
    for (std::size_t k = 0; k < 6; ++k) {
      const PenaltyValue &a = again.penalties("row-sparsity")[k],
                         &b = options.penalties("row-sparsity")[k];
      ASSERT_TRUE(a.kind == b.kind && a.number == b.number && a.word == b.word);
    }
  }
}

TEST(Options, ABadDefaultIsNoticedAtOnce) {
  expect_error(ErrorCode::usage, {"--n"}, [] {
    Options({{.name = "n", .type = OptionType::integer, .initial = "0", .min = 1}});
  });
}

TEST(CommonOptions, CanBeReplacedByAMethodsOwn) {
  MethodInfo info;
  info.options = {{.name = "restarts", .type = OptionType::integer, .initial = "8", .min = 1},
                  {.name = "clusters", .type = OptionType::integer, .initial = "2", .min = 1}};
  const Options options = info.make_options();
  EXPECT_EQ(options.integer("restarts"), 8);
  EXPECT_EQ(options.integer("clusters"), 2);
  EXPECT_EQ(options.integer("max-iterations"), 500);
  EXPECT_EQ(options.real("tolerance"), 1e-6);
  EXPECT_FALSE(options.given("time-limit"));
  EXPECT_EQ(options.records().size(), common_options().size() + 1);
  Options precise = options;
  expect_error(ErrorCode::usage, {"--precision", "one of double"},
               [&] { precise.set("precision", "float"); });
  info.traits.accepts_float = true;
  precise = info.make_options();
  precise.set("precision", "float");
  EXPECT_EQ(precise.text("precision"), "float");
  for (const char* name : {"max-iterations", "threads", "time-limit"}) {
    EXPECT_TRUE(options.record(name).may_differ_on_resume) << name;
  }
  for (const char* name : {"seed", "tolerance", "restarts", "precision"}) {
    EXPECT_FALSE(options.record(name).may_differ_on_resume) << name;
  }
}

}  // namespace
}  // namespace gingham
