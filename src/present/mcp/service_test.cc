#include "present/mcp/service.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "present/mcp/tools.h"

namespace airlock::mcp {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kMeta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

// Says what it was given, and how far it is: twice the same, and back.
Result<ToolResult> echo(ToolCall& call) {
  for (const std::size_t done : {1UL, 1UL, 3UL, 2UL, 10UL}) call.on_progress({done, 10});
  if (call.stop.stop_requested()) return fail("it was stopped");
  if (call.arguments.members.has("bad")) return bad_request("'bad' is bad");
  return ToolResult{.structured = "{\"turn\":" + std::string(call.turn ? "true" : "false") + "}"};
}

std::string any_schema() {
  return R"({"type":"object"})";
}

constexpr std::array kEcho = {Tool{"echo", "Echo", "Says it again.", R"({"type":"object"})",
                                   any_schema, Effects{}, true, echo}};

class McpService : public ::testing::Test {
 protected:
  McpService() {
    auto made = serve::Resident::make({.host_program = "",
                                       .user_dirs = {},
                                       .policies = {"extractor"},
                                       .packages = {},
                                       .workers = 1,
                                       .idle_seconds = 600});
    resident_ = std::move(*made);
    service_ = std::make_unique<Service>(
        *resident_,
        Offer{.tools = kEcho, .prompts = airlock_prompts(), .resources = airlock_resources()});
  }

  // An answer that comes at once, or of what takes time.
  Json ask(const std::string& text, const Sink& sink = {}) {
    auto accepted = service_->accept(text, conversation_);
    if (auto* asked = std::get_if<std::shared_ptr<Service::Asked>>(&accepted))
      return Json::parse(service_->perform(**asked, sink, {}).text);
    const auto* answer = std::get_if<Service::Answer>(&accepted);
    return answer == nullptr ? Json() : Json::parse(answer->text);
  }
  Json stateless(const std::string& method, const std::string& params = "") {
    return ask(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
               (params.empty() ? "" : ",") + std::string(kMeta) + "}}");
  }
  Json plain(const std::string& method, const std::string& params = "") {
    return ask(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
               "}}");
  }

  std::unique_ptr<serve::Resident> resident_;
  std::unique_ptr<Service> service_;
  Conversation conversation_;
};

TEST_F(McpService, TheOldEraBeginsWithInitialize) {
  EXPECT_EQ(plain("tools/list")["error"]["code"], code::kInvalidParams);
  EXPECT_EQ(plain("ping")["result"], Json::object());
  const Json begun = plain("initialize", R"("protocolVersion":"2025-11-25")");
  EXPECT_EQ(begun["result"]["protocolVersion"], "2025-11-25");
  EXPECT_FALSE(begun["result"].contains("resultType"));
  EXPECT_EQ(plain("tools/list")["result"]["tools"].size(), 1U);
  EXPECT_EQ(plain("server/discover")["error"]["code"], code::kMethodNotFound);
}

TEST_F(McpService, AFailedInitializeAgreesToNothing) {
  EXPECT_EQ(plain("initialize")["error"]["code"], code::kInvalidParams);
  EXPECT_FALSE(conversation_.is_initialized);
}

TEST_F(McpService, TheNewEraIsInEveryMessage) {
  const Json found = stateless("server/discover")["result"];
  EXPECT_EQ(found["resultType"], "complete");
  EXPECT_EQ(found["supportedVersions"][0], "2026-07-28");
  EXPECT_EQ(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "airlock");
  EXPECT_EQ(stateless("ping")["error"]["code"], code::kMethodNotFound);
  EXPECT_EQ(plain("tools/list")["error"]["code"], code::kInvalidParams) << "nothing was agreed";
}

TEST_F(McpService, AVersionThatIsNotSpokenIsSaidWithThoseThatAre) {
  const Json answer = ask(
      R"({"jsonrpc":"2.0","id":1,"method":"no/such","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}})");
  EXPECT_EQ(answer["error"]["code"], code::kUnsupportedVersion);
  EXPECT_EQ(answer["error"]["data"]["requested"], "1900-01-01");
  EXPECT_EQ(answer["error"]["data"]["supported"].size(), 3U);
}

TEST_F(McpService, ProgressOnlyGrows) {
  std::vector<int> heard;
  const Sink sink = [&](const std::string& message) {
    const Json told = Json::parse(message);
    EXPECT_EQ(told["method"], "notifications/progress");
    EXPECT_EQ(told["params"]["progressToken"], "t");
    heard.push_back(told["params"]["progress"]);
  };
  std::string meta(kMeta);
  meta.insert(meta.size() - 1, R"(,"progressToken":"t")");
  const Json answer =
      ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",)" + meta + "}}",
          sink);
  EXPECT_EQ(answer["result"]["isError"], false);
  EXPECT_EQ(heard, (std::vector<int>{1, 10})) << "3 came too soon after the first";
}

TEST_F(McpService, NobodyHearsOfProgressWithoutAToken) {
  const Sink sink = [](const std::string& message) { ADD_FAILURE() << message; };
  ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",)" +
          std::string(kMeta) + "}}",
      sink);
}

TEST_F(McpService, ACallThatNamesASessionHasAPlaceInItsLine) {
  const auto turn = [&](const std::string& arguments) {
    return stateless("tools/call", R"("name":"echo","arguments":)" +
                                       arguments)["result"]["structuredContent"]["turn"]
        .get<bool>();
  };
  EXPECT_TRUE(turn(R"({"session":"s"})"));
  EXPECT_FALSE(turn("{}"));
  EXPECT_FALSE(turn(R"({"session":7})"));
}

TEST_F(McpService, WhatTheModelGotWrongIsAResult) {
  const Json result = stateless("tools/call", R"("name":"echo","arguments":{"bad":1})")["result"];
  EXPECT_EQ(result["isError"], true);
  EXPECT_NE(result["content"][0]["text"].get<std::string>().find("'bad' is bad"),
            std::string::npos);
}

TEST_F(McpService, ACancellationNamesTheIdAsItWasSent) {
  for (const char* id : {"7", "\"seven\""}) {
    auto accepted = service_->accept(
        std::string(
            R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)") +
            id + "}}",
        conversation_);
    ASSERT_TRUE(std::holds_alternative<Service::Cancelled>(accepted));
    EXPECT_EQ(std::get<Service::Cancelled>(accepted).id, id);
  }
}

TEST_F(McpService, AResourceThatIsNotThereHasTheCodeOfItsEra) {
  EXPECT_EQ(stateless("resources/read", R"("uri":"airlock://rules/AL999")")["error"]["code"],
            code::kInvalidParams);
  conversation_.is_initialized = true;
  EXPECT_EQ(plain("resources/read", R"("uri":"airlock://rules/AL999")")["error"]["code"],
            code::kResourceNotFound);
}

std::expected<std::string, Fault> say_name(const JsonMembers& arguments,
                                           const serve::Resident& /*resident*/) {
  const auto name = arguments.text("name");
  if (!name) return std::unexpected(Fault{.code = code::kInvalidParams, .message = "whose?"});
  return R"([{"role":"user","content":{"type":"text","text":")" + *name + "\"}}]";
}
Result<std::string> list_one(const serve::Resident& /*resident*/) {
  return R"("resources":[{"uri":"x://1","name":"1"}])";
}
std::string no_templates() {
  return R"("resourceTemplates":[])";
}
Result<std::optional<ReadResource>> read_one(std::string_view uri,
                                             const serve::Resident& /*resident*/) {
  if (uri == "x://broken") return fail("it is broken");
  if (uri != "x://1") return std::nullopt;
  return ReadResource{R"("contents":[{"uri":"x://1","text":"one"}])", kFixed};
}
constexpr std::array kNameArgument = {PromptArgument{"name", "Whose", true}};
constexpr std::array kGreetings = {
    Prompt{"greet", "Greet", "Greets by name.", kNameArgument, say_name},
    Prompt{"bow", "Bow", "Bows.", {}, say_name},
};

TEST_F(McpService, OffersTheRowsThatItIsGivenAndNoOthers) {
  service_ =
      std::make_unique<Service>(*resident_, Offer{.tools = kEcho,
                                                  .prompts = kGreetings,
                                                  .resources = {list_one, no_templates, read_one}});
  const Json listed = stateless("prompts/list")["result"]["prompts"];
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0]["arguments"],
            Json::parse(R"([{"name":"name","description":"Whose","required":true}])"));
  EXPECT_EQ(listed[1]["arguments"], Json::array());
  const Json got = stateless("prompts/get", R"("name":"greet","arguments":{"name":"Ann"})");
  EXPECT_EQ(got["result"]["description"], "Greets by name.");
  EXPECT_EQ(got["result"]["messages"][0]["content"]["text"], "Ann");
  EXPECT_EQ(stateless("prompts/get", R"("name":"bow")")["error"]["message"], "whose?");
  EXPECT_EQ(stateless("prompts/get", R"("name":"write_extractor")")["error"]["message"],
            "Invalid params: there is no prompt 'write_extractor'; there is 'greet', 'bow'");
  EXPECT_EQ(stateless("resources/list")["result"]["resources"][0]["uri"], "x://1");
  EXPECT_EQ(stateless("resources/read", R"("uri":"x://1")")["result"]["contents"][0]["text"],
            "one");
  EXPECT_EQ(stateless("resources/read", R"("uri":"x://broken")")["error"]["code"],
            code::kInternalError);
  EXPECT_EQ(stateless("resources/read", R"("uri":"airlock://rules")")["error"]["code"],
            code::kInvalidParams);
}

TEST(McpTools, EachIsDescribedByJsonThatIsASchema) {
  for (const Tool& tool : airlock_tools()) {
    const Json input = Json::parse(tool.input_schema);
    const Json output = Json::parse(tool.output_schema());
    EXPECT_EQ(input["type"], "object") << tool.name;
    EXPECT_EQ(output["type"], "object") << tool.name;
    EXPECT_EQ(input["additionalProperties"], false) << tool.name;
    EXPECT_EQ(tool.has_sessions, input.value("properties", Json()).contains("session"))
        << tool.name;
    EXPECT_EQ(std::string(tool.name).find("approve"), std::string::npos);
  }
}

}  // namespace
}  // namespace airlock::mcp
