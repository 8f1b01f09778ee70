#include "llm/answer_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace airlock::llm {
namespace {

const std::string kOllama =
    "{\"message\":{\"content\":\"Gr\\u00fc\"},\"done\":false}\n"
    "{\"message\":{\"content\":\"n\"},\"done\":false}\r\n\n"
    "{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\","
    "\"prompt_eval_count\":3,\"eval_count\":2}\n";
const std::string kOpenai =
    ": hello\n"
    "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"Gr\"}}]}\n\n"
    "data:{\"choices\":[{\"delta\":\ndata: {\"content\":\"\xc3\xbcn\"}}]}\r\n\r\n"
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\n"
    "data: [DONE]\n\n";
const std::string kAnthropic =
    "event: message_start\n"
    "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3,"
    "\"output_tokens\":1}}}\n\n"
    "data: {\"type\":\"ping\"}\n\n"
    "data: "
    "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"Gr\"}}\n\n"
    "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\","
    "\"thinking\":\"hm\"}}\n\n"
    "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\","
    "\"text\":\"\xc3\xbcn\"}}\n\n"
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},"
    "\"usage\":{\"output_tokens\":2}}\n\n"
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

struct Protocol {
  const Provider& provider;
  std::string stream;
};
const std::vector<Protocol> kProtocols = {{providers::kOllama, kOllama},
                                          {providers::kOpenai, kOpenai},
                                          {providers::kAnthropic, kAnthropic}};

AnswerStream read(const Provider& provider, std::string_view bytes, StreamLimits limits = {}) {
  AnswerStream stream(provider, limits);
  stream.feed(bytes);
  stream.end();
  return stream;
}

TEST(AnswerStream, OfEveryProviderIsTried) {
  for (const Provider* provider : providers::kAll)
    EXPECT_TRUE(std::ranges::any_of(kProtocols, [&](const Protocol& protocol) {
      return &protocol.provider == provider;
    })) << provider->name;
}

TEST(AnswerStream, IsTheSameHoweverItIsCut) {
  for (const Protocol& protocol : kProtocols) {
    for (std::size_t size = 1; size <= protocol.stream.size(); ++size) {
      AnswerStream stream(protocol.provider);
      for (std::size_t at = 0; at < protocol.stream.size(); at += size)
        if (!stream.feed(std::string_view(protocol.stream).substr(at, size))) break;
      stream.end();
      ASSERT_EQ(stream.trouble(), StreamTrouble::kNone);
      ASSERT_EQ(stream.text(), "Gr\xc3\xbcn");
      ASSERT_EQ(stream.characters(), 4u);
      ASSERT_TRUE(stream.has_ended());
      ASSERT_FALSE(stream.was_cut());
      ASSERT_EQ(stream.prompt_tokens(), 3);
      ASSERT_EQ(stream.answer_tokens(), 2);
    }
  }
}

TEST(AnswerStream, ThatBreaksOffAnywhereNeverCountsAsWholeAndIsNeverGarbage) {
  for (const Protocol& protocol : kProtocols) {
    const std::size_t text_begins = protocol.stream.find("Gr") + 40;
    const std::size_t end_begins = std::min(protocol.stream.find("\"done\":true"),
                                            std::min(protocol.stream.find("finish_reason"),
                                                     protocol.stream.find("message_stop\ndata")));
    for (std::size_t size = text_begins; size < end_begins; ++size) {
      const auto stream = read(protocol.provider, protocol.stream.substr(0, size));
      ASSERT_EQ(stream.trouble(), StreamTrouble::kNone) << size;
      ASSERT_FALSE(stream.has_ended()) << size;
    }
  }
}

TEST(AnswerStream, AServerThatDoesNotStreamIsUnderstood) {
  const auto openai = read(providers::kOpenai,
                           "\n{\n \"choices\": [{\"message\": {\"content\": \"x\"},\n"
                           "\"finish_reason\": \"length\"}]}");
  EXPECT_EQ(openai.text(), "x");
  EXPECT_TRUE(openai.has_ended() && openai.was_cut());
  const auto anthropic =
      read(providers::kAnthropic,
           "{\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}],"
           "\"stop_reason\":\"max_tokens\",\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}");
  EXPECT_EQ(anthropic.text(), "x");
  EXPECT_TRUE(anthropic.has_ended() && anthropic.was_cut());
}

TEST(AnswerStream, OtherThingsAreNotTheProtocol) {
  for (const Protocol& protocol : kProtocols) {
    for (const char* bytes : {"Sure, here it is\n", "<html>\n<body>\n", "[1, 2]\n", "data: []\n\n",
                              "data: \"x\"\n\n", "data: {\"a\":1}\n\n", "7\n"})
      EXPECT_EQ(read(protocol.provider, bytes).trouble(), StreamTrouble::kNotTheProtocol) << bytes;
  }
  EXPECT_EQ(read(providers::kOllama, "{\"a\":1}\n").trouble(), StreamTrouble::kNotTheProtocol);
}

TEST(AnswerStream, OddTypesAreNoAnswerAndNoCrash) {
  for (const char* json :
       {"{\"message\":{\"content\":7},\"done\":false}", "{\"message\":[],\"done\":\"yes\"}",
        "{\"done\":true,\"eval_count\":-5,\"prompt_eval_count\":1e9}",
        "{\"done\":true,\"eval_count\":18446744073709551615}",
        "{\"message\":null,\"done\":false}"}) {
    const auto stream = read(providers::kOllama, std::string(json) + "\n");
    EXPECT_EQ(stream.text(), "");
    EXPECT_FALSE(stream.answer_tokens());
    EXPECT_FALSE(stream.prompt_tokens());
  }
  for (const char* json : {"{\"choices\":[7]}", "{\"choices\":[{\"delta\":{\"content\":null}}]}",
                           "{\"choices\":[{\"delta\":\"x\",\"finish_reason\":3}]}"})
    EXPECT_EQ(read(providers::kOpenai, "data: " + std::string(json) + "\n\n").text(), "");
}

TEST(AnswerStream, BrokenJsonAndBadBytesAreTold) {
  EXPECT_EQ(read(providers::kOllama, "{\"a\":}\n").trouble(), StreamTrouble::kBrokenJson);
  EXPECT_EQ(read(providers::kOpenai, "data: {]\n\n").trouble(), StreamTrouble::kBrokenJson);
  EXPECT_EQ(read(providers::kOllama, "{\"a\":\"\xff\"}\n").trouble(), StreamTrouble::kInvalidUtf8);
  EXPECT_EQ(read(providers::kAnthropic, "data: {\"a\":\"\xc3\"}\n\n").trouble(),
            StreamTrouble::kInvalidUtf8);
  EXPECT_EQ(read(providers::kOllama, "{\"message\":{\"content\":\"\\ud800\"}}\n").trouble(),
            StreamTrouble::kBrokenJson);
}

TEST(AnswerStream, DepthIsBounded) {
  std::string deep = "{\"done\":false,\"message\":";
  for (int i = 0; i < 500000; ++i) deep += '[';
  EXPECT_EQ(read(providers::kOllama, deep + "\n").trouble(), StreamTrouble::kBrokenJson);
}

TEST(AnswerStream, EveryLimitHolds) {
  const StreamLimits small{.answer_bytes = 10, .line_bytes = 100, .total_bytes = 200};
  EXPECT_EQ(read(providers::kOllama, "{\"message\":{\"content\":\"12345678901\"},\"done\":false}\n",
                 small)
                .trouble(),
            StreamTrouble::kTooLong);
  EXPECT_EQ(read(providers::kOllama, std::string(101, '{'), small).trouble(),
            StreamTrouble::kTooLong);
  EXPECT_EQ(read(providers::kOpenai, std::string(201, '\n'), small).trouble(),
            StreamTrouble::kTooLong);
  std::string lines;
  for (int i = 0; i < 15; ++i) lines += "data: 12345678\n";
  EXPECT_EQ(read(providers::kOpenai, lines, small).trouble(), StreamTrouble::kTooLong);
}

TEST(AnswerStream, AnErrorInTheStreamHasTheServersWords) {
  const auto ollama = read(providers::kOllama, "{\"error\":\"out of memory\"}\n");
  EXPECT_EQ(ollama.trouble(), StreamTrouble::kServerSaid);
  EXPECT_EQ(ollama.server_words(), "out of memory");
  const auto anthropic =
      read(providers::kAnthropic,
           "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
           "\"message\":\"Overloaded\"}}\n\n");
  EXPECT_EQ(anthropic.server_words(), "Overloaded");
  EXPECT_TRUE(anthropic.is_overloaded());
}

}  // namespace
}  // namespace airlock::llm
