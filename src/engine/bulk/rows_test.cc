#include "engine/bulk/rows.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/bulk/row_parts.h"

namespace airlock {
namespace {

std::string_view line_of(const std::string& row) {
  return std::string_view(row).substr(0, row.size() - 1);
}

TEST(Rows, ARowIsTheContractsLine) {
  std::string out;
  append_row(out, "/a \"b\"", R"({"n":1})");
  append_failed_row(out, "/c", "ValueError", "no\nway");
  EXPECT_EQ(out,
            "{\"path\": \"/a \\\"b\\\"\", \"ok\": true, \"data\": {\"n\":1}}\n"
            "{\"path\": \"/c\", \"ok\": false, \"error\": {\"type\": \"ValueError\", \"message\": "
            "\"no\\nway\"}}\n");
}

TEST(Rows, NothingThatTurnsTextRoundStandsInARow) {
  std::string out;
  append_failed_row(out, "\u061C\u200E\u200F", "\u2028\u2029", "\u202A\u202E\u2066\u2069");
  EXPECT_EQ(out, R"({"path": "\u061c\u200e\u200f", "ok": false, "error": {"type": "\u2028\u2029", )"
                 R"("message": "\u202a\u202e\u2066\u2069"}})"
                 "\n");
}

TEST(Rows, DataIsSpeltOutWhereATerminalWouldObeyIt) {
  std::string out;
  append_row(out, "/a", "{\"\u009B2J\":\"\u0080\u009F\x7F\u202E\u2067\u061C!\"}");
  EXPECT_EQ(out, R"({"path": "/a", "ok": true, "data": {"\u009b2J":"\u0080\u009f\u007f\u202e\u2067)"
                 R"(\u061c!"}})"
                 "\n");
}

TEST(Rows, OtherCharactersOfTheDataStayAsTheyAre) {
  const std::string data = "{\"\u00E9\":\"\u0627\u2014\u2027\u4E2D\U0001F600\"}";
  std::string out;
  append_row(out, "/a", data);
  EXPECT_EQ(out, R"({"path": "/a", "ok": true, "data": )" + data + "}\n");
}

TEST(Rows, EveryPathComesBackByteForByte) {
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    std::string path;
    for (auto n = random() % 12; n > 0; --n) path += static_cast<char>(random() % 256);
    std::string row;
    append_row(row, path, R"({"a":"b"})");
    const auto parts = take_apart(line_of(row));
    ASSERT_TRUE(parts);
    ASSERT_EQ(parts->path, path);
    ASSERT_EQ(parts->data, R"({"a":"b"})");
  }
}

TEST(RowParts, AFailedRowIsTakenApart) {
  std::string row;
  append_failed_row(row, "/p", "KeyError", "'a', \"b\"");
  const auto parts = take_apart(line_of(row));
  ASSERT_TRUE(parts);
  EXPECT_FALSE(parts->ok);
  EXPECT_EQ(parts->error_type, "KeyError");
  EXPECT_EQ(parts->error_message, "'a', \"b\"");
}

TEST(RowParts, WhatIsNoRowIsNotTakenApart) {
  for (const char* line : {"", "{}", R"({"path": "a")", R"({"path": "a", "ok": true, "data": 1})",
                           R"({"path": "a", "ok": false, "error": {"type": "x"}})"}) {
    EXPECT_FALSE(take_apart(line)) << line;
  }
}

TEST(RowParts, MembersComeInOrderWithTheirDigits) {
  std::string seen;
  each_member(R"({"a":"x,}\"","b":[1,{"c":2}], "d" : 123456789012345678901234567890,"e":null})",
              [&](const std::string& key, std::string_view value) {
                seen += key + "=" + std::string(value) + ";";
              });
  EXPECT_EQ(seen, R"(a="x,}\"";b=[1,{"c":2}];d=123456789012345678901234567890;e=null;)");
}

TEST(RowParts, EscapesAreUndone) {
  EXPECT_EQ(unquote(R"("a\n\u00e9\ud83d\ude00\\\"\/")"), "a\n\xC3\xA9\xF0\x9F\x98\x80\\\"/");
}

}  // namespace
}  // namespace airlock
