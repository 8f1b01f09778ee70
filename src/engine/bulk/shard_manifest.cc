#include "engine/bulk/shard_manifest.h"

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "engine/bulk/row_parts.h"

namespace airlock {

namespace {

constexpr int kManifestVersion = 1;
constexpr std::size_t kRowChunk = 256 * 1024;  // bytes read at a time

// The member of that name and kind; nothing when it is missing or of another kind.
template <typename Value>
bool take_member(const nlohmann::json& from, const char* name, Value& to) {
  const auto found = from.find(name);
  if (found == from.end()) return false;
  if constexpr (std::is_same_v<Value, std::string>) {
    if (!found->is_string()) return false;
  } else {
    if (!found->is_number_unsigned()) return false;
  }
  to = found->template get<Value>();
  return true;
}

}  // namespace

std::string manifest_name(const std::string& file) {
  return file + ".manifest";
}

std::string as_json(const ShardManifest& manifest) {
  const nlohmann::ordered_json json{{"version", kManifestVersion},
                                    {"shard", manifest.index + 1},
                                    {"shards", manifest.count},
                                    {"rows", manifest.rows},
                                    {"failed", manifest.failed},
                                    {"rows_sha256", manifest.rows_sha256},
                                    {"input_lines", manifest.input_lines},
                                    {"input_sha256", manifest.input_sha256},
                                    {"extractor_sha256", manifest.extractor_sha256},
                                    {"policy", manifest.policy},
                                    {"timeout_ms", manifest.timeout_ms},
                                    {"memory_bytes", manifest.memory_bytes}};
  return json.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<ShardManifest> read_manifest(std::string_view bytes, const std::string& shown) {
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  const auto damaged = [&] {
    return bad_request("read " + shown + ": it is no manifest of a shard");
  };
  if (!json.is_object()) return damaged();
  int version = 0;
  if (!take_member(json, "version", version)) return damaged();
  if (version != kManifestVersion)
    return bad_request("read " + shown + ": it is of another version of Airlock");
  ShardManifest manifest;
  const bool is_whole =
      take_member(json, "shard", manifest.index) && take_member(json, "shards", manifest.count) &&
      take_member(json, "rows", manifest.rows) && take_member(json, "failed", manifest.failed) &&
      take_member(json, "rows_sha256", manifest.rows_sha256) &&
      take_member(json, "input_lines", manifest.input_lines) &&
      take_member(json, "input_sha256", manifest.input_sha256) &&
      take_member(json, "extractor_sha256", manifest.extractor_sha256) &&
      take_member(json, "policy", manifest.policy) &&
      take_member(json, "timeout_ms", manifest.timeout_ms) &&
      take_member(json, "memory_bytes", manifest.memory_bytes);
  if (!is_whole || manifest.index < 1 || manifest.index > manifest.count) return damaged();
  --manifest.index;
  return manifest;
}

Result<RowFacts> facts_of_rows(const Fd& file, const std::string& shown) {
  RowFacts facts;
  Sha256 hash;
  std::string chunk(kRowChunk, '\0');
  std::string line;  // the beginning of the one that has not ended yet
  std::uint64_t at = 0;
  while (true) {
    const ssize_t got = ::pread(file.get(), chunk.data(), chunk.size(), static_cast<off_t>(at));
    if (got < 0) return bad_request_errno("read " + shown);
    if (got == 0) break;
    std::string_view rest(chunk.data(), static_cast<std::size_t>(got));
    hash.add(rest);
    at += static_cast<std::uint64_t>(got);
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      line += rest.substr(0, end);
      const auto row = take_apart(line);
      if (!row)
        return bad_request("read " + shown + ": line " + std::to_string(facts.rows + 1) +
                           " is no row");
      ++facts.rows;
      facts.failed += row->ok ? 0 : 1;
      line.clear();
      rest.remove_prefix(end + 1);
    }
    line += rest;
  }
  facts.sha256 = hash.hex();
  return facts;
}

}  // namespace airlock
