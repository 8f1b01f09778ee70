#include "probe/cache_key.h"

#include <initializer_list>

#include "base/sha256.h"

namespace airlock::probe {

namespace {

// To be counted up with every change of what a kept output looks like: older entries are then not
// found.
constexpr std::string_view kForm = "airlock probe output 1";

}  // namespace

namespace {

std::string hash_of(std::initializer_list<std::string_view> parts) {
  Sha256 hash;
  for (const std::string_view part : parts) {
    hash.add(std::to_string(part.size()));
    hash.add(":");
    hash.add(part);
  }
  return hash.hex();
}

// By the words in the source: a probe that never mentions the commit need not run again for each
// one.
std::string seen_of(const Snapshot& snapshot, std::string_view source) {
  std::string seen;
  if (source.contains("git_commit")) seen += snapshot.git_commit.value_or("none");
  if (!source.contains("detected_languages")) return seen;
  for (const auto& [name, bytes] : snapshot.detected_languages)
    seen += "\n" + name + " " + std::to_string(bytes);
  return seen;
}

}  // namespace

std::string cache_key(const ProbeInfo& info, std::string_view source, std::string_view inputs,
                      std::string_view own, const Snapshot& snapshot) {
  return hash_of({kForm, info.name, info.version, info.schema_version, source, inputs, own,
                  seen_of(snapshot, source)});
}

std::string description_key(std::string_view source) {
  return hash_of({"airlock probe description 1", AIRLOCK_VERSION, source});
}

}  // namespace airlock::probe
