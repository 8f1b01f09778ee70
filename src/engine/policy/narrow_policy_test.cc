#include "engine/policy/narrow_policy.h"

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

TEST(NarrowPolicy, KeepsWhatOnlyLoadingCanTellOf) {
  Policy whole = *find_builtin_policy("extractor");
  whole.modules.push_back({"sqlite3", "for a test", {"connect"}, {}});
  const Policy policy = narrow_to("import json\n", whole);
  EXPECT_TRUE(has(policy, "sqlite3"));
  EXPECT_EQ(policy.modules.size(), 2U);
}

TEST(NarrowPolicy, WordsThatAreNoImportsDoNotCount) {
  const Policy policy = narrow_to("from datetime import date\n\nKINDS = {'.json': 'document'}\n",
                                  *find_builtin_policy("extractor"));
  EXPECT_TRUE(has(policy, "datetime"));
  EXPECT_TRUE(has(policy, "time"));  // datetime needs it
  EXPECT_FALSE(has(policy, "re"));
  EXPECT_FALSE(has(policy, "json"));
}

TEST(NarrowPolicy, AnImportOverTwoLinesCounts) {
  for (const char* raw : {"from json \\\n  import loads\n", "import re, \\\r\n  json\r\n"})
    EXPECT_TRUE(has(narrow_to(raw, *find_builtin_policy("extractor")), "json")) << raw;
}

TEST(NarrowPolicy, AnImportInsideAStringCounts) {
  const Policy policy = narrow_to(R"({"code": "import re\nimport json\nfrom\ttime import time\n"})",
                                  *find_builtin_policy("extractor"));
  for (const char* name : {"re", "json", "time"}) EXPECT_TRUE(has(policy, name)) << name;
  EXPECT_FALSE(has(policy, "uuid"));
}

TEST(NarrowPolicy, PartsStayWhereAWordLeadsToThem) {
  const Policy& whole = *find_builtin_policy("extractor");
  const auto leaves_out = [&](const char* text, const char* part) {
    const Policy policy = narrow_to(text, whole);
    return std::ranges::find(policy.parts_left_out, part) != policy.parts_left_out.end();
  };
  EXPECT_TRUE(leaves_out("from datetime import datetime\n", "_strptime"));
  EXPECT_FALSE(leaves_out("datetime.strptime(a, b)\n", "_strptime"));
  EXPECT_TRUE(leaves_out("x = 1\n", "encodings.latin_1"));
  for (const char* text : {"p.encode('latin-1')", "str(b'x', 'ascii')", "bytes(1)", "h.digest()"})
    EXPECT_FALSE(leaves_out(text, "encodings.latin_1")) << text;
  EXPECT_FALSE(leaves_out("p.encode('shift_jis')", "encodings.shift_jis"));
  EXPECT_FALSE(is_warm_enough(narrow_to("x = 1\n", whole), narrow_to("x.strptime()\n", whole)));
  EXPECT_TRUE(is_warm_enough(narrow_to("x.strptime()\n", whole), narrow_to("x = 1\n", whole)));
}

TEST(NarrowPolicy, TellsWhatAChamberLacks) {
  const Policy& whole = *find_builtin_policy("extractor");
  const Policy small = narrow_to("import re\n", whole);
  EXPECT_TRUE(is_warm_enough(whole, small));
  EXPECT_FALSE(is_warm_enough(small, whole));
}

}  // namespace
}  // namespace airlock
