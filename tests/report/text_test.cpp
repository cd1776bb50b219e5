#include "report/text.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "gingham/base/text.hpp"

namespace gingham::report {
namespace {

TEST(Escape, TurnsMarksIntoEntities) {
  EXPECT_EQ(escape("<b a=\"1\" c='2'>&amp;</b>"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;");
}

TEST(Escape, DropsWhatCannotBeSeen) {
  using namespace std::string_literals;
  EXPECT_EQ(escape("a\0b\x1b[31m\r\n\t\x7f"s), "ab[31m");
  EXPECT_EQ(escape("c\u0085\u202Ed\u2066e\u2069\u200Ff\u2028g\uFEFF\U000E0041h"), "cdefgh");
  for (char32_t code :
       {0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069, 0x200E, 0x200F}) {
    const std::string mark{static_cast<char>(0xE0 | (code >> 12)),
                           static_cast<char>(0x80 | ((code >> 6) & 63)),
                           static_cast<char>(0x80 | (code & 63))};
    EXPECT_EQ(escape("x" + mark + "y"), "xy");
  }
}

TEST(Escape, KeepsOtherScripts) {
  for (const char* text : {"Zürich", "数据", "עברית", "🧵", "e\u0301", "क\u094D\u200Dष"})
    EXPECT_EQ(escape(text), text);
}

TEST(Escape, GivesValidTextForAnyBytes) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      for (const char* tail : {"", "<", "\x80", "\xBF\xBF"}) {
        const std::string text = std::string{static_cast<char>(a), static_cast<char>(b)} + tail;
        const std::string safe = escape(text);
        ASSERT_FALSE(invalid_utf8(safe)) << a << " " << b;
        ASSERT_EQ(safe.find_first_of("<>\"'"), std::string::npos) << a << " " << b;
      }
    }
  }
}

TEST(Escape, CutsByCharacters) {
  EXPECT_EQ(escape("ääää", 3), "äää…");
  EXPECT_EQ(escape("ääää", 4), "ääää");
  EXPECT_EQ(escape("&&&&", 2), "&amp;&amp;…");
  EXPECT_EQ(escape("ab\n\n\n", 2), "ab");
}

TEST(Number, HasAWordForWhatIsNotFinite) {
  EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN()), "not a number");
  EXPECT_EQ(number(-std::numeric_limits<double>::infinity()), "minus infinite");
  EXPECT_EQ(number(-0.0), "0");
  EXPECT_EQ(number(0.1 + 0.2, 3), "0.3");
}

TEST(Count, GroupsThousands) {
  EXPECT_EQ(count(0), "0");
  EXPECT_EQ(count(999), "999");
  EXPECT_EQ(count(-1000), "-1\u202F000");
  EXPECT_EQ(count(1234567), "1\u202F234\u202F567");
}

}  // namespace
}  // namespace gingham::report
