// `--explore N`: the code on mutated sample paths (mutations.h). What breaks becomes warnings, one
// for each place in the code; nothing here makes a valid extractor invalid, because nobody promised
// that such paths exist. Runs last, on code that has passed everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/validate/sample_runner.h"

namespace airlock {

// Needs at most about ten seconds whatever the code does: each path has at most one second, and
// after a few that ran out of time the rest is left.
Result<std::vector<std::string>> explore(SampleRunner& runner, std::span<const std::string> samples,
                                         std::size_t count, const std::string& sha256,
                                         const RunLimits& limits);

// Failures grouped by what was raised and where. Keeps of each group one example, as it will be
// shown, and of a success nothing. Pure.
class Exploration {
 public:
  void add(const SampleResult& result);
  std::size_t tried() const { return tried_; }
  // One for each group, those of denied system calls first, then the most frequent.
  std::vector<std::string> warnings() const;

 private:
  struct FailureGroup {
    std::string type;
    std::uint32_t line = 0;
    std::size_t count = 0;
    std::size_t path_bytes = 0;  // of the example, before it was cut
    std::string path;
    std::string error;
  };
  std::map<std::pair<std::string, std::uint32_t>, FailureGroup> groups_;
  std::size_t tried_ = 0;
};

}  // namespace airlock
