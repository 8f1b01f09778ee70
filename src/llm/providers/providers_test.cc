// What every row of the table must hold, whoever adds one.
#include "llm/providers/providers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/ascii.h"
#include "llm/bounded_json.h"

namespace airlock::llm {
namespace {

Endpoint usual_endpoint(const Provider& provider) {
  return parse_endpoint(provider.endpoint).value();
}

TEST(Providers, HaveNamesThatSettingsCanHold) {
  std::set<std::string_view> names = {kDisabled};
  for (const Provider* provider : providers::kAll) {
    EXPECT_FALSE(provider->name.empty());
    EXPECT_TRUE(std::ranges::all_of(provider->name, [](char c) {
      return is_lower(c) || is_digit(c);
    })) << provider->name;
    EXPECT_TRUE(names.insert(provider->name).second) << provider->name << " stands twice";
    EXPECT_EQ(find_provider(provider->name), provider);
    EXPECT_EQ(name_of(provider), provider->name);
    EXPECT_FALSE(provider->example_model.empty()) << provider->name;
  }
}

TEST(Providers, ThatNobodyKnowsAreNotFound) {
  for (const char* name : {"", "disabled", "Ollama", "ollama ", "olama"})
    EXPECT_EQ(find_provider(name), nullptr) << name;
  EXPECT_EQ(name_of(nullptr), "disabled");
}

TEST(Providers, AreListedBehindTheWordForNone) {
  const auto choices = provider_choices();
  ASSERT_EQ(choices.size(), providers::kAll.size() + 1);
  EXPECT_EQ(choices.front(), "disabled");
  for (std::size_t i = 0; i < providers::kAll.size(); ++i)
    EXPECT_EQ(choices[i + 1], providers::kAll[i]->name);
  EXPECT_EQ(one_of({"a", "b", "c"}), "a, b or c");
  EXPECT_EQ(one_of({"a"}), "a");
  EXPECT_EQ(one_of({"a", "b"}), "a or b");
  EXPECT_EQ(one_of({}), "");
}

// What is not on this machine is asked over TLS, and its key has a usual place.
TEST(Providers, OfOthersAreReachedSafely) {
  for (const Provider* provider : providers::kAll) {
    const Endpoint endpoint = usual_endpoint(*provider);
    EXPECT_EQ(endpoint.text(), provider->endpoint) << "as settings would write it";
    EXPECT_EQ(endpoint.is_loopback, provider->own_server.has_value()) << provider->name;
    EXPECT_NE(endpoint.is_tls, endpoint.is_loopback) << provider->name;
    EXPECT_EQ(provider->key_variable.empty(), provider->own_server.has_value()) << provider->name;
  }
}

TEST(Providers, OfOnesOwnSayWhatMendsThem) {
  for (const Provider* provider : providers::kAll) {
    if (!provider->own_server) continue;
    EXPECT_FALSE(provider->own_server->start.empty()) << provider->name;
    EXPECT_FALSE(provider->own_server->fetch.empty()) << provider->name;
    EXPECT_FALSE(provider->own_server->log.empty()) << provider->name;
  }
}

TEST(Providers, AreAskedAtTheirOwnServer) {
  for (const Provider* provider : providers::kAll) {
    const Endpoint endpoint = usual_endpoint(*provider);
    EXPECT_TRUE(provider->question_url(endpoint).starts_with(endpoint.origin() + "/"))
        << provider->name;
    EXPECT_TRUE(provider->models_url(endpoint).starts_with(endpoint.origin() + "/"))
        << provider->name;
    EXPECT_TRUE(provider->key_header.contains(": ")) << provider->name;
    EXPECT_TRUE(provider->other_header.empty() || provider->other_header.contains(": "))
        << provider->name;
  }
}

TEST(Providers, AreToldTheModelTheLimitAndTheWholePrompt) {
  const std::string model = "the-model";
  const Prompt prompt{.system = "the system's words", .user = "the user's words"};
  for (const Provider* provider : providers::kAll) {
    const std::string body =
        provider->question({.model = model, .prompt = prompt, .max_tokens = 4321}).dump();
    for (const char* part :
         {"the-model", "the system's words", "the user's words", "4321", "\"stream\":true"})
      EXPECT_TRUE(body.contains(part)) << provider->name << ": " << part;
  }
}

TEST(Providers, KnowWhatIsNotTheirProtocol) {
  for (const Provider* provider : providers::kAll) {
    for (const char* json : {"{}", "{\"a\":1}", "{\"choices\":7}", "{\"type\":null}",
                             "{\"done\":\"yes\"}", "{\"message\":[]}"})
      EXPECT_FALSE(provider->read(parse_bounded(json).value())) << provider->name << ": " << json;
  }
}

}  // namespace
}  // namespace airlock::llm
