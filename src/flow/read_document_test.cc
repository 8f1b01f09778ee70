#include "flow/read_document.h"

#include <gtest/gtest.h>

#include <cmath>

#include "flow/value_text.h"

namespace airlock::flow {
namespace {

std::string why(const Result<Json>& read) {
  return read ? "read: " + read->dump() : read.error().message;
}

TEST(ReadJson, AMistakeHasItsPlace) {
  EXPECT_EQ(why(read_json("{\n  \"a\": ,\n}")).substr(0, 30), "not JSON at line 2, column 8: ");
  EXPECT_NE(why(read_json("1e999")).find("too large"), std::string::npos);
}

TEST(ReadJson, DepthIsLimitedBeforeAnythingIsBuilt) {
  const std::string deep = std::string(300, '[') + std::string(300, ']');
  EXPECT_NE(why(read_json(deep)).find("nested deeper"), std::string::npos);
  EXPECT_TRUE(read_json("\"" + std::string(300, '[') + "\""));
}

TEST(ReadJson, NumbersThatAreNotFiniteAreKeptForWhoeverTakesThem) {
  const auto read = read_json(R"({"a": NaN, "b": [-Infinity, Infinity], "c": "NaN"})");
  ASSERT_TRUE(read) << why(read);
  EXPECT_TRUE(std::isnan((*read)["a"].get<double>()));
  EXPECT_EQ((*read)["b"][0].get<double>(), -INFINITY);
  EXPECT_EQ((*read)["c"], "NaN");
}

TEST(ReadJson, NothingStandsBehindANulByteUnread) {
  const std::string text = std::string("{\"a\": 1}") + '\0' + "{";
  EXPECT_EQ(why(read_json(text)), "a NUL byte at line 1, column 9: nothing after it would be read");
  EXPECT_NE(why(read_yaml(std::string("a: 1\n") + '\0' + "b: 2")).find("control character"),
            std::string::npos);
  EXPECT_NE(why(read_yaml("a: 1\n\x04\nb: 2")).find("control character"), std::string::npos);
}

TEST(ReadJson, AKeyStandsOnce) {
  EXPECT_EQ(why(read_json(R"({"a": {"b": 1, "b": 2}})")), "the key 'b' is there twice");
  EXPECT_EQ(why(read_json(R"({"n": NaN, "b": 1, "\u0062": 2})")), "the key 'b' is there twice");
  EXPECT_TRUE(read_json(R"([{"b": 1}, {"b": {"b": 2}}])"));
}

TEST(ReadJson, AByteOrderMarkIsNoMistake) {
  EXPECT_TRUE(read_json("\xEF\xBB\xBF{}"));
}

TEST(ReadYaml, ScalarsAreReadAsYaml12Says) {
  const auto read = read_yaml(
      "a: 1\nb: 1.5\nc: yes\nd: true\ne: ~\nf: '5'\ng: 0x1F\nh: .nan\ni: -.inf\nj: 2024-01-02\n"
      "k: 1_000\nl: |\n  two\n  lines\nm: \nn: 007\no: -3\np: 1e3\nq: .\nr: "
      "99999999999999999999\n");
  ASSERT_TRUE(read) << why(read);
  const Json& value = *read;
  EXPECT_EQ(value["a"], 1);
  EXPECT_EQ(value["b"], 1.5);
  EXPECT_EQ(value["c"], "yes");
  EXPECT_EQ(value["d"], true);
  EXPECT_TRUE(value["e"].is_null());
  EXPECT_EQ(value["f"], "5");
  EXPECT_EQ(value["g"], 31);
  EXPECT_TRUE(std::isnan(value["h"].get<double>()));
  EXPECT_EQ(value["i"].get<double>(), -INFINITY);
  EXPECT_EQ(value["j"], "2024-01-02");
  EXPECT_EQ(value["k"], "1_000");
  EXPECT_EQ(value["l"], "two\nlines\n");
  EXPECT_TRUE(value["m"].is_null());
  EXPECT_EQ(value["o"], -3);
  EXPECT_EQ(value["p"], 1000.0);
  EXPECT_EQ(value["q"], ".");
  EXPECT_TRUE(as_long_integer(value["r"]));
}

TEST(ReadYaml, WhatIsRefused) {
  EXPECT_NE(why(read_yaml("a: !!python/object x")).find("tag"), std::string::npos);
  EXPECT_NE(why(read_yaml("a: 1\na: 2")).find("is there twice"), std::string::npos);
  EXPECT_NE(why(read_yaml("[1]: 2")).find("is no text"), std::string::npos);
  EXPECT_NE(why(read_yaml("--- 1\n--- 2")).find("more than one document"), std::string::npos);
  EXPECT_NE(why(read_yaml("")).find("empty"), std::string::npos);
  EXPECT_NE(why(read_yaml("a: [")).find("not YAML at line"), std::string::npos);
  EXPECT_NE(why(read_yaml("a: *nowhere")).find("not YAML"), std::string::npos);
  for (const char* large : {"a: 1e999", "a: -1e999", "a: 0xFFFFFFFFFFFFFFFFFF"})
    EXPECT_NE(why(read_yaml(large)).find("is too large"), std::string::npos) << large;
  const auto small = read_yaml("[1e-999, 0x, 1e, -]");
  ASSERT_TRUE(small) << why(small);
  EXPECT_EQ(small->dump(), R"([0.0,"0x","1e","-"])");
}

TEST(ReadYaml, AliasesMayNotExplode) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 8; ++j) bomb += (j > 0 ? ", " : "") + before;
    bomb += "]\n";
  }
  EXPECT_NE(why(read_yaml(bomb)).find("aliases"), std::string::npos);
  EXPECT_FALSE(read_yaml(std::string(100000, '[')));
}

}  // namespace
}  // namespace airlock::flow
