#include "flow/node_types.h"

#include <array>

namespace airlock::flow {

namespace {

constexpr std::array<std::string_view, 8> kCodeParams = {
    "inputs", "code", "timeout", "requires", "sandbox", "strict_types", "max_retries", "wait"};
constexpr std::array<std::string_view, 4> kExtractorParams = {"extractor", "code", "paths",
                                                              "timeout"};
constexpr std::array<std::string_view, 4> kProbeParams = {"probes", "repository", "task",
                                                          "timeout"};
constexpr std::array<std::string_view, 4> kOuterParams = {"sandbox", "strict_types", "max_retries",
                                                          "wait"};
constexpr std::array<std::string_view, 4> kEntryKeys = {"result", "stdout", "stderr", "error"};

constexpr std::array kTypes = {
    NodeTypeRow{"code", NodeType::kCode, kCodeParams},
    NodeTypeRow{"extractor", NodeType::kExtractor, kExtractorParams},
    NodeTypeRow{"probe", NodeType::kProbe, kProbeParams},
};

}  // namespace

std::span<const NodeTypeRow> node_types() {
  return kTypes;
}

const NodeTypeRow& row_of(NodeType type) {
  for (const NodeTypeRow& row : kTypes) {
    if (row.type == type) return row;
  }
  return kTypes[0];
}

std::span<const std::string_view> outer_params() {
  return kOuterParams;
}

std::span<const std::string_view> entry_keys() {
  return kEntryKeys;
}

}  // namespace airlock::flow
