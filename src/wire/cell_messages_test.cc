// What a zygote and a cell are asked and answer, and the lies of a cell that was taken over.
#include "wire/cell_messages.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

namespace airlock::wire {
namespace {

constexpr std::uint64_t kTicket = 0xFEDCBA9876543210U;

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
  return made;
}

std::vector<std::pair<std::string, std::function<bool(std::string_view)>>> all_messages() {
  return {
      {encode_cell(), is_cell},
      {encode_reap(7), [](std::string_view m) { return decode_reap(m).has_value(); }},
      {encode_forget(7), [](std::string_view m) { return decode_forget(m).has_value(); }},
      {encode_born(7), [](std::string_view m) { return decode_born(m).has_value(); }},
      {encode_ended({true, 9, 1024}),
       [](std::string_view m) { return decode_ended(m).has_value(); }},
      {encode_prepare({1, 2}), [](std::string_view m) { return decode_prepare(m).has_value(); }},
      {encode_load(kTicket, RunLimits{}, "code"),
       [](std::string_view m) { return decode_load(m).has_value(); }},
      {encode_path(kTicket, "/a/b"), [](std::string_view m) { return decode_path(m).has_value(); }},
      {encode_locked({"seccomp"}), [](std::string_view m) { return decode_locked(m).has_value(); }},
      {encode_outcome(kTicket, outcome()),
       [](std::string_view m) { return decode_outcome(m).has_value(); }},
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
  const auto read = decode_outcome(encode_outcome(kTicket, outcome()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->ticket, kTicket);
  const GuestOutcome& got = read->outcome;
  EXPECT_TRUE(got.success);
  EXPECT_TRUE(got.output_was_cut);
  EXPECT_EQ(got.value, outcome().value);
  ASSERT_EQ(got.trace.size(), 2u);
  EXPECT_EQ(got.trace[1].function, "helper");
  EXPECT_EQ(encode_outcome(kTicket, got), encode_outcome(kTicket, outcome()));
}

TEST(CellMessages, WhatWasDeniedIsInNoMessage) {
  GuestOutcome denied = outcome();
  denied.denials = {{41, 5}};
  EXPECT_EQ(encode_outcome(kTicket, denied), encode_outcome(kTicket, outcome()));
}

TEST(CellMessages, ATicketGoesToTheCellAndComesBackWhole) {
  for (const std::uint64_t ticket :
       {std::uint64_t{0}, std::uint64_t{1}, kTicket, ~std::uint64_t{0}}) {
    const std::string path = encode_path(ticket, "/a");
    const std::string load = encode_load(ticket, RunLimits{}, "code");
    EXPECT_EQ(decode_path(path)->ticket, ticket);
    EXPECT_EQ(decode_path(path)->path, "/a");
    EXPECT_EQ(decode_load(load)->ticket, ticket);
    EXPECT_EQ(decode_outcome(encode_outcome(ticket, outcome()))->ticket, ticket);
  }
}

TEST(CellMessages, LimitsComeBackAsTheyWere) {
  const RunLimits limits{1, 2, 3, 4, 5};
  const std::string message = encode_load(kTicket, limits, "code");
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
  EXPECT_FALSE(decode_outcome(encode_outcome(kTicket, lie)));
}

TEST(CellMessages, AnOutcomeThatIsNotUtf8IsRefused) {
  for (auto field : {&GuestOutcome::value, &GuestOutcome::error_type, &GuestOutcome::error,
                     &GuestOutcome::output, &GuestOutcome::error_output}) {
    GuestOutcome lie = outcome();
    lie.*field = "\xED\xA0\x80";  // a lone surrogate
    EXPECT_FALSE(decode_outcome(encode_outcome(kTicket, lie)));
  }
}

TEST(CellMessages, AnEndThatIsNeitherASignalNorACodeIsRefused) {
  std::string message = encode_ended({true, 9, 1024});
  message[1] = '\x02';
  EXPECT_FALSE(decode_ended(message));
}

TEST(CellMessages, AnOutcomeWithUnknownBitsIsRefused) {
  std::string message = encode_outcome(kTicket, outcome());
  message[9] = '\x04';  // behind the type and the ticket
  EXPECT_FALSE(decode_outcome(message));
}

}  // namespace
}  // namespace airlock::wire
