#include "probe/survey.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "base/fd.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "probe/ignore_rules.h"
#include "probe/languages.h"
#include "probe/tree_walk.h"

namespace airlock::probe {

namespace {

// ---- the commit

// Everything in .git is untrusted: whatever is read is used only if it is a hash.
constexpr std::size_t kSmall = 4096;                   // bytes of HEAD or a ref
constexpr std::size_t kPackedRefs = 16 * 1024 * 1024;  // bytes

std::string_view first_line(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  while (text.ends_with('\r') || text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool is_hash(std::string_view text) {
  const auto fits = [](char c) { return is_hex_digit(c) && !is_upper(c); };
  return (text.size() == 40 || text.size() == 64) && std::ranges::all_of(text, fits);
}

// refs/heads/main and the like; nothing that leads out of .git.
bool is_ref(std::string_view text) {
  return text.starts_with("refs/") && text.find("..") == std::string_view::npos &&
         text.find('\0') == std::string_view::npos;
}

// git moves refs that rest into one file: "HASH refs/heads/main" a line.
std::optional<std::string> packed(const Fd& git, std::string_view ref) {
  const std::string text = read_small(git, "packed-refs", kPackedRefs);
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = first_line(rest);
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    const std::size_t space = line.find(' ');
    if (space != std::string_view::npos && line.substr(space + 1) == ref &&
        is_hash(line.substr(0, space))) {
      return std::string(line.substr(0, space));
    }
  }
  return std::nullopt;
}

// 40 or 64 hexadecimal digits, without running git, which reads configuration of the repository
// that can name programs to run; nothing when this is no repository or it has no commit yet.
std::optional<std::string> git_commit(const Fd& root) {
  // A .git that is a file (worktrees, submodules) leads elsewhere and is not followed.
  const Fd git(::openat(root.get(), ".git", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!git.is_open()) return std::nullopt;
  const std::string head = read_small(git, "HEAD", kSmall);
  const std::string_view line = first_line(head);
  if (is_hash(line)) return std::string(line);
  constexpr std::string_view kRef = "ref: ";
  if (!line.starts_with(kRef) || !is_ref(line.substr(kRef.size()))) return std::nullopt;
  const std::string ref(line.substr(kRef.size()));
  const std::string loose = read_small(git, ref, kSmall);
  if (is_hash(first_line(loose))) return std::string(first_line(loose));
  return packed(git, ref);
}

// ---- what is there

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestShown = 200;  // bytes of a path in a warning

// Files that say how a project is built or what it depends on. Sorted, for binary search.
constexpr std::array<std::string_view, 34> kManifests = {
    "BUILD.bazel",
    "CMakeLists.txt",
    "Cargo.toml",
    "Dockerfile",
    "Gemfile",
    "Makefile",
    "Package.swift",
    "Pipfile",
    "WORKSPACE",
    "build.gradle",
    "build.gradle.kts",
    "build.sbt",
    "build.zig",
    "composer.json",
    "conanfile.txt",
    "deno.json",
    "docker-compose.yml",
    "environment.yml",
    "flake.nix",
    "go.mod",
    "meson.build",
    "mix.exs",
    "package.json",
    "pom.xml",
    "project.clj",
    "pubspec.yaml",
    "pyproject.toml",
    "rebar.config",
    "requirements.txt",
    "setup.cfg",
    "setup.py",
    "stack.yaml",
    "tsconfig.json",
    "vcpkg.json",
};
static_assert(std::ranges::is_sorted(kManifests));

bool is_manifest(std::string_view name) {
  return std::ranges::binary_search(kManifests, name) || name.ends_with(".csproj") ||
         name.ends_with(".sln") || name.ends_with(".cabal") || name.ends_with(".gemspec");
}

std::string document(const Json& json) {
  return compact_json(json);
}

}  // namespace

Result<Survey> survey(const Fd& root, const WalkOptions& options) {
  Survey survey;
  auto walk = walk_tree(root, options, [&](const FileSeen& file) {
    if (options.ignored == Ignored::kShow)
      survey.files.add(file.path, file.is_link, file.is_ignored);
    // Listed, but not counted: what a link leads to is counted where it stands.
    if (file.is_link || file.is_ignored) return true;
    if (const std::string_view language = language_of(file.name); !language.empty()) {
      auto found = survey.languages.find(std::string(language));
      if (found == survey.languages.end())
        found = survey.languages.emplace(language, LanguageShare{}).first;
      ++found->second.files;
      found->second.bytes += file.bytes;
    }
    if (is_manifest(file.name)) {
      if (survey.manifests.size() < kMostManifests) {
        survey.manifests.push_back(printable(file.path));
      } else {
        survey.has_more_manifests = true;
      }
    }
    return true;
  });
  survey.walk = TRY(std::move(walk));
  survey.commit = git_commit(root);
  return survey;
}

SurveyDoubts doubts_about(const Survey& survey) {
  SurveyDoubts doubts;
  if (survey.walk.ignore_lines_left_out > 0) {
    doubts.confidence = "medium";
    doubts.warnings.push_back(fmt::format(
        "Not all ignore rules are used, so files may be counted that git leaves out: there are too "
        "many, or too long ones, first in {}. At most {} KiB of one .gitignore are used, and at "
        "one "
        "place {} KiB and {} patterns of all",
        printable(cut_utf8(survey.walk.first_cut_ignore_file, kLongestShown)),
        kLargestIgnoreFile / 1024, kMostIgnoreBytes / 1024, kMostIgnorePatterns));
  }
  // Worse than ignore rules left out, so it decides the confidence.
  if (survey.walk.was_cut) {
    doubts.confidence = "low";
    doubts.warnings.push_back(
        survey.walk.was_late
            ? "Time was up while the repository was walked: this is about the part that was seen"
            : fmt::format("There are more than {} files: this is about those that were seen first",
                          kMostFiles));
  }
  return doubts;
}

std::string language_slice(const Survey& survey) {
  Json languages = Json::object();
  std::vector<std::pair<std::string, LanguageShare>> rows(survey.languages.begin(),
                                                          survey.languages.end());
  // Most bytes first; equal ones by name, as the map has them.
  std::ranges::stable_sort(rows, std::ranges::greater(),
                           [](const auto& row) { return row.second.bytes; });
  for (const auto& [name, share] : rows)
    languages[name] = {{"files", share.files}, {"bytes", share.bytes}};
  return document({{"languages", languages},
                   {"main_language", rows.empty() ? Json(nullptr) : Json(rows[0].first)}});
}

std::string repository_slice(const Survey& survey) {
  return document({{"git_commit", survey.commit ? Json(*survey.commit) : Json(nullptr)},
                   {"files", survey.walk.files},
                   {"folders", survey.walk.folders},
                   {"bytes", survey.walk.bytes},
                   {"unreadable_folders", survey.walk.unreadable},
                   {"was_cut", survey.walk.was_cut},
                   {"manifests", survey.manifests},
                   {"has_more_manifests", survey.has_more_manifests}});
}

}  // namespace airlock::probe
