// A real node host, spoken to in bytes: a store to begin with, then nodes, entries and templates.
// Its code is trusted with the user's files and no walls are raised; a mistake in that code costs
// its own node, and what is no question ends the host.
#include <gtest/gtest.h>

#include <string>

#include "guest/roles.h"
#include "os/memory_file.h"
#include "os/shared_progress.h"
#include "support/host_talk.h"
#include "wire/node_messages.h"

namespace airlock::guest {
namespace {

using test::Host;

// One that has its store.
class Nodes {
 public:
  explicit Nodes(std::string_view shared = "{}") : host_("node") {
    host_.say(wire::encode_start_nodes(shared), progress_.descriptor());
  }

  Host& host() { return host_; }
  os::SharedProgress& progress() { return progress_; }
  bool is_ready() { return wire::decode_ready(host_.hear().value_or("")).has_value(); }

  // A node with this code; what became of it.
  std::optional<wire::NodeDone> run(std::string_view code, const std::string& name = "one") {
    say_node({.name = name, .params = params(code), .goes_on = true});
    return wire::decode_done(host_.hear().value_or(""));
  }
  void say_node(const wire::NodeRequest& request) {
    const int both[] = {output_.descriptor(), error_output_.descriptor()};
    say_with(wire::encode_node(request), both);
  }
  std::string printed() { return output_.beginning(1000); }

 private:
  static std::string params(std::string_view code) {
    std::string text = "{\"code\":\"";
    for (const char one : code) {
      if (one == '\n') {
        text += "\\n";
      } else if (one == '"' || one == '\\') {
        text += std::string("\\") + one;
      } else {
        text += one;
      }
    }
    return text + "\"}";
  }
  void say_with(const std::string& message, std::span<const int> descriptors) {
    host_.say_with(message, descriptors);
  }

  os::SharedProgress progress_ = os::SharedProgress::make().value();
  os::MemoryFile output_ = os::MemoryFile::make("output").value();
  os::MemoryFile error_output_ = os::MemoryFile::make("errors").value();
  Host host_;
};

// ---- its life

TEST(NodeHost, IsReadyWhenItHasAStore) {
  Nodes nodes("{\"a\": 1}");
  EXPECT_TRUE(nodes.is_ready());
  nodes.host().stop_talking();
  EXPECT_EQ(nodes.host().exit_code(), test::kDone);
}

TEST(NodeHost, AStoreThatIsNoJsonIsSaid) {
  for (const std::string_view bad : {"", "{", "nonsense", "\xFF"}) {
    Nodes nodes(bad);
    const auto trouble = wire::decode_trouble(nodes.host().hear().value_or(""));
    ASSERT_TRUE(trouble) << bad;
    EXPECT_NE(trouble->find("start the node host"), std::string::npos);
    EXPECT_EQ(nodes.host().exit_code(), test::kCannotStart);
  }
}

TEST(NodeHost, AStoreWithoutSharedMemoryIsSaid) {
  Host host("node");
  host.say(wire::encode_start_nodes("{}"));
  EXPECT_TRUE(wire::decode_trouble(host.hear().value_or("")));
  EXPECT_EQ(host.exit_code(), test::kCannotStart);
}

TEST(NodeHost, AnythingButAStoreAtTheBeginningIsSaid) {
  for (const std::string& first : {wire::encode_checkpoint(), wire::encode_put("a", "{}"),
                                   std::string("?"), wire::encode_start_nodes("{}") + "x"}) {
    Host host("node");
    auto progress = os::SharedProgress::make().value();
    host.say(first, progress.descriptor());
    EXPECT_TRUE(wire::decode_trouble(host.hear().value_or("")));
    EXPECT_EQ(host.exit_code(), test::kCannotStart);
  }
}

// ---- nodes

TEST(NodeHost, ANodeRunsAndItsResultIsShown) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  const auto done = nodes.run("print('said')\nresult: dict = {'n': 1}");
  ASSERT_TRUE(done);
  EXPECT_EQ(done->action, "default");
  EXPECT_TRUE(done->has_result);
  EXPECT_EQ(done->result, "{\"n\":1}");
  EXPECT_EQ(done->output, "said\n");
  EXPECT_EQ(nodes.printed(), "said\n");
}

TEST(NodeHost, ANodeThatRaisesIsAnErrorWithItsLineAndTheNextOneRuns) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  const auto bad = nodes.run("x = 1\nraise ValueError('no')\nresult: int = 1");
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->action, "error");
  EXPECT_EQ(bad->error_type, "ValueError");
  EXPECT_EQ(bad->line, 2U);
  EXPECT_FALSE(bad->has_result);
  EXPECT_EQ(nodes.run("result: int = 2", "two")->result, "2");
}

TEST(NodeHost, WhatItIsDoingStandsInSharedMemory) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  ASSERT_TRUE(nodes.run("result: int = 1"));
  EXPECT_GE(nodes.progress().view().beginnings, 1U);
}

TEST(NodeHost, ParametersThatAreNoJsonCostTheirOwnNode) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  nodes.say_node({.name = "bad", .params = "{", .goes_on = true});
  EXPECT_TRUE(nodes.host().hear()) << "some answer";
  EXPECT_EQ(nodes.run("result: int = 2", "two")->result, "2");
}

TEST(NodeHost, AProcessThatItsNodeEndsIsGoneWithoutAnAnswer) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  EXPECT_FALSE(nodes.run("import os\nos._exit(9)\nresult: int = 1"));
  EXPECT_EQ(nodes.host().exit_code(), 9);
}

TEST(NodeHost, AResultThatJsonCannotSayIsShownByTypeAndRepr) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  const auto done = nodes.run("result: object = object");
  ASSERT_TRUE(done);
  EXPECT_FALSE(done->is_exact);
  EXPECT_NE(done->result.find("$type"), std::string::npos);
}

TEST(NodeHost, TwoKeysThatAreOneInJsonAreNoResult) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  const auto done = nodes.run("result: dict = {1: 'a', '1': 'b'}");
  ASSERT_TRUE(done);
  EXPECT_EQ(done->action, "error");
  EXPECT_FALSE(done->has_result);
}

// ---- the store

TEST(NodeHost, AnEntryThatIsPutIsThereForTemplates) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  nodes.host().say(wire::encode_put("first", "{\"result\": [1, 2]}"));
  EXPECT_TRUE(wire::decode_ready(nodes.host().hear().value_or("")));
  nodes.host().say(wire::encode_resolve("{\"x\": \"${first.result}\"}"));
  const auto value = wire::decode_value(nodes.host().hear().value_or(""));
  ASSERT_TRUE(value);
  EXPECT_EQ(value->problem, "");
  EXPECT_EQ(value->json, "{\"x\":[1,2]}");
}

TEST(NodeHost, ATemplateThatLeadsNowhereIsAnAnswer) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  for (const std::string_view bad : {"{\"x\": \"${nobody.result}\"}", "{", "", "\xFF"}) {
    nodes.host().say(wire::encode_resolve(bad));
    EXPECT_TRUE(nodes.host().hear()) << bad;
  }
  EXPECT_EQ(nodes.run("result: int = 1")->result, "1") << "it goes on";
}

TEST(NodeHost, AnEntryThatIsNoJsonIsSaidAndItGoesOn) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  nodes.host().say(wire::encode_put("bad", "{"));
  EXPECT_TRUE(wire::decode_trouble(nodes.host().hear().value_or("")));
  EXPECT_EQ(nodes.run("result: int = 1")->result, "1");
}

// ---- what ends it

TEST(NodeHost, ANodeWithoutItsTwoFilesEndsIt) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  EXPECT_EQ(nodes.host().exit_code_after(wire::encode_node({.name = "a", .params = "{}"})),
            test::kBadRequest);
}

TEST(NodeHost, KeepingWithoutASocketEndsIt) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  EXPECT_EQ(nodes.host().exit_code_after(wire::encode_checkpoint()), test::kBadRequest);
}

TEST(NodeHost, MessagesThatItDoesNotKnowEndIt) {
  for (const std::string& other :
       {std::string("?"), std::string(), wire::encode_start_nodes("{}"),
        wire::encode_checkpoint_ready(1), wire::encode_done({}), wire::encode_put("a", "{}") + "x",
        wire::encode_resolve("1").substr(0, 3)}) {
    Nodes nodes;
    ASSERT_TRUE(nodes.is_ready());
    EXPECT_EQ(nodes.host().exit_code_after(other), test::kBadRequest);
  }
}

TEST(NodeHost, ALengthBeyondEveryLimitEndsIt) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  nodes.host().say_raw("\xFF\xFF\xFF\xFF");
  nodes.host().stop_talking();
  EXPECT_EQ(nodes.host().exit_code(), test::kBadRequest);
}

// ---- the copy

TEST(NodeHost, ACopyGoesOnWithTheStoreAsItWas) {
  Nodes nodes;
  ASSERT_TRUE(nodes.is_ready());
  ASSERT_TRUE(nodes.run("result: int = 41", "before"));
  auto sockets = os::make_socket_pair().value();
  nodes.host().say(wire::encode_checkpoint(), sockets.second.get());
  sockets.second.reset();
  test::Talk copy(std::move(sockets.first));
  ASSERT_TRUE(wire::decode_checkpoint_ready(copy.hear().value_or("")));
  EXPECT_FALSE(nodes.run("import os\nos._exit(1)\nresult: int = 1", "dies"));
  copy.say(wire::encode_resolve("\"${before.result}\""));
  const auto value = wire::decode_value(copy.hear().value_or(""));
  ASSERT_TRUE(value);
  EXPECT_EQ(value->json, "41");
}

}  // namespace
}  // namespace airlock::guest
