// The inner door of sessions: what a cell may say of a piece, and which calls it may make.
#include "admit/piece_door.h"

#include <gtest/gtest.h>

namespace airlock {
namespace {

PieceOutcome done(std::optional<std::string> value = std::nullopt) {
  PieceOutcome outcome;
  outcome.success = true;
  outcome.value = std::move(value);
  outcome.shown = "shown";
  return outcome;
}

PieceAnswer judge(PieceOutcome outcome, const PieceLimits& limits = {}) {
  return PieceDoor(limits).judge(RawPiece(std::move(outcome), {}));
}

// Whoever says such things is not to be asked again: the cell has to go.
bool is_garbled(const PieceAnswer& answer) {
  return answer.ending && std::holds_alternative<Garbled>(*answer.ending);
}

TEST(PieceDoor, AnHonestValuePasses) {
  const PieceAnswer answer = judge(done(R"({"a":[1,2.5,null,"é"]})"));
  EXPECT_TRUE(answer.success);
  EXPECT_EQ(answer.value, R"({"a":[1,2.5,null,"é"]})");
  EXPECT_EQ(answer.shown, "shown");
}

TEST(PieceDoor, ValuesThatAreNoneAreACrash) {
  PieceLimits limits;
  limits.depth = 4;
  limits.value_bytes = 100;
  const std::string deep = std::string(11, '[') + std::string(11, ']');
  for (const std::string& value :
       {std::string(""), std::string("nan"), std::string("[1"), std::string("1 2"),
        std::string("{\"a\":1,\"a\":2}"), std::string("\"\\ud800\""),
        "\"" + std::string(200, 'x') + "\"", deep}) {
    const PieceAnswer answer = judge(done(value), limits);
    EXPECT_FALSE(answer.success) << value;
    EXPECT_FALSE(answer.value) << value;
    EXPECT_TRUE(is_garbled(answer)) << value;
  }
}

TEST(PieceDoor, WordsAreBounded) {
  PieceLimits limits;
  limits.shown_bytes = 10;
  PieceOutcome outcome = done();
  outcome.shown = std::string(30, 'x');
  EXPECT_TRUE(is_garbled(judge(outcome, limits)));
  for (std::string PieceOutcome::* text :
       {&PieceOutcome::error, &PieceOutcome::error_type, &PieceOutcome::traceback}) {
    PieceOutcome raised;
    raised.error_type = "ValueError";
    raised.*text = std::string(100'000, 'x');
    EXPECT_TRUE(is_garbled(judge(raised)));
  }
}

TEST(PieceDoor, ASuccessWithAnErrorIsNone) {
  PieceOutcome outcome = done("1");
  outcome.error_type = "ValueError";
  EXPECT_FALSE(judge(outcome).success);
}

TEST(PieceDoor, TheEndOfACellTellsWhatWasNoted) {
  TimedOut late;
  late.notes.line = 7;
  const PieceAnswer answer = PieceDoor({}).judge(RawPiece(std::unexpected(Ending(late))));
  EXPECT_FALSE(answer.success);
  EXPECT_TRUE(answer.ending);
  EXPECT_EQ(answer.line, 7U);
}

TEST(PieceDoor, OnlyFunctionsThatWereNamedAreCalled) {
  const std::vector<HostFunction> functions = {
      {.name = "search", .doc = "", .signature = "", .is_async = false}};
  PieceDoor door({});
  const auto call = door.judge(RawCall(3, "search", R"({"args":[1],"kwargs":{}})"), functions);
  ASSERT_TRUE(call);
  EXPECT_EQ(call->number, 3U);
  EXPECT_EQ(call->name, "search");
  const auto unknown = door.judge(RawCall(4, "Search", R"({"args":[],"kwargs":{}})"), functions);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().type, "NameError");
  for (const char* arguments : {"", "[]", "1", "{\"args\":[NaN]}", "{\"a\":1,\"a\":1}"}) {
    const auto wrong = door.judge(RawCall(5, "search", arguments), functions);
    ASSERT_FALSE(wrong) << arguments;
    EXPECT_EQ(wrong.error().type, "TypeError") << arguments;
  }
}

TEST(PieceDoor, ArgumentsAreBounded) {
  PieceLimits limits;
  limits.call_bytes = 50;
  const std::vector<HostFunction> functions = {
      {.name = "f", .doc = "", .signature = "", .is_async = false}};
  const std::string large = R"({"args":[")" + std::string(100, 'x') + R"("],"kwargs":{}})";
  EXPECT_FALSE(PieceDoor(limits).judge(RawCall(1, "f", large), functions));
  EXPECT_TRUE(PieceDoor({}).judge(RawCall(1, "f", large), functions));
}

}  // namespace
}  // namespace airlock
