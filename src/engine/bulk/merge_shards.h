// `airlock extract --merge`: the shards of a bulk job become the file that one job would have
// written, byte for byte, or nothing.
//
// (1) Every shard of N is there, once, and they are of one job: the same extractor, policy, limits
// and input, by their manifests (shard_manifest.h). (2) Each has the rows that its manifest tells,
// by number and by hash. (3) The merged file is put in place when all of this is known. Rows are
// read once: while they are merged they are hashed, and what was written is removed when a hash
// differs. Memory does not grow with the rows; each shard is one open file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace airlock {

struct MergedShards {
  std::uint64_t shards = 0;
  std::uint64_t rows = 0;
  std::uint64_t failed = 0;
};

// `files` are the shards' .ndjson files, in any order. Refused: what is missing, there twice, of
// another job or changed, one line each. Nothing is written then.
Result<MergedShards> merge_shards(const std::vector<std::string>& files, const std::string& output);

}  // namespace airlock
