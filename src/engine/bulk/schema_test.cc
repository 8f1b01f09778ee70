#include "engine/bulk/schema.h"

#include <gtest/gtest.h>

#include "engine/bulk/rows.h"
#include "engine/paths/load_rules.h"

namespace airlock {
namespace {

std::string rows_of(std::initializer_list<std::string_view> data) {
  std::string rows;
  for (const std::string_view one : data) append_row(rows, "/a", one);
  return rows;
}

// "name:type?" for each, in their order; ? is nullable.
std::string shown(const Schema& found) {
  std::string text;
  for (const Column& one : found.columns)
    text += (text.empty() ? "" : " ") + one.name + ":" + std::string(name_of(one.type)) +
            (one.nullable ? "?" : "");
  return text;
}

std::string schema_of_text(const std::string& rules) {
  const auto loaded = load_rules_text(rules);
  EXPECT_TRUE(loaded.rules) << loaded.rules.error().front().message;
  return shown(schema_of_rules(loaded.rules->rules));
}

TEST(Schema, EachFieldHasTheTypeOfItsValuesInOrderOfAppearance) {
  EXPECT_EQ(shown(schema_of_rows(rows_of(
                {R"({"year":2024,"name":"a.csv","share":0.5,"is_new":true,"parts":[1,2]})"}))),
            "year:integer name:text share:number is_new:boolean parts:json");
}

TEST(Schema, AColumnWidensToWhatHoldsAllItsValues) {
  EXPECT_EQ(shown(schema_of_rows(rows_of({R"({"a":1,"b":1,"c":"x","d":true})",
                                          R"({"a":2.5,"b":"one","c":{"y":1},"d":0})"}))),
            "a:number b:json c:json d:json");
}

TEST(Schema, NullAndAbsenceMakeAColumnNullableAndSayNothingOfItsType) {
  EXPECT_EQ(shown(schema_of_rows(rows_of(
                {R"({"a":null,"b":1,"c":null})", R"({"a":7,"c":null})", R"({"a":8,"b":2})"}))),
            "a:integer? b:integer? c:text?");
}

TEST(Schema, IntegersOfMoreThan64BitsAreNotRounded) {
  EXPECT_EQ(shown(schema_of_rows(
                rows_of({R"({"most":9223372036854775807,"more":1})",
                         R"({"most":-9223372036854775808,"more":9223372036854775808})"}))),
            "most:integer more:json");
}

TEST(Schema, FailedRowsAndDamagedLinesHaveNoFields) {
  std::string rows = rows_of({R"({"a":1})"});
  append_failed_row(rows, "/b", "ValueError", "no");
  EXPECT_EQ(shown(schema_of_rows(rows + "{\"path\n\n")), "a:integer");
  EXPECT_EQ(shown(schema_of_rows("")), "");
}

TEST(Schema, AFieldThatIsCalledLikeAColumnOfTheTableGetsAnotherName) {
  const auto found = schema_of_rows(rows_of({R"({"path":1,"ok":2,"field_path":3,"tags":4})"}));
  EXPECT_EQ(shown(found),
            "field_field_path:integer field_ok:integer field_path:integer tags:integer");
  EXPECT_EQ(found.columns[0].field, "path");
}

TEST(Schema, ExtractorsThatUseValuesAsNamesAreBounded) {
  std::string rows;
  for (int i = 0; i < 1500; ++i) append_row(rows, "/a", R"({"key)" + std::to_string(i) + R"(":1})");
  const auto found = schema_of_rows(rows);
  EXPECT_EQ(found.columns.size(), Schema::kMost);
  EXPECT_EQ(found.left_out, 500U);
  EXPECT_EQ(found.columns[999].name, "key999");
}

TEST(Schema, RulesSayTheTypesOfTheirFields) {
  EXPECT_EQ(schema_of_text("version: 1\n"
                           "rules:\n"
                           "  - name: reports\n"
                           "    extract:\n"
                           "      client: { from: segment(-3) }\n"
                           "      year: { from: segment(-2), type: integer }\n"
                           "      day: { from: filename, type: date, optional: true }\n"),
            "client:text year:integer day:date?");
}

TEST(Schema, OfSeveralRulesAFieldHoldsWhatAnyOfThemGives) {
  EXPECT_EQ(schema_of_text("version: 1\n"
                           "rules:\n"
                           "  - name: a\n"
                           "    extract:\n"
                           "      n: { from: segment(0), type: integer }\n"
                           "      when: { from: segment(1), type: date }\n"
                           "    tag: old\n"
                           "  - name: b\n"
                           "    extract:\n"
                           "      n: { from: segment(0), type: float }\n"
                           "      when: { from: segment(1), type: datetime }\n"
                           "      who: { from: segment(2), type: uuid }\n"),
            "n:number when:text who:text? tags:json?");
}

}  // namespace
}  // namespace airlock
