// The built-in policies as they are in the program. Whether what they allow is harmless is the
// matter of tools/derive_policy.py; here is what the code that uses them relies on.
#include "model/policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace airlock {
namespace {

template <typename Row>
void expect_sorted_with_reasons(const std::vector<Row>& rows, std::string_view what) {
  std::string_view before;
  for (const Row& row : rows) {
    EXPECT_LT(before, row.name) << what;
    EXPECT_FALSE(row.why.empty()) << what << ' ' << row.name;
    before = row.name;
  }
}

template <typename Allowed, typename Refused>
void expect_disjoint(const std::vector<Allowed>& allowed, const std::vector<Refused>& refused) {
  for (const Refused& row : refused) {
    const auto found = std::ranges::find(allowed, row.name, &Allowed::name);
    EXPECT_EQ(found, allowed.end()) << row.name << " is allowed and refused";
  }
}

void expect_sound(const Surface& surface) {
  EXPECT_FALSE(surface.attributes.empty()) << surface.name;
  EXPECT_TRUE(std::ranges::is_sorted(surface.attributes)) << surface.name;
  EXPECT_EQ(std::ranges::adjacent_find(surface.attributes), surface.attributes.end())
      << surface.name;
  expect_sorted_with_reasons(surface.refused, surface.name);
  for (const Refusal& row : surface.refused) {
    EXPECT_FALSE(std::ranges::binary_search(surface.attributes, row.name))
        << surface.name << '.' << row.name;
  }
  std::multiset<std::string> grouped;
  for (const Group& group : surface.groups) {
    EXPECT_FALSE(group.why.empty()) << surface.name;
    grouped.insert(group.names.begin(), group.names.end());
  }
  EXPECT_TRUE(std::ranges::equal(grouped, surface.attributes)) << surface.name;
}

TEST(BuiltInPolicies, AreFoundByTheirNames) {
  ASSERT_FALSE(builtin_policies().empty());
  for (const Policy& policy : builtin_policies()) {
    EXPECT_EQ(find_builtin_policy(policy.name), &policy);
    EXPECT_FALSE(policy.summary.empty());
  }
  EXPECT_NE(find_builtin_policy("extractor"), nullptr);
  EXPECT_EQ(find_builtin_policy("Extractor"), nullptr);
  EXPECT_EQ(find_builtin_policy(""), nullptr);
}

TEST(BuiltInPolicies, AreSortedAndEveryEntryHasAReason) {
  for (const Policy& policy : builtin_policies()) {
    expect_sorted_with_reasons(policy.modules, "modules");
    expect_sorted_with_reasons(policy.packages, "packages");
    expect_sorted_with_reasons(policy.classes, "classes");
    expect_sorted_with_reasons(policy.refused_modules, "refused modules");
    expect_sorted_with_reasons(policy.builtins, "builtins");
    expect_sorted_with_reasons(policy.refused_builtins, "refused builtins");
    expect_sorted_with_reasons(policy.readable_special, "readable special names");
    expect_sorted_with_reasons(policy.definable_special, "definable special names");
    expect_sorted_with_reasons(policy.private_names, "private names");
    expect_sorted_with_reasons(policy.introspection, "introspection");
    expect_sorted_with_reasons(policy.file_operations, "file operations");
    for (const std::vector<Surface>* surfaces :
         {&policy.modules, &policy.packages, &policy.classes}) {
      for (const Surface& surface : *surfaces) expect_sound(surface);
    }
  }
}

TEST(BuiltInPolicies, RefuseNothingThatTheyAllow) {
  for (const Policy& policy : builtin_policies()) {
    expect_disjoint(policy.modules, policy.refused_modules);
    expect_disjoint(policy.builtins, policy.refused_builtins);
    expect_disjoint(policy.readable_special, policy.introspection);
    expect_disjoint(policy.readable_special, policy.file_operations);
    expect_disjoint(policy.private_names, policy.introspection);
    expect_disjoint(policy.packages, policy.modules);
    for (const Surface& guarded : policy.classes) {
      for (const Refusal& row : policy.file_operations) {
        EXPECT_FALSE(std::ranges::binary_search(guarded.attributes, row.name)) << row.name;
      }
    }
  }
}

TEST(BuiltInPolicies, HaveLimits) {
  for (const Policy& policy : builtin_policies()) {
    EXPECT_GT(policy.limits.source_bytes, 0u);
    EXPECT_GT(policy.limits.bracket_depth, 0u);
    EXPECT_GT(policy.limits.tree_depth, 0u);
  }
}

TEST(ExtractorPolicy, LetsNothingButPathAndSeparatorsThroughOs) {
  const Policy& policy = *find_builtin_policy("extractor");
  const auto os = std::ranges::find(policy.packages, "os", &Surface::name);
  ASSERT_NE(os, policy.packages.end());
  EXPECT_EQ(os->attributes,
            (std::vector<std::string>{"altsep", "extsep", "path", "pathsep", "sep"}));
  EXPECT_EQ(std::ranges::find(policy.modules, "os", &Surface::name), policy.modules.end());
}

TEST(ExtractorPolicy, EveryFileOperationOfAPathIsRefusedWithAReason) {
  const Policy& policy = *find_builtin_policy("extractor");
  const auto path = std::ranges::find(policy.classes, "pathlib.Path", &Surface::name);
  ASSERT_NE(path, policy.classes.end());
  for (const Refusal& row : policy.file_operations) {
    EXPECT_NE(std::ranges::find(path->refused, row.name, &Refusal::name), path->refused.end())
        << row.name;
  }
}

}  // namespace
}  // namespace airlock
