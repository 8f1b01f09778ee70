#include "admit/cell_door.h"

#include <gtest/gtest.h>

namespace airlock {
namespace {

constexpr RunLimits kDoorLimits{.timeout_ms = 1000,
                                .memory_bytes = 1000 * 1000,
                                .result_bytes = 64,
                                .output_bytes = 16,
                                .result_depth = 4};

GuestOutcome success(std::string value) {
  GuestOutcome said;
  said.success = true;
  said.value = std::move(value);
  return said;
}

CellAnswer judge(GuestOutcome said, Wanted wanted = Wanted::kObject) {
  return CellDoor(kDoorLimits).judge(std::move(said), wanted);
}

bool is_no_result(const CellAnswer& answer) {
  return !answer.success && answer.value.empty() && answer.failure.type == "CrashError" &&
         answer.failure.message == "What the process sent is not a result";
}

TEST(CellDoor, AnObjectPasses) {
  const CellAnswer answer = judge(success(R"({"a": 1})"));
  EXPECT_TRUE(answer.success);
  EXPECT_EQ(answer.value, R"({"a": 1})");
  EXPECT_EQ(answer.failure.type, "");
}

TEST(CellDoor, WhatIsNoObjectIsNoResult) {
  for (const char* value : {"", "[]", "1", "{", "{} {}", R"({"a": NaN})", R"({"a": 1, "a": 2})",
                            "{\"a\":\n1}", "{\"a\": \"\xFF\"}"})
    EXPECT_TRUE(is_no_result(judge(success(value)))) << value;
}

TEST(CellDoor, ADocumentIsReadByTheNextDoor) {
  EXPECT_TRUE(judge(success("anything"), Wanted::kDocument).success);
}

TEST(CellDoor, LoadingHasNoValue) {
  EXPECT_TRUE(judge(success(""), Wanted::kNothing).success);
  EXPECT_TRUE(is_no_result(judge(success("{}"), Wanted::kNothing)));
}

TEST(CellDoor, WhatIsPastALimitIsNoResult) {
  EXPECT_TRUE(is_no_result(judge(success("{\"a\": \"" + std::string(64, 'x') + "\"}"))));
  GuestOutcome loud = success("{}");
  loud.output = std::string(17, 'x');
  EXPECT_TRUE(is_no_result(judge(loud)));
  EXPECT_EQ(judge(loud).output, "") << "nothing of it is repeated";
  GuestOutcome long_error;
  long_error.error = std::string(16 * 1024 + 1, 'x');
  EXPECT_TRUE(is_no_result(judge(long_error)));
  GuestOutcome long_name;
  long_name.error_type = std::string(257, 'x');
  EXPECT_TRUE(is_no_result(judge(long_name)));
}

TEST(CellDoor, NothingIsDeeperThanACellWrites) {
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_TRUE(judge(success(nested(9))).success);
  EXPECT_TRUE(is_no_result(judge(success(nested(10)))));
}

TEST(CellDoor, ASuccessWithAnErrorIsNone) {
  GuestOutcome said = success("{}");
  said.error = "but";
  EXPECT_TRUE(is_no_result(judge(said)));
}

TEST(CellDoor, AFailureWithAValueIsNoResult) {
  GuestOutcome said;
  said.value = "{}";
  said.error_type = "ValueError";
  EXPECT_TRUE(is_no_result(judge(said)));
}

TEST(CellDoor, AnErrorIsTheGuestsOwn) {
  GuestOutcome said;
  said.error_type = "ValueError";
  said.error = "no";
  said.error_line = 3;
  const CellAnswer answer = judge(said);
  EXPECT_FALSE(answer.success);
  EXPECT_EQ(answer.failure.type, "ValueError");
  EXPECT_EQ(answer.failure.message, "no");
  EXPECT_EQ(answer.line, 3u);
  EXPECT_FALSE(answer.ending);
}

TEST(CellDoor, OneDenialIsAFailureWhateverElseWasSaid) {
  GuestOutcome said = success("{}");
  said.denials = {{.call = 257, .line = 4}};
  const CellAnswer answer = judge(said);
  EXPECT_FALSE(answer.success);
  EXPECT_EQ(answer.value, "");
  EXPECT_EQ(answer.line, 4u);
  EXPECT_EQ(answer.denials, said.denials);
  EXPECT_FALSE(RawOutcome(said).claims_success());
}

TEST(CellDoor, ACellThatIsGoneHasAnsweredNothing) {
  const FinalNotes notes{
      .denials = {{.call = 41, .line = 7}}, .line = 9, .output = "out", .error_output = "err"};
  RawOutcome said = std::unexpected(Crashed{.signal = 11, .notes = notes});
  EXPECT_FALSE(said.claims_success());
  EXPECT_FALSE(said.timed_out());
  EXPECT_EQ(said.denials(), notes.denials);
  const CellAnswer answer = CellDoor(kDoorLimits).judge(std::move(said), Wanted::kObject);
  EXPECT_FALSE(answer.success);
  ASSERT_TRUE(answer.ending);
  EXPECT_TRUE(std::holds_alternative<Crashed>(*answer.ending));
  EXPECT_EQ(answer.line, 7u) << "the line that was denied, before the one that was at work";
  EXPECT_EQ(answer.output, "out");
  EXPECT_TRUE(RawOutcome(std::unexpected(TimedOut{})).timed_out());
}

TEST(CellDoor, RowsAreJudgedLikeAnswers) {
  CellDoor door(kDoorLimits);
  const auto judge_row = [&](bool claims, std::string_view value, std::span<const Denial> denials) {
    return door.judge(RawRow(claims, value, "KeyError", "'a'", denials));
  };
  EXPECT_TRUE(judge_row(true, "{}", {}).success);
  EXPECT_EQ(judge_row(true, "{}", {}).value, "{}");
  EXPECT_EQ(judge_row(true, "[]", {}).error_type, "CrashError");
  EXPECT_EQ(judge_row(true, "[]", {}).value, "");
  EXPECT_EQ(judge_row(false, "{}", {}).error_type, "KeyError");
  EXPECT_EQ(judge_row(false, "{}", {}).value, "");
  const std::vector<Denial> denials{{.call = 2, .line = 1}};
  EXPECT_FALSE(judge_row(true, "{}", denials).success);
  EXPECT_EQ(judge_row(true, "{}", denials).value, "");
}

}  // namespace
}  // namespace airlock
