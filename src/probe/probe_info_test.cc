#include "probe/probe_info.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace airlock::probe {
namespace {

using Json = nlohmann::ordered_json;

Json description() {
  return {{"name", "licences"},
          {"version", "1"},
          {"schema_version", "2"},
          {"layer", ""},
          {"tier", "base"},
          {"cache_strategy", "content"},
          {"applies_to_tasks", {"*"}},
          {"applies_to_languages", {"python"}},
          {"requires", {"repository"}},
          {"declared_inputs", {"**/*.py"}},
          {"timeout_seconds", 1.5},
          {"asks", false}};
}

std::string refusal(const char* field, Json value) {
  Json about = description();
  about[field] = std::move(value);
  const auto info = read_description(Json{{"probe", about}}.dump());
  return info ? "" : info.error().message;
}

TEST(ProbeInfo, IsRead) {
  const ProbeInfo info = read_description(Json{{"probe", description()}}.dump()).value();
  EXPECT_EQ(info.name, "licences");
  EXPECT_EQ(info.schema_version, "2");
  EXPECT_EQ(info.tier, ProbeTier::kBase);
  EXPECT_EQ(info.timeout_ms, 1500U);
  EXPECT_TRUE(info.is_cached);
  EXPECT_EQ(info.requires_probes, (std::vector<std::string>{"repository"}));
}

TEST(ProbeInfo, IsTheSameWhenItWasKept) {
  const ProbeInfo info = read_description(Json{{"probe", description()}}.dump()).value();
  const std::string kept = write_description(info);
  EXPECT_EQ(write_description(read_description(kept).value()), kept);
  EXPECT_EQ(Json::parse(kept)["probe"], description());
}

TEST(ProbeInfo, LiesAreRefusedInWords) {
  EXPECT_EQ(refusal("name", "../x"), "'name' must be 1 to 64 of a-z, 0-9, _ and -, not '../x'");
  EXPECT_EQ(refusal("name", ""), "'name' must be 1 to 64 of a-z, 0-9, _ and -, not ''");
  EXPECT_EQ(refusal("name", 3), "'name' must be text");
  EXPECT_EQ(refusal("version", std::string(501, 'x')),
            "'version' must be one line of at most 500 bytes");
  EXPECT_EQ(refusal("version", "a\nb"), "'version' must be one line of at most 500 bytes");
  EXPECT_EQ(refusal("tier", "top"), "'tier' must be \"base\" or \"task_specific\"");
  EXPECT_EQ(refusal("cache_strategy", "ever"), "'cache_strategy' must be \"content\" or \"none\"");
  for (const Json& seconds : {Json(0), Json(-1), Json(86401), Json("1"), Json(nullptr), Json(true)})
    EXPECT_EQ(refusal("timeout_seconds", seconds),
              "'timeout_seconds' must be a number above 0, at most 86400");
  EXPECT_EQ(refusal("requires", "repository"), "'requires' must be a list of at most 200 texts");
  EXPECT_EQ(refusal("requires", Json::array({1})), "'requires' must hold short texts");
  EXPECT_EQ(refusal("requires", Json(std::vector<int>(201))),
            "'requires' must be a list of at most 200 texts");
}

TEST(ProbeInfo, WhatIsNoAnswerIsSaid) {
  for (const char* text : {"", "[]", "{}", "{\"probe\":3}", "{\"probe\":", "\xff"})
    EXPECT_EQ(read_description(text).error().message, "its answer is not understood") << text;
  EXPECT_EQ(read_description(R"({"wrong":"no class here\u001b"})").error().message,
            "no class here\\x1b");
}

TEST(ProbeInfo, LargeAndDeepAnswersAreRefusedUnread) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_EQ(read_description("{\"probe\":" + deep + "}").error().message,
            "its answer is nested too deep");
  EXPECT_EQ(read_output(RawDocument("{\"refused\":[{\"what\":" + deep + "}]}")).error().message,
            "its answer is nested too deep");
  EXPECT_EQ(read_applies(std::string(1 << 20, ' ')).error().message, "its answer is too large");
}

// Each key would be compared with all before it: half a megabyte of them took ten seconds.
TEST(ProbeInfo, AnAnswerOfKeysAloneIsRefusedUnread) {
  const auto keys = [](int count) {
    std::string text = "{\"applies\":true,\"cache_key\":\"k\"";
    for (int i = 2; i < count; ++i) text += ",\"" + std::to_string(i) + "\":0";
    return text + "}";
  };
  EXPECT_TRUE(read_applies(keys(4096)));
  EXPECT_EQ(read_applies(keys(4097)).error().message, "its answer has too many keys");
  EXPECT_EQ(read_applies(keys(40'000)).error().message, "its answer has too many keys");
  EXPECT_EQ(read_output(RawDocument(keys(40'000))).error().message, "its answer has too many keys");
}

TEST(ProbeInfo, AnOutputIsHandedOnUnread) {
  const auto output = read_output(RawDocument(R"({"output":{"a":[1,2}})")).value();
  EXPECT_TRUE(output.document == RawDocument(R"({"a":[1,2})"));
  EXPECT_TRUE(output.refused.empty());
}

TEST(ProbeInfo, RefusedPlacesAreNamed) {
  const auto output =
      read_output(
          RawDocument(
              R"({"refused":[{"type":"EncodingError","path":["schema_slice","a",0],"what":"bytes"},{"path":3,"what":4},7]})"))
          .value();
  EXPECT_EQ(output.refused,
            (std::vector<std::string>{"EncodingError: bytes at (schema_slice, a, 0)",
                                      "JSONValueError: ? at (?)", "JSONValueError: ? at (?)"}));
  EXPECT_FALSE(read_output(RawDocument(R"({"refused":[]})")));
  EXPECT_FALSE(read_output(RawDocument(R"({"refused":"x"})")));
}

TEST(ProbeInfo, QuestionsAreJson) {
  const Snapshot snapshot{"abc", {{"Python", 12}}};
  const Json question = Json::parse(ask_run(snapshot, ProbeTask{"upgrade \xff"}));
  EXPECT_EQ(question["do"], "run");
  EXPECT_EQ(question["repo"]["root"], "/repository");
  EXPECT_EQ(question["repo"]["detected_languages"]["Python"], 12);
}

}  // namespace
}  // namespace airlock::probe
