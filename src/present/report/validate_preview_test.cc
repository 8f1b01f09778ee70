#include "present/report/validate_preview.h"

#include <gtest/gtest.h>

#include "base/printable.h"

namespace airlock::cli {
namespace {

TEST(Preview, NamesLoseTheirQuotesWhereTheyNeedNone) {
  EXPECT_EQ(preview(R"({"client_id":"ABC","year":2024,"a b":[1,null]})", 100),
            R"({client_id: "ABC", year: 2024, "a b": [1, null]})");
}

TEST(Preview, KeepsEveryDigit) {
  EXPECT_EQ(preview(R"({"n":123456789012345678901234567890})", 100),
            "{n: 123456789012345678901234567890}");
}

TEST(Preview, FitsAndSaysThatItWasCut) {
  const std::string shown = preview(R"({"a":")" + std::string(5000, 'x') + R"(","b":1})", 100);
  EXPECT_LE(columns_of(shown), 100U);
  EXPECT_NE(shown.find("…"), std::string::npos);
  EXPECT_NE(shown.find("b: 1"), std::string::npos) << "a long string leaves room for the rest";
}

TEST(Preview, WideCharactersCountTwice) {
  EXPECT_LE(columns_of(fitted("\u6771\u4eac\u6771\u4eac\u6771\u4eac", 7)), 7U);
}

TEST(Preview, NothingIsObeyed) {
  const std::string shown = preview("{\"a\x1b[31m\":\"\xe2\x80\xae\"}", 100);
  EXPECT_EQ(shown.find('\x1b'), std::string::npos);
  EXPECT_NE(shown.find("<U+202E>"), std::string::npos);
}

}  // namespace
}  // namespace airlock::cli
