// What a shard of a bulk job says about itself, in FILE.manifest beside FILE: which job and which
// shard of it, how many rows, and hashes of the input and of the rows. Who merges shards
// (merge_shards.h) needs nothing else to know that they are all there and whole.
//
// A manifest is no signature: it finds what was lost, mixed up or damaged, not what somebody has
// forged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"
#include "base/sha256.h"

namespace airlock {

// The whole input, as every shard of it reads it.
struct InputSeen {
  std::uint64_t lines = 0;
  Sha256 hash;  // of each line and a NUL

  void see(std::string_view line) {
    ++lines;
    hash.add(line);
    hash.add(std::string_view("\0", 1));
  }
};

struct ShardManifest {
  std::uint64_t index = 0;  // from 0
  std::uint64_t count = 1;
  std::string extractor_sha256;
  std::string policy;
  std::uint32_t timeout_ms = 0;
  std::uint32_t memory_bytes = 0;
  std::uint64_t input_lines = 0;  // of all shards
  std::string input_sha256;
  std::uint64_t rows = 0;  // of this one
  std::uint64_t failed = 0;
  std::string rows_sha256;  // of the rows as NDJSON, whatever FILE is

  // How many lines of the input are this shard's.
  std::uint64_t lines() const {
    return input_lines > index ? (input_lines - index - 1) / count + 1 : 0;
  }
};

std::string manifest_name(const std::string& file);

std::string as_json(const ShardManifest& manifest);
// An Error: `bytes` is no manifest.
Result<ShardManifest> read_manifest(std::string_view bytes, const std::string& shown);

// Counts and hashes of rows that stand in a file, from its beginning.
struct RowFacts {
  std::uint64_t rows = 0;
  std::uint64_t failed = 0;
  std::string sha256;
};
Result<RowFacts> facts_of_rows(const Fd& file, const std::string& shown);

}  // namespace airlock
