#include "annotate/bags.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "gingham/base/error.hpp"
#include "io/temporary_folder.hpp"

namespace gingham::annotate {
namespace {

using Strings = std::vector<std::string>;

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Bags, TermsAreSplitAndComeOnce) {
  EXPECT_EQ(split_terms("a,b|c"), (Strings{"a", "b", "c"}));
  EXPECT_EQ(split_terms(" gut loop , b ,, |a|b"), (Strings{"gut loop", "b", "a"}));
  EXPECT_TRUE(split_terms("").empty());
  EXPECT_TRUE(split_terms(" | , ").empty());
}

TEST(Bags, ATableGivesImagesBagsAndTheUnionOfTheirTerms) {
  const TemporaryFolder folder;
  const std::string table = folder.write(
      "bags.tsv",
      "bag\timage\tnote\tterms\nb\tx/1.png\t\tred|blue\na\t2.png\tyes\t\nb\t3.png\t\tgreen,red\n");
  const BaggedImages found = bag_images({}, table);
  ASSERT_EQ(found.images.size(), 3u);
  EXPECT_EQ(found.images[0].path, folder / "x/1.png");
  EXPECT_EQ(found.images[0].shown, "x/1.png");
  EXPECT_EQ(found.images[2].bag, 0);
  ASSERT_EQ(found.bags.size(), 2u);
  EXPECT_EQ(found.bags[0].name, "b");
  EXPECT_EQ(found.bags[0].terms, (Strings{"red", "blue", "green"}));
  EXPECT_TRUE(found.bags[1].terms.empty());
}

TEST(Bags, TypedImagesAreLookedUp) {
  const TemporaryFolder folder;
  const std::string table =
      folder.write("bags.tsv", "image\tbag\tterms\n1.png\ta\tx\n2.png\tb\ty\n3.png\tb\tz\n");
  const BaggedImages found = bag_images({folder / "sub/../3.png"}, table);
  ASSERT_EQ(found.images.size(), 1u);
  ASSERT_EQ(found.bags.size(), 1u);
  EXPECT_EQ(found.bags[0].name, "b");
  EXPECT_EQ(found.bags[0].terms, (Strings{"y", "z"}));
  EXPECT_NE(refusal([&] { bag_images({folder / "4.png"}, table); }).find("is not in the table"),
            std::string::npos);
}

TEST(Bags, WithoutATableEachImageIsABag) {
  const BaggedImages found = bag_images({"p/1.png", "2.png"}, "");
  ASSERT_EQ(found.bags.size(), 2u);
  EXPECT_EQ(found.bags[0].name, "p/1.png");
  EXPECT_TRUE(found.bags[0].terms.empty());
  EXPECT_NE(refusal([] { bag_images({}, ""); }).find("no images"), std::string::npos);
}

TEST(Bags, BadTablesAreRefusedWithTheLine) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text) {
    const std::string path = folder.write("t.tsv", text);
    return refusal([&] { bag_images({}, path); });
  };
  EXPECT_NE(refused("").find("t.tsv"), std::string::npos);
  EXPECT_NE(refused("image\tbag\n").find("no images"), std::string::npos);
  EXPECT_NE(refused("picture\tbag\na\tb\n").find("t.tsv:1: has no column 'image'"),
            std::string::npos);
  EXPECT_NE(refused("image\nx.png\n").find("no column 'bag'"), std::string::npos);
  EXPECT_NE(refused("image\tbag\na\tb\n\tc\n").find("t.tsv:3"), std::string::npos);
  EXPECT_NE(refused("image\tbag\na\tb\na\tc\n").find("t.tsv:3: 'a' is in the table twice"),
            std::string::npos);
  EXPECT_NE(refused("image\tbag\na\tb\tc\n").find("3 fields"), std::string::npos);
  EXPECT_NE(refused("image\tbag\na\t\xFF\n").find("UTF-8"), std::string::npos);
  EXPECT_NE(refusal([&] { bag_images({}, folder / "none.tsv"); }).find("none.tsv"),
            std::string::npos);
}

}  // namespace
}  // namespace gingham::annotate
