// The table is tested from the table: each row's example is found, what is almost one is not, and a
// row that is weakened in any of the usual ways is noticed. Near misses come from the example, the
// weakening from the pattern: the two were written independently, so neither can excuse the other.
#include "admit/credentials.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "admit/secrets.h"
#include "support/example_secrets.h"

namespace airlock {
namespace {

constexpr char kForeign = '<';  // in no alphabet

// What one row alone finds in `text`, in the way the finder does it.
bool finds(const CredentialKind& kind, const std::string& text) {
  SecretFinder finder(std::span(&kind, 1));
  // Without the key's help and without random runs, which have names of their own.
  return std::ranges::any_of(finder.find(text, ""),
                             [&](const FoundSecret& found) { return found.kind == kind.name; });
}

// An example is a row of parts: text, or a run of characters.
struct Part {
  bool is_run = false;
  std::string recipe;
};

std::vector<Part> parts_of(std::string_view recipe) {
  std::vector<Part> parts;
  while (!recipe.empty()) {
    const std::size_t end =
        recipe[0] == '{' ? recipe.find('}') + 1 : std::min(recipe.find('{'), recipe.size());
    parts.push_back({recipe[0] == '{', std::string(recipe.substr(0, end))});
    recipe.remove_prefix(end);
  }
  return parts;
}

// Texts that are almost the example: a run that is one character short, and a run that has a
// foreign character in it.
std::vector<std::string> near_misses(const CredentialKind& kind) {
  constexpr std::uint64_t kNumber = 11;
  const std::vector<Part> parts = parts_of(kind.example);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].is_run) continue;
    std::string before;
    std::string after;
    for (std::size_t j = 0; j < i; ++j) before += make_example(parts[j].recipe, kNumber + j);
    for (std::size_t j = i + 1; j < parts.size(); ++j)
      after += make_example(parts[j].recipe, kNumber + j);
    const std::string own = make_example(parts[i].recipe, kNumber + i);
    texts.push_back(before + own.substr(1) + after);
    std::string foreign = own;
    foreign[own.size() / 2] = kForeign;
    texts.push_back(before + foreign + after);
  }
  if (texts.empty()) texts.push_back(make_example(kind.example, kNumber).substr(1));
  return texts;
}

// The pattern with one of its bounds loosened ({16,} → {1,}), or one of its classes ([0-9a-f] → any
// character). Bounds under 4 are of the surroundings, not of the secret.
std::vector<std::string> weakened(std::string_view pattern) {
  std::vector<std::string> results;
  const std::string text(pattern);
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find_first_of(",}", at);
    if (std::strtoul(text.c_str() + at + 1, nullptr, 10) < 4 || end == std::string::npos) continue;
    results.push_back(text.substr(0, at) + "{1,}" + text.substr(text.find('}', at) + 1));
    if (at == 0 || text[at - 1] != ']') continue;
    std::size_t bracket = text.rfind('[', at);
    while (bracket != std::string::npos && bracket > 0 && text[bracket - 1] == '\\')
      bracket = text.rfind('[', bracket - 1);
    if (bracket != std::string::npos)
      results.push_back(text.substr(0, bracket) + "(?s:.)" + text.substr(at));
  }
  return results;
}

class Credentials : public testing::TestWithParam<CredentialKind> {};

TEST_P(Credentials, ItsExamplesAreFoundWhole) {
  const CredentialKind& kind = GetParam();
  for (std::uint64_t number = 1; number <= 20; ++number) {
    const std::string example = make_example(kind.example, number);
    ASSERT_TRUE(finds(kind, example)) << example;
    ASSERT_TRUE(finds(kind, "before " + example + " after")) << example;
    ASSERT_TRUE(finds(kind, "x=%3D" + example + "\n")) << example;
  }
}

TEST_P(Credentials, WhatIsAlmostOneIsNotFound) {
  const CredentialKind& kind = GetParam();
  for (const std::string& text : near_misses(kind)) EXPECT_FALSE(finds(kind, text)) << text;
}

TEST_P(Credentials, AWeakerPatternIsNoticed) {
  const CredentialKind& kind = GetParam();
  const auto texts = near_misses(kind);
  for (const std::string& pattern : weakened(kind.pattern)) {
    CredentialKind weak = kind;
    weak.pattern = pattern;
    const bool is_noticed = std::ranges::any_of(
        texts, [&](const std::string& text) { return finds(weak, text) && !finds(kind, text); });
    EXPECT_TRUE(is_noticed) << kind.name << ": " << pattern;
  }
}

TEST_P(Credentials, ItsWordIsInEveryExample) {
  const CredentialKind& kind = GetParam();
  ASSERT_FALSE(kind.words.empty());
  EXPECT_TRUE(re2::RE2(std::string(kind.pattern)).ok());
  CredentialKind without = kind;
  without.words = "\x01\x02";
  EXPECT_FALSE(finds(without, make_example(kind.example, 3)));
}

INSTANTIATE_TEST_SUITE_P(Table, Credentials,
                         testing::ValuesIn(all_credential_kinds().begin(),
                                           all_credential_kinds().end()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(CredentialTable, HasAtLeastSixtyKindsWithNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const CredentialKind& kind : all_credential_kinds())
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
  EXPECT_GE(names.size(), 60U);
}

TEST(CredentialTable, NamesASecretByTheFirstRowThatFits) {
  SecretFinder finder;
  const auto kind_of = [&](std::string_view name) {
    for (const CredentialKind& kind : all_credential_kinds()) {
      if (kind.name != name) continue;
      const auto found = finder.find(make_example(kind.example, 7), "");
      return found.empty() ? std::string() : std::string(found[0].kind);
    }
    return std::string("no such row");
  };
  for (const char* name :
       {"anthropic_key", "openai_key", "github_personal_token", "stripe_key", "json_web_token",
        "slack_token", "aws_access_key_id", "google_api_key", "gitlab_personal_token", "npm_token"})
    EXPECT_EQ(kind_of(name), name);
}

}  // namespace
}  // namespace airlock
