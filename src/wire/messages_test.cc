// The conversation with the vetter, and the lies of a vetter that was taken over.
#include "wire/messages.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "model/rule.h"
#include "wire/bytes.h"

namespace airlock::wire {
namespace {

Finding finding(RuleCode code, Severity severity) {
  return {&rule(code), severity, {2, 0, 2, 9}, "os", "not on the list", "use os.path"};
}

Verdict refused() {
  Verdict verdict;
  verdict.decision = Decision::kRefused;
  verdict.stage = Stage::kSecurity;
  verdict.code = "x = 1\nimport os\n";
  verdict.lines.lines = {{3, 0}, {4, -2}};
  verdict.findings = {finding(RuleCode::kFenceRemoved, Severity::kNote),
                      finding(RuleCode::kForbiddenImport, Severity::kError)};
  return verdict;
}

Verdict accepted() {
  Verdict verdict;
  verdict.decision = Decision::kAccepted;
  verdict.stage = Stage::kComplete;
  verdict.code = "x = 1\n";
  verdict.compiled = std::string("\xE3\0\xFF", 3);
  return verdict;
}

// Every message with a decoder that says whether it takes the bytes.
std::vector<std::pair<std::string, std::function<bool(std::string_view)>>> all_messages() {
  return {
      {encode_hello(*find_builtin_policy("extractor")),
       [](std::string_view m) { return decode_hello(m).has_value(); }},
      {encode_ready({"seccomp", "landlock"}),
       [](std::string_view m) { return decode_ready(m).has_value(); }},
      {encode_vet("import os\n", {.security = true, .signature = false, .compile = true},
                  TextKind::kAnswer),
       [](std::string_view m) { return decode_vet(m).has_value(); }},
      {encode_verdict(refused()), [](std::string_view m) { return decode_verdict(m).has_value(); }},
      {encode_verdict(accepted()),
       [](std::string_view m) { return decode_verdict(m).has_value(); }},
      {encode_trouble("no seccomp"),
       [](std::string_view m) { return decode_trouble(m).has_value(); }},
  };
}

TEST(Messages, AnyMessageCutAnywhereIsRefused) {
  for (const auto& [message, is_taken] : all_messages()) {
    EXPECT_TRUE(is_taken(message));
    // The policy has some 40,000 bytes: a step that is no multiple of 4 meets every kind of field.
    const std::size_t step = message.size() > 4096 ? 7 : 1;
    for (std::size_t size = 0; size < message.size(); size += step)
      EXPECT_FALSE(is_taken(std::string_view(message).substr(0, size)))
          << message[0] << " " << size;
  }
}

TEST(Messages, AByteTooManyIsRefused) {
  for (const auto& [message, is_taken] : all_messages()) EXPECT_FALSE(is_taken(message + '\0'));
}

TEST(Messages, NoDecoderTakesAMessageOfAnotherType) {
  const auto messages = all_messages();
  for (const auto& [message, is_taken] : messages) {
    for (const auto& [other, ignored] : messages) {
      if (other[0] == message[0]) continue;
      EXPECT_FALSE(is_taken(other)) << message[0] << " took " << other[0];
    }
  }
}

TEST(Messages, TypesAreKnownByTheirFirstByte) {
  EXPECT_EQ(type_of("H"), MessageType::kHello);
  EXPECT_EQ(type_of("Dxyz"), MessageType::kVerdict);
  EXPECT_EQ(type_of(""), std::nullopt);
  EXPECT_EQ(type_of("X"), std::nullopt);
}

TEST(Messages, AVerdictComesBackAsItWas) {
  const auto verdict = decode_verdict(encode_verdict(refused()));
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->decision, Decision::kRefused);
  EXPECT_EQ(verdict->stage, Stage::kSecurity);
  EXPECT_EQ(verdict->code, refused().code);
  ASSERT_EQ(verdict->lines.lines.size(), 2u);
  EXPECT_EQ(verdict->lines.lines[1].line, 4u);
  EXPECT_EQ(verdict->lines.lines[1].column, -2);
  ASSERT_EQ(verdict->findings.size(), 2u);
  const Finding& one = verdict->findings[1];
  EXPECT_EQ(one.rule, &rule(RuleCode::kForbiddenImport)) << "it points into the one table";
  EXPECT_EQ(one.place, (Place{2, 0, 2, 9}));
  EXPECT_EQ(one.item, "os");
  EXPECT_EQ(one.message, "not on the list");
  EXPECT_EQ(one.suggestion, "use os.path");
}

TEST(Messages, CompiledCodeIsBytesNotText) {
  const auto verdict = decode_verdict(encode_verdict(accepted()));
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->compiled, accepted().compiled);
}

TEST(Messages, APolicyComesBackWithEveryEntry) {
  const Policy& sent = *find_builtin_policy("extractor");
  const auto policy = decode_hello(encode_hello(sent));
  ASSERT_TRUE(policy);
  EXPECT_EQ(encode_hello(*policy), encode_hello(sent));
  EXPECT_EQ(policy->modules.size(), sent.modules.size());
  EXPECT_EQ(policy->limits.tree_depth, sent.limits.tree_depth);
}

TEST(Messages, WhatIsForOneChamberComesBackWithItsPolicy) {
  Policy sent = *find_builtin_policy("node");
  sent.preloaded = {"numpy", "pandas"};
  sent.package_folder = {.path = "/home/\xff/site-packages", .hides_host = true};
  const auto policy = decode_hello(encode_hello(sent));
  ASSERT_TRUE(policy);
  EXPECT_EQ(*policy, sent);
}

TEST(Messages, ARequestPointsIntoItsMessage) {
  const std::string message =
      encode_vet("code", {.security = false, .signature = true}, TextKind::kAnswer);
  const auto request = decode_vet(message);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->raw, "code");
  EXPECT_FALSE(request->stages.security);
  EXPECT_TRUE(request->stages.signature);
  EXPECT_FALSE(request->stages.compile);
  EXPECT_EQ(request->kind, TextKind::kAnswer);
  EXPECT_EQ(decode_vet(encode_vet("", {}, TextKind::kProgram))->kind, TextKind::kProgram);
  EXPECT_GE(request->raw.data(), message.data());
}

TEST(Messages, StagesThatDoNotExistAreRefused) {
  std::string message = encode_vet("code", {}, TextKind::kAnswer);
  message[1] = '\x18';
  EXPECT_FALSE(decode_vet(message));
}

// ---- lies of a vetter that was taken over

TEST(Messages, AnAcceptanceWithAnErrorInItIsALie) {
  Verdict verdict = accepted();
  verdict.findings = {finding(RuleCode::kForbiddenImport, Severity::kError)};
  EXPECT_FALSE(decode_verdict(encode_verdict(verdict)));
}

TEST(Messages, ARefusalWithoutAnErrorIsALie) {
  Verdict verdict = refused();
  verdict.findings = {finding(RuleCode::kFenceRemoved, Severity::kNote)};
  EXPECT_FALSE(decode_verdict(encode_verdict(verdict)));
}

TEST(Messages, AnAcceptanceBeforeTheEndIsALie) {
  Verdict verdict = accepted();
  verdict.stage = Stage::kSecurity;
  EXPECT_FALSE(decode_verdict(encode_verdict(verdict)));
}

TEST(Messages, ARefusalAtTheEndIsALie) {
  Verdict verdict = refused();
  verdict.stage = Stage::kComplete;
  EXPECT_FALSE(decode_verdict(encode_verdict(verdict)));
}

// The bytes of a verdict with one finding, field by field, so that one field can be wrong.
struct RawVerdict {
  std::uint8_t decision = 1;
  std::uint8_t stage = 1;
  std::string code = "x\n";
  std::uint32_t lines = 0;
  std::uint32_t findings = 1;
  std::uint32_t rule = 201;
  std::uint8_t severity = 0;
  std::string item = "os";

  std::string bytes() const {
    MessageWriter out;
    out.put_byte('D');
    out.put_byte(decision);
    out.put_byte(stage);
    out.put_text(code);
    out.put_text("");  // compiled
    out.put_byte(0);   // has_sets
    out.put_number(lines);
    out.put_number(findings);
    out.put_number(rule);
    out.put_byte(severity);
    for (int i = 0; i < 4; ++i) out.put_number(1);
    out.put_text(item);
    out.put_text("message");
    out.put_text("suggestion");
    return out.take();
  }
};

bool is_taken(const RawVerdict& verdict) {
  return decode_verdict(verdict.bytes()).has_value();
}

TEST(Messages, AVerdictMadeByHandIsTaken) {
  EXPECT_TRUE(is_taken({}));
}

TEST(Messages, ARuleThatDoesNotExistIsRefused) {
  EXPECT_FALSE(is_taken({.rule = 999}));
  EXPECT_FALSE(is_taken({.rule = 0x10000 + 201})) << "not even when its low bytes are a rule's";
}

TEST(Messages, ASeverityThatDoesNotExistIsRefused) {
  EXPECT_FALSE(is_taken({.severity = 3}));
}

TEST(Messages, ADecisionOrStageThatDoesNotExistIsRefused) {
  EXPECT_FALSE(is_taken({.decision = 2}));
  EXPECT_FALSE(is_taken({.stage = 5}));
}

TEST(Messages, TextThatIsNotUtf8IsRefused) {
  EXPECT_FALSE(is_taken({.code = "\xFF"}));
  EXPECT_FALSE(is_taken({.item = "\xC0\x80"}));
}

TEST(Messages, CountsThatCannotBeThereAreRefused) {
  EXPECT_FALSE(is_taken({.lines = 0xFFFFFFFF}));
  EXPECT_FALSE(is_taken({.findings = 0xFFFFFFFF}));
  EXPECT_FALSE(is_taken({.findings = 2}));
  EXPECT_FALSE(decode_ready(std::string("R\xFF\xFF\xFF\xFF", 5)));
}

}  // namespace
}  // namespace airlock::wire
