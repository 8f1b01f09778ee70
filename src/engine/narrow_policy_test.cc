#include "engine/narrow_policy.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace airlock {
namespace {

bool has(const Policy& policy, std::string_view name) {
  return std::ranges::any_of(policy.modules,
                             [&](const Surface& surface) { return surface.name == name; });
}

TEST(NarrowPolicy, KeepsWhatTheTextNames) {
  const Policy policy =
      narrow_to("import urllib.parse\nfrom json import loads\n", *find_builtin_policy("extractor"));
  EXPECT_TRUE(has(policy, "urllib.parse"));
  EXPECT_TRUE(has(policy, "json"));
  EXPECT_FALSE(has(policy, "dataclasses"));
  EXPECT_FALSE(has(policy, "hashlib"));
}

TEST(NarrowPolicy, KeepsAllWhereANameCouldBeSpeltOtherwise) {
  const Policy& whole = *find_builtin_policy("extractor");
  for (const char* raw : {"import \xef\xbd\x8ason\n", R"({"code": "import \u006ason"})"})
    EXPECT_EQ(narrow_to(raw, whole).modules.size(), whole.modules.size()) << raw;
}

}  // namespace
}  // namespace airlock
