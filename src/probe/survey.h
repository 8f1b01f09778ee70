// The two probes that are built in, from one walk over the repository: which languages it is
// written in, and what it is (commit, size, manifests). They are ours and run without a chamber;
// their outputs pass the inner door all the same. The walk's list of files serves the cache keys,
// too.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "probe/file_list.h"
#include "probe/tree_walk.h"

namespace airlock::probe {

struct LanguageShare {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

// What one walk saw. Ignored files count nowhere but in `files`.
struct Survey {
  std::map<std::string, LanguageShare> languages;
  std::vector<std::string> manifests;  // relative paths, sorted; at most kMostManifests
  bool has_more_manifests = false;
  std::optional<std::string> commit;
  WalkReport walk;
  FileList files;  // ignored ones too; empty unless asked for
};

// A monorepository has thousands; the first ones are enough to say what it is.
inline constexpr std::size_t kMostManifests = 500;

// `options.ignored`: kShow lists every file, ignored ones too (a probe can declare those as well).
Result<Survey> survey(const Fd& root, const WalkOptions& options);

// Why the survey may be incomplete; goes into both outputs.
struct SurveyDoubts {
  std::string_view confidence = "high";
  std::vector<std::string> warnings;
};
SurveyDoubts doubts_about(const Survey& survey);

// What the probes report, as schema slices (JSON).
std::string language_slice(const Survey& survey);
std::string repository_slice(const Survey& survey);

}  // namespace airlock::probe
