// The conversation with a node host: what is sent comes back, and nothing else is taken.
#include "wire/node_messages.h"

#include <gtest/gtest.h>

namespace airlock::wire {
namespace {

NodeDone example() {
  return {.action = "default",
          .phase = "post",
          .error_type = "TypeError",
          .line = 7,
          .has_result = true,
          .is_exact = true,
          .result = "{\"a\":1}",
          .error = "Error: x",
          .output = "out\n",
          .error_output = "err\n"};
}

TEST(NodeMessages, ANodeComesBackAsItWas) {
  const NodeRequest request{.name = "fetch",
                            .params = "{}",
                            .actions = "[\"again\"]",
                            .attempts = 3,
                            .wait_ms = 250,
                            .goes_on = true};
  const auto read = decode_node(encode_node(request));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "fetch");
  EXPECT_EQ(read->actions, "[\"again\"]");
  EXPECT_EQ(read->attempts, 3U);
  EXPECT_EQ(read->wait_ms, 250U);
  EXPECT_TRUE(read->goes_on);
}

TEST(NodeMessages, AnOutcomeComesBackAsItWas) {
  const auto read = decode_done(encode_done(example()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->line, 7U);
  EXPECT_TRUE(read->is_exact);
  EXPECT_EQ(read->result, "{\"a\":1}");
  EXPECT_EQ(read->error_output, "err\n");
}

TEST(NodeMessages, WhatIsCutOffOrTooLongIsNoMessage) {
  const std::string whole = encode_done(example());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(decode_done(std::string_view(whole).substr(0, size))) << size;
  EXPECT_FALSE(decode_done(whole + "x"));
}

TEST(NodeMessages, AFlagIsZeroOrOne) {
  std::string message = encode_value({"1", "", true});
  ASSERT_TRUE(decode_value(message));
  message.back() = 2;
  EXPECT_FALSE(decode_value(message));
}

TEST(NodeMessages, OneKindIsNotTakenForAnother) {
  EXPECT_TRUE(is_checkpoint(encode_checkpoint()));
  EXPECT_FALSE(decode_put(encode_resolve("{}")));
  EXPECT_FALSE(decode_checkpoint_ready(encode_checkpoint()));
  EXPECT_EQ(decode_checkpoint_ready(encode_checkpoint_ready(42)), 42U);
  EXPECT_EQ(decode_resolve(encode_resolve("[]")), "[]");
  EXPECT_EQ(decode_start_nodes(encode_start_nodes("{}")), "{}");
}

}  // namespace
}  // namespace airlock::wire
