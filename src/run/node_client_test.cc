// A real airlock-host, and nodes that do one thing each.
#include "run/node_client.h"

#include <gtest/gtest.h>

namespace airlock::run {
namespace {

// {"code": …} of code whose only odd characters are line ends, quotes and backslashes.
std::string params_of(std::string_view code) {
  std::string text = "{\"code\":\"";
  for (const char c : code) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"}";
}

using std::chrono::milliseconds;

std::unique_ptr<NodeClient> start(std::string_view shared = "{}") {
  auto client = NodeClient::start(AIRLOCK_BINARY_DIR "/airlock-host", shared);
  if (!client || !(*client)->await_ready()) return nullptr;
  return std::move(*client);
}

wire::NodeRequest node(const std::string& name, const std::string& code) {
  return {.name = name, .params = params_of(code), .actions = "", .goes_on = true};
}

TEST(NodeClient, ANodeGivesItsResult) {
  const auto client = start();
  ASSERT_TRUE(client);
  const auto done = client->run(node("a", "print('x')\nresult: list = [1]"), milliseconds(5000));
  ASSERT_TRUE(done);
  EXPECT_EQ(done->action, "default");
  EXPECT_EQ(done->result, "[1]");
  EXPECT_EQ(done->output, "x\n");
  EXPECT_TRUE(done->is_exact);
}

TEST(NodeClient, TheTimeIsHeldFromOutside) {
  const auto client = start();
  ASSERT_TRUE(client);
  const auto begin = std::chrono::steady_clock::now();
  const auto done =
      client->run(node("a", "print('x')\nsum(range(10**15))\nresult: int = 1"), milliseconds(200));
  const auto took = std::chrono::steady_clock::now() - begin;
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().why, LostNode::Why::kTimedOut);
  EXPECT_EQ(done.error().output, "x\n");
  EXPECT_EQ(done.error().attempts, 1U);
  EXPECT_GE(took, milliseconds(200));
  EXPECT_LT(took, milliseconds(2000));
  EXPECT_FALSE(client->restore_checkpoint());
}

TEST(NodeClient, ACopyGoesOnWhereTheHostWas) {
  const auto client = start();
  ASSERT_TRUE(client);
  ASSERT_TRUE(client->run(node("a", "result: set = {1, 2}"), milliseconds(5000)));
  ASSERT_TRUE(client->make_checkpoint());
  const auto lost =
      client->run(node("b", "import os\nos._exit(9)\nresult: int = 1"), milliseconds(5000));
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().why, LostNode::Why::kEnded);
  EXPECT_EQ(lost.error().status.number, 9);
  ASSERT_TRUE(client->restore_checkpoint());
  const auto value = client->resolve("\"${a.result}\"");
  ASSERT_TRUE(value);
  EXPECT_FALSE(value->is_json);
  EXPECT_NE(value->json.find("{1, 2}"), std::string::npos);
  // And once more, from the copy.
  ASSERT_TRUE(client->make_checkpoint());
  ASSERT_FALSE(
      client->run(node("b", "import os\nos._exit(9)\nresult: int = 1"), milliseconds(5000)));
  ASSERT_TRUE(client->restore_checkpoint());
  EXPECT_TRUE(client->run(node("c", "result: int = 1"), milliseconds(5000)));
}

TEST(NodeClient, AnEntryFromElsewhereIsFound) {
  const auto client = start("{\"n\": 5}");
  ASSERT_TRUE(client);
  ASSERT_TRUE(client->put("x", "{\"result\": [7]}"));
  const auto value = client->resolve("[\"${x.result[0]}\", \"${n}\"]");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->json, "[7,5]");
  EXPECT_NE(client->resolve("\"${y}\"")->problem, "");
}

}  // namespace
}  // namespace airlock::run
