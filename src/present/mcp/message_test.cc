#include "present/mcp/message.h"

#include <gtest/gtest.h>

#include <string>

namespace airlock::mcp {
namespace {

TEST(McpMessage, ARequestHasIdMethodAndParams) {
  const auto read = read_message(
      R"({"jsonrpc":"2.0","id":"a b","method":"tools/call","params":{"name":"x","_meta":{"progressToken":7}}})");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->kind, MessageKind::kRequest);
  EXPECT_EQ(read->id, "\"a b\"");
  EXPECT_EQ(read->method, "tools/call");
  EXPECT_EQ(read->params.text("name"), "x");
  EXPECT_FALSE(read->params.has("_meta"));
  EXPECT_EQ(read->meta.raw("progressToken"), "7");
}

TEST(McpMessage, ItsMembersStayWhereverItMoves) {
  auto read = read_message(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"k":"v"}})");
  ASSERT_TRUE(read);
  const Message moved = std::move(*read);
  EXPECT_EQ(moved.params.text("k"), "v");
}

TEST(McpMessage, WithoutAnIdItIsANotification) {
  const auto read = read_message(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, MessageKind::kNotification);
}

TEST(McpMessage, WithoutAMethodItIsAnAnswerThatNobodyAskedFor) {
  for (const char* text : {R"({"jsonrpc":"2.0","id":1,"result":{}})",
                           R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}})"}) {
    const auto read = read_message(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->kind, MessageKind::kResponse);
  }
}

// Whoever asked waits for an answer with its id.
TEST(McpMessage, WhatCannotBeTakenIsAnsweredUnderItsId) {
  const auto id_of = [](const std::string& text) { return read_message(text).error().id; };
  EXPECT_EQ(id_of(R"({"jsonrpc":"2.0","id":7,"method":"m","params":{"code":"\ud800"}})"), "7");
  EXPECT_EQ(id_of(R"({"params":{"id":1,"a":"\"id\":2","a":{"id":3}}, "id" : "x\"y" })"),
            R"("x\"y")");
  const std::string deep(100, '[');
  EXPECT_EQ(id_of(R"({"a":)" + deep + std::string(100, ']') + R"(,"id":-8})"), "-8");
  for (const char* text :
       {R"({"id":1,"id":2})", R"({"id":1.5,"a":1,"a":1})", R"({"id":[1],"a":1,"a":1})", R"({"id")",
        R"({"id":)", R"({"id":"\ud800")", R"([{"id":1,"id":1}])"})
    EXPECT_EQ(id_of(text), "") << text;
}

int code_of(const std::string& text) {
  const auto read = read_message(text);
  return read ? 0 : read.error().code;
}

TEST(McpMessage, WhatIsNoJsonIsAParseError) {
  for (const char* text : {"", "{", "nope", R"({"a":1,"a":2})", "{\"a\":\"\xff\"}", "{}{}", "{\n}"})
    EXPECT_EQ(code_of(text), code::kParseError) << text;
  EXPECT_EQ(code_of(std::string(200, '[') + std::string(200, ']')), code::kParseError);
}

TEST(McpMessage, WhatIsJsonAndNoMessageIsAnInvalidRequest) {
  for (const char* text :
       {"[]", "7", "null", "{}", R"({"jsonrpc":"2.0","id":1})",
        R"({"jsonrpc":"1.0","id":1,"method":"m"})", R"({"jsonrpc":"2.0","id":1,"method":7})",
        R"([{"jsonrpc":"2.0","id":1,"method":"m"}])"})
    EXPECT_EQ(code_of(text), code::kInvalidRequest) << text;
}

TEST(McpMessage, AnIdIsATextOrAWholeNumber) {
  const auto with = [](const std::string& id) {
    return code_of(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"m"})");
  };
  for (const char* fine : {"0", "-1", "\"\"", "123456789012345678901234567890"})
    EXPECT_EQ(with(fine), 0) << fine;
  for (const char* odd : {"null", "1.5", "1e3", "true", "[]", "{}"})
    EXPECT_EQ(with(odd), code::kInvalidRequest) << odd;
  EXPECT_EQ(with('"' + std::string(300, 'x') + '"'), code::kInvalidRequest);
}

TEST(McpMessage, AFaultHasTheIdThatCouldBeRead) {
  const auto read = read_message(R"({"jsonrpc":"2.0","id":8,"method":"m","params":[1]})");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, code::kInvalidParams);
  EXPECT_EQ(read.error().id, "8");
}

TEST(McpMessage, NobodyAnswersANotificationThatIsWrong) {
  const auto read = read_message(R"({"jsonrpc":"2.0","method":"m","params":[1]})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, MessageKind::kNotification);
}

TEST(McpMessage, WhatIsSentIsOneLineOfJson) {
  EXPECT_EQ(result_message("\"i\"", "\"a\":1"), R"({"jsonrpc":"2.0","id":"i","result":{"a":1}})");
  EXPECT_EQ(error_message({.code = -1, .message = "no\n\"", .data = "[2]", .id = "3"}),
            R"({"jsonrpc":"2.0","id":3,"error":{"code":-1,"message":"no\n\"","data":[2]}})");
  EXPECT_EQ(error_message({.code = -1, .message = "x"}),
            R"({"jsonrpc":"2.0","error":{"code":-1,"message":"x"}})");
  EXPECT_EQ(notification_message("n", ""), R"({"jsonrpc":"2.0","method":"n","params":{}})");
}

}  // namespace
}  // namespace airlock::mcp
