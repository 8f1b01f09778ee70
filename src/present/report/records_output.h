// The cache and the runs, told to people and programs: what `airlock cache` and `airlock runs`
// print. Pure functions: values in, the bytes for stdout out.
#pragma once

#include <span>
#include <string>

#include "model/cache_report.h"
#include "model/run_record.h"
#include "present/report/style.h"

namespace airlock::cli {

std::string cache_as_text(const CacheContents& contents, Colour colour);
std::string cache_as_json(const CacheContents& contents);

std::string cleared_as_text(const CacheCleared& cleared);
std::string cleared_as_json(const CacheCleared& cleared);

std::string verified_as_text(const CacheVerified& verified, Colour colour);
std::string verified_as_json(const CacheVerified& verified);

// One run a line.
std::string runs_as_text(std::span<const RunRecord> runs, Colour colour);
std::string runs_as_json(std::span<const RunRecord> runs);

// One run, an execution a line.
std::string run_as_text(const RunRecord& run, Colour colour);
std::string run_as_json(const RunRecord& run);

// Sizes for people: "0 B", "999 B", "1.5 KiB", "1.0 GiB". Steps of 1024; one digit behind the
// point, and never "1024.0" of a unit.
std::string size_text(std::int64_t bytes);

}  // namespace airlock::cli
