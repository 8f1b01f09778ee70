#include "probe/cache_key.h"

#include "base/sha256.h"

namespace airlock::probe {

namespace {

// With every change of what a kept output looks like.
constexpr std::string_view kForm = "airlock probe output 1";

}  // namespace

std::string cache_key(const ProbeInfo& info, std::string_view source, std::string_view inputs,
                      std::string_view own) {
  Sha256 hash;
  for (const std::string_view part :
       {kForm, std::string_view(info.name), std::string_view(info.version),
        std::string_view(info.schema_version), source, inputs, own}) {
    hash.add(std::to_string(part.size()));
    hash.add(":");
    hash.add(part);
  }
  return hash.hex();
}

}  // namespace airlock::probe
