#include "wire/cell_messages.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

namespace airlock::wire {
namespace {

GuestOutcome outcome() {
  GuestOutcome made;
  made.success = true;
  made.output_was_cut = true;
  made.value = "{\"a\": 1}";
  made.error_type = "ValueError";
  made.error = "bad";
  made.error_line = 3;
  made.trace = {{2, "extract"}, {7, "helper"}};
  made.output = "printed";
  made.error_output = "warned";
  made.microseconds = 1234;
  made.denials = {{41, 5}};
  return made;
}

std::vector<std::pair<std::string, std::function<bool(std::string_view)>>> all_messages() {
  return {
      {encode_cell(), is_cell},
      {encode_reap(7), [](std::string_view m) { return decode_reap(m).has_value(); }},
      {encode_born(7), [](std::string_view m) { return decode_born(m).has_value(); }},
      {encode_ended({true, 9, 12, 1024}),
       [](std::string_view m) { return decode_ended(m).has_value(); }},
      {encode_prepare({1, 2}), [](std::string_view m) { return decode_prepare(m).has_value(); }},
      {encode_load(RunLimits{}, "code"),
       [](std::string_view m) { return decode_load(m).has_value(); }},
      {encode_path("/a/b"), [](std::string_view m) { return decode_path(m).has_value(); }},
      {encode_locked({"seccomp"}), [](std::string_view m) { return decode_locked(m).has_value(); }},
      {encode_outcome(outcome()), [](std::string_view m) { return decode_outcome(m).has_value(); }},
  };
}

TEST(CellMessages, AnyMessageCutAnywhereIsRefused) {
  for (const auto& [message, is_taken] : all_messages()) {
    EXPECT_TRUE(is_taken(message));
    EXPECT_FALSE(is_taken(message + '\0'));
    for (std::size_t size = 0; size < message.size(); ++size)
      EXPECT_FALSE(is_taken(std::string_view(message).substr(0, size)))
          << message[0] << " " << size;
  }
}

TEST(CellMessages, NoDecoderTakesAMessageOfAnotherType) {
  const auto messages = all_messages();
  for (const auto& [message, is_taken] : messages) {
    for (const auto& [other, ignored] : messages) {
      if (other[0] == message[0]) continue;
      EXPECT_FALSE(is_taken(other)) << message[0] << " took " << other[0];
    }
  }
}

TEST(CellMessages, AnOutcomeComesBackAsItWas) {
  const auto got = decode_outcome(encode_outcome(outcome()));
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->success);
  EXPECT_TRUE(got->output_was_cut);
  EXPECT_EQ(got->value, outcome().value);
  ASSERT_EQ(got->trace.size(), 2u);
  EXPECT_EQ(got->trace[1].function, "helper");
  EXPECT_EQ(got->denials, outcome().denials);
  EXPECT_EQ(encode_outcome(*got), encode_outcome(outcome()));
}

TEST(CellMessages, LimitsComeBackAsTheyWere) {
  const RunLimits limits{1, 2, 3, 4, 5};
  const std::string message = encode_load(limits, "code");
  const auto got = decode_load(message);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->limits.timeout_ms, 1u);
  EXPECT_EQ(got->limits.memory_bytes, 2u);
  EXPECT_EQ(got->limits.result_bytes, 3u);
  EXPECT_EQ(got->limits.output_bytes, 4u);
  EXPECT_EQ(got->limits.result_depth, 5u);
  EXPECT_EQ(got->compiled, "code");
}

// ---- lies of a cell: everything in an outcome is the guest's word

TEST(CellMessages, AnOutcomeWithATraceWithoutEndIsRefused) {
  GuestOutcome lie = outcome();
  lie.trace.assign(65, {1, "f"});
  EXPECT_FALSE(decode_outcome(encode_outcome(lie)));
}

TEST(CellMessages, AnOutcomeWithDenialsWithoutEndIsRefused) {
  GuestOutcome lie = outcome();
  lie.denials.assign(65, {1, 1});
  EXPECT_FALSE(decode_outcome(encode_outcome(lie)));
}

TEST(CellMessages, AnOutcomeThatIsNotUtf8IsRefused) {
  for (auto field : {&GuestOutcome::value, &GuestOutcome::error_type, &GuestOutcome::error,
                     &GuestOutcome::output, &GuestOutcome::error_output}) {
    GuestOutcome lie = outcome();
    lie.*field = "\xED\xA0\x80";  // a lone surrogate
    EXPECT_FALSE(decode_outcome(encode_outcome(lie)));
  }
}

TEST(CellMessages, AnEndThatIsNeitherASignalNorACodeIsRefused) {
  std::string message = encode_ended({true, 9, 12, 1024});
  message[1] = '\x02';
  EXPECT_FALSE(decode_ended(message));
}

TEST(CellMessages, AnOutcomeWithUnknownBitsIsRefused) {
  std::string message = encode_outcome(outcome());
  message[1] = '\x04';
  EXPECT_FALSE(decode_outcome(message));
}

}  // namespace
}  // namespace airlock::wire
