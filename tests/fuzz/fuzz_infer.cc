// Paths of any bytes, one a line. What must hold: inferring ends, every rule reads back, and what
// is explained is counted right.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/paths/infer_paths.h"
#include "require.h"
#include "rules/file/rule_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 4096));
  airlock::PathList paths;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end > 0) paths.add(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  paths.seen = paths.size();
  const auto report = airlock::infer_from_paths(paths, {});
  if (!report) {
    airlock::fuzz::require(!report.error().message.empty());
    return 0;
  }
  airlock::fuzz::require(report->matched <= report->checked && report->checked == paths.size());
  airlock::fuzz::require(report->confidence >= 0 && report->confidence <= 100);
  const auto read = airlock::rules::read_rule_file(report->yaml);
  airlock::fuzz::require(read.has_value());
  airlock::fuzz::require(read->rules.size() == report->rules.size());
  return 0;
}
