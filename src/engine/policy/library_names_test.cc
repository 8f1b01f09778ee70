#include "engine/policy/library_names.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace airlock {
namespace {

TEST(LibraryNames, AreSortedAndSayWhichPythonTheyAreOf) {
  EXPECT_TRUE(std::ranges::is_sorted(library_modules(), {}, &LibraryModule::name));
  EXPECT_GT(library_modules().size(), 400U);
  EXPECT_TRUE(library_version().starts_with("3."));
}

TEST(LibraryNames, AModuleIsFoundWithItsPublicNames) {
  const LibraryModule* csv = find_library_module("csv");
  ASSERT_NE(csv, nullptr);
  EXPECT_TRUE(csv->is_carried);
  EXPECT_TRUE(csv->has_attribute("reader"));
  EXPECT_FALSE(csv->has_attribute("read"));
  EXPECT_FALSE(csv->has_attribute(""));
  EXPECT_NE(find_library_module("os.path"), nullptr);
  EXPECT_NE(find_library_module("collections.abc"), nullptr);
  EXPECT_EQ(find_library_module("numpy"), nullptr);
  EXPECT_EQ(find_library_module(""), nullptr);
}

TEST(LibraryNames, WhatNeedsOtherLibrariesIsNotSureToLoad) {
  for (const char* name : {"bz2", "sqlite3", "ssl", "zzz_no_such"})
    EXPECT_FALSE(is_sure_to_load(name)) << name;
  for (const char* name : {"json", "os.path", "decimal"})
    EXPECT_TRUE(is_sure_to_load(name)) << name;
}

TEST(LibraryNames, AMistakeIsAnsweredWithTheNearestName) {
  EXPECT_EQ(did_you_mean_module("daetime"), "; did you mean 'datetime'?");
  EXPECT_EQ(did_you_mean_module("nothing_like_it"), "");
  EXPECT_EQ(did_you_mean_attribute(*find_library_module("csv"), "raeder"),
            "; did you mean 'reader'?");
}

}  // namespace
}  // namespace airlock
