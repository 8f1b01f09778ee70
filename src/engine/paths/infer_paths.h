// `airlock infer` without its output: many paths in, rules that describe them out, with a
// confidence.
//
// Method: a sample of the paths gives the rules (rules/infer); all paths are then matched against
// them. Paths that no rule matches are inferred from again, to find layouts that the sample missed.
// A part of the sample is held out: rules made from the rest are tried on it, and the share that
// matches is part of the confidence. No model and no guest code takes part; everything runs on the
// calling thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/paths/path_input.h"
#include "rules/infer/hints.h"
#include "rules/infer/infer.h"

namespace airlock {

// All may be empty: what the user says about the paths, the name of the rules, who hears how many
// paths were held against rules so far, and what ends it, with an Error.
struct InferRequest {
  std::string hint;
  std::string name;
  std::function<void(std::size_t checked)> on_checked = {};
  std::stop_token stop = {};
};

// Either a rule is enough, or a person should write Python, and why.
struct OutputChoice {
  enum class Kind { kYaml, kPython } kind = Kind::kYaml;
  std::vector<std::string> reasons;
};

// A rule, and how many of the checked paths it was the first to match.
struct RuleCoverage {
  rules::InferredRule rule;
  std::uint64_t matched = 0;
};

// Everything that a report says. Counts are of paths; duplicates count.
struct InferReport {
  std::uint64_t paths = 0;     // that were read
  std::uint64_t checked = 0;   // of these; fewer when they did not fit in memory
  std::uint64_t matched = 0;   // of those checked
  std::uint64_t sampled = 0;   // that the shape was read from
  std::uint64_t held_out = 0;  // tried on rules that had not seen them
  std::uint64_t held_out_matched = 0;
  std::vector<RuleCoverage> rules;
  std::vector<std::string> unexplained;  // the first ones
  std::vector<std::string> evidence;
  // Fields named by class alone. If there are any, the last line of the evidence is about them, in
  // words for the command line.
  std::size_t unnamed = 0;
  std::vector<std::string> notes;
  double confidence = 0;       // 0 … 100
  std::string template_title;  // of a single path
  OutputChoice choice;
  std::string yaml;
  std::vector<std::string> sample;  // some paths, for pictures
};

// The lines of the input that are not empty, as one block with an index. When they do not fit in
// `kMaxPathBytes`, every second, fourth … is kept and the others are counted.
struct PathList {
  std::string bytes;
  std::vector<std::uint64_t> ends;
  std::uint64_t seen = 0;

  std::size_t size() const { return ends.size(); }
  std::string_view operator[](std::size_t index) const {
    const std::size_t from = index == 0 ? 0 : ends[index - 1];
    return std::string_view(bytes).substr(from, ends[index] - from);
  }
  void add(std::string_view path) {
    bytes += path;
    ends.push_back(bytes.size());
  }
};
// Paths kept in memory; some ten million of ordinary length.
inline constexpr std::size_t kMaxPathBytes = std::size_t{512} * 1024 * 1024;

// The note about a hint that no rule was made of.
inline constexpr std::string_view kHintNotUnderstood =
    "the hint was not understood: write \"segment(-3) = name\" or \"the second folder is the "
    "name\"";

// "2 fields are named by class alone"
std::string named_by_class_alone(std::size_t fields);

// Reads the whole input; waits where it has to.
Result<PathList> read_paths(PathInput& input);

// An Error when there are no paths, or nothing in them that a rule could say.
Result<InferReport> infer_from_paths(const PathList& paths, const InferRequest& request);

}  // namespace airlock
