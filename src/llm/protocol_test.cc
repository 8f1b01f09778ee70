#include "llm/protocol.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "llm/troubles.h"

namespace airlock::llm {
namespace {

Endpoint at(const char* text) {
  return parse_endpoint(text).value();
}

TEST(Protocol, EachProviderHasItsAddresses) {
  EXPECT_EQ(providers::kOllama.question_url(at("http://localhost:11434")),
            "http://localhost:11434/api/chat");
  EXPECT_EQ(providers::kOpenai.question_url(at("https://h/")), "https://h/v1/chat/completions");
  EXPECT_EQ(providers::kOpenai.question_url(at("https://h/v1")), "https://h/v1/chat/completions");
  EXPECT_EQ(providers::kOpenai.question_url(at("https://h/x")), "https://h/x/chat/completions");
  EXPECT_EQ(providers::kAnthropic.question_url(at("https://h/v1")), "https://h/v1/messages");
  EXPECT_EQ(providers::kAnthropic.models_url(at("https://h")), "https://h/v1/models?limit=1000");
  EXPECT_EQ(providers::kOllama.models_url(at("http://h.localhost/p")),
            "http://h.localhost/p/api/tags");
}

TEST(Protocol, WhatIsAskedIsJsonWhateverThePromptHolds) {
  for (const Provider* provider : providers::kAll) {
    ModelSettings settings;
    settings.provider = provider;
    settings.model = "m";
    const auto body = nlohmann::json::parse(
        question_body(settings, {.system = "be \"brief\"", .user = "a\xff\n\x01"}));
    EXPECT_EQ(body["model"], "m");
    EXPECT_EQ(body["stream"], true);
    EXPECT_EQ(body["messages"].back()["content"], "a\xef\xbf\xbd\n\x01");
    const auto system =
        body.contains("system") ? body["system"] : body["messages"].front()["content"];
    EXPECT_EQ(system, "be \"brief\"");
  }
}

TEST(Protocol, ADialectIsLearntOnce) {
  Dialect dialect;
  const char* refusal = "Unsupported parameter: use 'max_completion_tokens' instead.";
  EXPECT_EQ(providers::kOllama.learn, nullptr);
  EXPECT_TRUE(providers::kOpenai.learn(dialect, refusal));
  EXPECT_FALSE(providers::kOpenai.learn(dialect, refusal));
  ModelSettings settings;
  settings.provider = &providers::kOpenai;
  const auto body = nlohmann::json::parse(question_body(settings, {}, dialect));
  EXPECT_TRUE(body.contains("max_completion_tokens") && !body.contains("max_tokens"));
}

TEST(Protocol, OllamaIsGivenRoomForTheWholeQuestion) {
  ModelSettings settings;
  settings.provider = &providers::kOllama;
  const auto room = [&](std::size_t bytes) {
    const Prompt prompt{.system = "", .user = std::string(bytes, 'x')};
    return nlohmann::json::parse(question_body(settings, prompt))["options"]["num_ctx"].get<int>();
  };
  EXPECT_EQ(room(100), 8192);
  EXPECT_EQ(room(30000), 16384);
  EXPECT_EQ(room(10000000), 131072);
}

TEST(Protocol, TheKeyIsInOneHeader) {
  ModelSettings settings;
  settings.key = std::make_shared<const Secret>("k");
  settings.provider = &providers::kAnthropic;
  EXPECT_EQ(request_headers(settings).back(), "x-api-key: k");
  settings.provider = &providers::kOpenai;
  EXPECT_EQ(request_headers(settings).back(), "Authorization: Bearer k");
}

TEST(Protocol, ListsOfModelsAreRead) {
  EXPECT_EQ(model_names("{\"models\":[{\"name\":\"a:latest\"},{\"x\":1},7]}"),
            std::vector<std::string>{"a:latest"});
  EXPECT_EQ(model_names("{\"data\":[{\"id\":\"b\"}]}"), std::vector<std::string>{"b"});
  EXPECT_TRUE(model_names("nonsense").empty());
  EXPECT_TRUE(has_model(providers::kOllama, {"a:latest"}, "a"));
  EXPECT_FALSE(has_model(providers::kOpenai, {"a:latest"}, "a"));
}

TEST(RetryAfter, IsSecondsOrADateAndNeverForEver) {
  constexpr std::int64_t kNow = 784111777 - 30;  // Sun, 06 Nov 1994 08:49:37 GMT less 30 s
  using std::chrono::seconds;
  EXPECT_EQ(parse_retry_after("12", kNow), seconds(12));
  EXPECT_EQ(parse_retry_after("0", kNow), seconds(0));
  EXPECT_EQ(parse_retry_after("99999999999999999999", kNow), kLongestWait);
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", kNow), seconds(30));
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:49:37 GMT", kNow + 100), seconds(0));
  EXPECT_EQ(parse_retry_after("Sun, 06 Nov 2094 08:49:37 GMT", kNow), kLongestWait);
  for (const char* text : {"", "soon", "-5", "1.5", "Sun, 31 Feb 1994 08:49:37 GMT",
                           "Sun, 06 Nov 1994 28:49:37 GMT", "Sun, 06 Nop 1994 08:49:37 GMT"})
    EXPECT_FALSE(parse_retry_after(text, kNow)) << text;
}

}  // namespace
}  // namespace airlock::llm
