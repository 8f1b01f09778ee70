#include "present/report/records_output.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace airlock::cli {
namespace {

TEST(SizeText, HasOneDigitAfterThePoint) {
  EXPECT_EQ(size_text(0), "0 B");
  EXPECT_EQ(size_text(1023), "1023 B");
  EXPECT_EQ(size_text(1024), "1.0 KiB");
  EXPECT_EQ(size_text(1536), "1.5 KiB");
  EXPECT_EQ(size_text(1024 * 1024 - 1), "1.0 MiB");
  EXPECT_EQ(size_text(std::int64_t{1} << 30), "1.0 GiB");
  EXPECT_EQ(size_text(std::int64_t{1} << 60), "1048576.0 TiB");
}

TEST(RecordsOutput, ACacheIsCountedByProbe) {
  const CacheContents contents{"/state/cache", 3,          2050,
                               1 << 30,        2592000000, {{"language", 2, 2048}, {"x", 1, 2}}};
  EXPECT_EQ(cache_as_text(contents, Colour::kNever),
            "/state/cache\n"
            "3 entries, 2.0 KiB (at most 1.0 GiB; unused for 30 days, an entry goes)\n"
            "  language  2 entries, 2.0 KiB\n"
            "  x         1 entry, 2 B\n");
}

TEST(RecordsOutput, WhatWasRemovedIsNamedWithItsReason) {
  const CacheVerified verified{1,
                               {{CacheDamage::kAltered, "key", "probe", "blobs/ab/abc"},
                                {CacheDamage::kOrphaned, "", "", "blobs/cd/cde"}}};
  EXPECT_EQ(verified_as_text(verified, Colour::kNever),
            "removed  probe key: its file is not what was written\n"
            "removed  blobs/cd/cde: a file that belongs to no entry\n"
            "1 entry is sound, 2 removed\n");
  const auto json = nlohmann::json::parse(verified_as_json(verified));
  EXPECT_EQ(json["removed"][0]["key"], "key");
  EXPECT_TRUE(json["removed"][1]["key"].is_null());
}

TEST(RecordsOutput, NamesAreMadeSafeToShow) {
  const RunRecord run{"id",      0,
                      0,         "re\x1bpo",
                      "task\nx", {{"p\tq", ExecutionStatus::kFailed, {}, "line\nline", 1, {}}}};
  for (const std::string& text :
       {run_as_text(run, Colour::kNever), runs_as_text(std::span(&run, 1), Colour::kNever)}) {
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\t'), std::string::npos);
  }
  const auto json = nlohmann::json::parse(run_as_json(run));
  EXPECT_EQ(json["executions"]["p\tq"]["reason"], "line\nline");
}

TEST(RecordsOutput, ARunInJsonHasTheShapeOfGather) {
  const RunRecord run{
      "id",         1763200000123,
      std::nullopt, "repo",
      "audit",      {{"p", ExecutionStatus::kCacheHit, "k", {}, 7, {{"0123abcd", "jwt"}}}}};
  const auto json = nlohmann::json::parse(run_as_json(run));
  EXPECT_EQ(json["started"], "2025-11-15T09:46:40.123Z");
  EXPECT_TRUE(json["finished"].is_null());
  EXPECT_EQ(json["executions"]["p"]["status"], "cache_hit");
  EXPECT_EQ(json["executions"]["p"]["findings"][0]["pattern"], "jwt");
  EXPECT_TRUE(json["executions"]["p"]["reason"].is_null());
}

}  // namespace
}  // namespace airlock::cli
