// The one place where a cell's word becomes an answer: each limit exactly met and passed by one,
// what was asked for against what was said, denials before everything, and every way to be gone.
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
  const CellAnswer answer = judge(success("anything"), Wanted::kDocument);
  EXPECT_TRUE(answer.success);
  EXPECT_TRUE(answer.document == RawDocument("anything"));
  EXPECT_EQ(answer.value, "") << "nobody may take it for an object";
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

// Each limit met exactly is a result; one byte more is none, and nothing of it is repeated.
TEST(CellDoor, LimitsAreExact) {
  struct Limit {
    const char* name;
    std::string GuestOutcome::* field;
    std::size_t most;
    bool is_of_failure;
  };
  for (const Limit& one :
       {Limit{"output", &GuestOutcome::output, 16, false},
        Limit{"error output", &GuestOutcome::error_output, 16, false},
        Limit{"output of a failure", &GuestOutcome::output, 16, true},
        Limit{"error", &GuestOutcome::error, 16 * 1024, true},
        Limit{"error type", &GuestOutcome::error_type, 256, true},
        Limit{"error type of a success", &GuestOutcome::error_type, 256, false}}) {
    for (const std::size_t more : {std::size_t{0}, std::size_t{1}}) {
      GuestOutcome said = one.is_of_failure ? GuestOutcome{} : success("{}");
      said.*one.field = std::string(one.most + more, 'x');
      const CellAnswer answer = judge(said);
      EXPECT_EQ(is_no_result(answer), more == 1) << one.name;
      if (more == 0) continue;
      EXPECT_EQ(answer.output + answer.error_output, "") << one.name;
      EXPECT_EQ(answer.failure.message.find('x'), std::string::npos) << one.name;
    }
  }
}

TEST(CellDoor, AResultIsAsLongAsItsLimit) {
  const auto of_size = [](std::size_t size) {
    return "{\"a\":\"" + std::string(size - 8, 'x') + "\"}";
  };
  ASSERT_EQ(of_size(64).size(), 64U);
  EXPECT_TRUE(judge(success(of_size(64))).success);
  EXPECT_TRUE(is_no_result(judge(success(of_size(65)))));
  EXPECT_TRUE(judge(success(std::string(64, 'x')), Wanted::kDocument).success);
  EXPECT_TRUE(is_no_result(judge(success(std::string(65, 'x')), Wanted::kDocument)));
}

TEST(CellDoor, WhatWasAskedForDecidesWhatAnAnswerIs) {
  struct Said {
    bool success;
    const char* value;
    bool object, document, nothing;  // whether it is an answer to each
  };
  for (const Said& one :
       {Said{true, "{}", true, true, false}, Said{true, "", false, true, true},
        Said{true, "[]", false, true, false}, Said{true, "{}{}", false, true, false},
        Said{false, "", true, true, true}, Said{false, "{}", false, false, false},
        Said{false, " ", false, false, false}}) {
    GuestOutcome said;
    said.success = one.success;
    said.value = one.value;
    EXPECT_EQ(!is_no_result(judge(said, Wanted::kObject)), one.object) << one.value;
    EXPECT_EQ(!is_no_result(judge(said, Wanted::kDocument)), one.document) << one.value;
    EXPECT_EQ(!is_no_result(judge(said, Wanted::kNothing)), one.nothing) << one.value;
  }
}

TEST(CellDoor, OutputThatWasCutSaysSo) {
  GuestOutcome said = success("{}");
  said.output = "0123456789abcdef";
  said.error_output = "fedcba9876543210";
  said.output_was_cut = true;
  said.microseconds = 1500;
  const CellAnswer answer = judge(said);
  EXPECT_TRUE(answer.success);
  EXPECT_EQ(answer.output, said.output);
  EXPECT_EQ(answer.error_output, "fedcba9876543210[output cut off at the limit]\n");
  EXPECT_DOUBLE_EQ(answer.milliseconds, 1.5);
}

TEST(CellDoor, ADenialTakesTheValueAndGivesItsLineWhereItHasOne) {
  for (const std::uint32_t line : {0U, 7U}) {
    GuestOutcome said = success("{}");
    said.error_line = 3;
    said.denials = {{.call = 41, .line = line}, {.call = 42, .line = 9}};
    const CellAnswer answer = judge(said);
    EXPECT_FALSE(answer.success);
    EXPECT_EQ(answer.value, "");
    EXPECT_EQ(answer.line, line == 0 ? 3U : line) << "the line of the first denial, if it has one";
    EXPECT_EQ(answer.denials.size(), 2U);
  }
}

TEST(CellDoor, WhatIsNoResultKeepsItsDenials) {
  GuestOutcome said = success("no JSON");
  said.denials = {{.call = 41, .line = 2}};
  const CellAnswer answer = judge(said);
  EXPECT_TRUE(is_no_result(answer));
  EXPECT_EQ(answer.denials, said.denials);
  EXPECT_EQ(answer.line, 2U);
}

TEST(CellDoor, EveryWayToBeGoneIsKeptWithItsNotes) {
  const FinalNotes notes{.denials = {}, .line = 5, .output = "out", .error_output = "err"};
  std::vector<Ending> endings = {TimedOut{notes}, Crashed{11, notes}, Exited{3, notes},
                                 Garbled{notes}, Flooded{100, notes}};
  for (std::size_t i = 0; i < endings.size(); ++i) {
    for (const Wanted wanted : {Wanted::kObject, Wanted::kDocument, Wanted::kNothing}) {
      RawOutcome said = std::unexpected(endings[i]);
      EXPECT_EQ(said.timed_out(), i == 0);
      const CellAnswer answer = CellDoor(kDoorLimits).judge(std::move(said), wanted);
      EXPECT_FALSE(answer.success);
      ASSERT_TRUE(answer.ending);
      EXPECT_EQ(answer.ending->index(), i);
      EXPECT_EQ(answer.line, 5U);
      EXPECT_EQ(answer.output + answer.error_output, "outerr");
      EXPECT_EQ(answer.value, "");
    }
  }
}

TEST(CellDoor, ADoorRemembersNothingOfTheAnswerBefore) {
  CellDoor door(kDoorLimits);
  for (const char* value : {"{\"a\":[", "{\"a\":1,\"a\":2}", "{\"a\":{\"b\":[1", "\"", ""}) {
    EXPECT_FALSE(door.judge(success(value), Wanted::kObject).success) << value;
    EXPECT_TRUE(door.judge(success("{\"a\":1}"), Wanted::kObject).success) << value;
  }
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
