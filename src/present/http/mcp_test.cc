#include "present/http/mcp.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace airlock::http {
namespace {

using mcp::Era;

RequestHead with(std::vector<Header> headers) {
  RequestHead head;
  head.headers = std::move(headers);
  return head;
}

mcp::Message read(const std::string& text) {
  auto message = mcp::read_message(text);
  EXPECT_TRUE(message.has_value()) << text;
  return std::move(*message);
}

// A request of the stateless era.
mcp::Message stateless(const std::string& method, const std::string& params = "",
                       const std::string& version = "2026-07-28") {
  return read(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
              R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" + version +
              R"(","io.modelcontextprotocol/clientCapabilities":{}}}})");
}

mcp::Message handshake(const std::string& method) {
  return read(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"("})");
}

int fault_of(const mcp::Message& message, std::vector<Header> headers) {
  const auto era = check_headers(with(std::move(headers)), message);
  return era ? 0 : era.error().code;
}

TEST(McpHeaders, AClientTakesBothFormsOfAnAnswer) {
  for (const char* accept :
       {"application/json, text/event-stream", "text/event-stream,application/json", "*/*",
        "application/json;q=0.5 , Text/Event-Stream ; q=0.1", "application/*, text/*"})
    EXPECT_TRUE(takes_both_forms(with({{"accept", accept}}))) << accept;
  for (const char* accept :
       {"", "application/json", "text/event-stream", "text/html, application/json",
        "application/json, text/event-stream;q=0", "application/json, text/event-stream; q=0.000",
        "application/jsonx, text/event-stream"})
    EXPECT_FALSE(takes_both_forms(with({{"accept", accept}}))) << accept;
  EXPECT_FALSE(takes_both_forms({}));
  EXPECT_TRUE(
      takes_both_forms(with({{"accept", "application/json"}, {"accept", "text/event-stream"}})));
}

TEST(McpHeaders, TheStatelessEraRepeatsWhatTheBodySays) {
  const Header version{"mcp-protocol-version", "2026-07-28"};
  const Header list{"mcp-method", "tools/list"};
  EXPECT_EQ(check_headers(with({version, list}), stateless("tools/list")), Era::kStateless);
  EXPECT_EQ(fault_of(stateless("tools/list"), {version}), mcp::code::kHeaderMismatch);
  EXPECT_EQ(fault_of(stateless("tools/list"), {list}), mcp::code::kHeaderMismatch);
  EXPECT_EQ(fault_of(stateless("tools/call"), {version, list}), mcp::code::kHeaderMismatch);
  EXPECT_EQ(fault_of(stateless("tools/list"), {version, {"mcp-method", "Tools/list"}}),
            mcp::code::kHeaderMismatch);
  EXPECT_EQ(fault_of(stateless("tools/list"), {version, list, list}), mcp::code::kHeaderMismatch);
  EXPECT_EQ(fault_of(stateless("tools/list"), {{"mcp-protocol-version", "2025-11-25"}, list}),
            mcp::code::kHeaderMismatch);
}

TEST(McpHeaders, ANameIsRepeatedAsItIsOrEncoded) {
  const auto fault = [](const std::string& method, const std::string& params,
                        std::vector<Header> more) {
    more.push_back({"mcp-protocol-version", "2026-07-28"});
    more.push_back({"mcp-method", method});
    return fault_of(stateless(method, params), std::move(more));
  };
  const std::string echo = R"("name":"echo",)";
  EXPECT_EQ(fault("tools/call", echo, {{"mcp-name", "echo"}}), 0);
  EXPECT_EQ(fault("tools/call", echo, {{"mcp-name", "=?base64?ZWNobw==?="}}), 0);
  EXPECT_EQ(fault("prompts/get", echo, {{"mcp-name", "echo"}}), 0);
  EXPECT_EQ(fault("resources/read", R"("uri":"a://b",)", {{"mcp-name", "a://b"}}), 0);
  EXPECT_EQ(fault("resources/read", R"("uri":"a://ä",)", {{"mcp-name", "=?base64?YTovL8Ok?="}}), 0);
  EXPECT_EQ(fault("tools/list", "", {{"mcp-name", "whatever"}}), 0) << "it names nothing";
  EXPECT_EQ(fault("tools/call", "", {}), 0) << "that is wrong, and the service says how";
  for (const char* wrong : {"", "other", "Echo", "=?base64?ZWNobw?=", "=?base64?ZWNobw==",
                            "=?BASE64?ZWNobw==?=", "=?base64?\?=", "=?base64?="})
    EXPECT_EQ(fault("tools/call", echo, {{"mcp-name", wrong}}), mcp::code::kHeaderMismatch)
        << wrong;
  EXPECT_EQ(fault("tools/call", echo, {}), mcp::code::kHeaderMismatch);
  EXPECT_EQ(fault("tools/call", "", {{"mcp-name", "echo"}}), mcp::code::kHeaderMismatch);
  EXPECT_EQ(fault("resources/read", R"("uri":"a://ä",)", {{"mcp-name", "a://ä"}}),
            mcp::code::kHeaderMismatch)
      << "a header has ASCII alone";
  EXPECT_EQ(fault("tools/call", R"("name":"=?base64?eA==?=",)", {{"mcp-name", "=?base64?eA==?="}}),
            mcp::code::kHeaderMismatch)
      << "what looks encoded is";
}

TEST(McpHeaders, TheOlderEraSaysItsVersionInTheHeaderAlone) {
  for (const char* version : {"2025-11-25", "2025-06-18"})
    EXPECT_EQ(check_headers(with({{"mcp-protocol-version", version}}), handshake("tools/list")),
              Era::kHandshake);
  EXPECT_EQ(check_headers({}, handshake("initialize")), Era::kHandshake);
  EXPECT_EQ(fault_of(handshake("tools/list"), {}), mcp::code::kHeaderMismatch);
  EXPECT_EQ(fault_of(handshake("tools/list"), {{"mcp-protocol-version", "2026-07-28"}}),
            mcp::code::kInvalidParams)
      << "that version has more in its body";
}

TEST(McpHeaders, AVersionThatIsNotSpokenIsSaidWithThoseThatAre) {
  const Header strange{"mcp-protocol-version", "1900-01-01"};
  EXPECT_EQ(fault_of(stateless("tools/list", "", "1900-01-01"), {strange}),
            mcp::code::kUnsupportedVersion);
  EXPECT_EQ(fault_of(handshake("initialize"), {strange}), mcp::code::kUnsupportedVersion);
  const auto refused = check_headers(with({strange}), handshake("tools/list"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, mcp::code::kUnsupportedVersion);
  EXPECT_TRUE(refused.error().data.contains("2026-07-28")) << refused.error().data;
}

TEST(McpHeaders, WhatHasNoAnswerNeedsNoHeaderButAVersionIsOneThatIsSpoken) {
  const auto note = read(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  EXPECT_EQ(fault_of(note, {}), 0);
  EXPECT_EQ(fault_of(note, {{"mcp-protocol-version", "2026-07-28"}}), 0);
  EXPECT_EQ(fault_of(note, {{"mcp-protocol-version", "7"}}), mcp::code::kUnsupportedVersion);
}

TEST(McpHeaders, AnEventIsOneLineOfData) {
  EXPECT_EQ(event_text("{}"), "event: message\ndata: {}\n\n");
}

}  // namespace
}  // namespace airlock::http
