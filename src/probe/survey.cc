#include "probe/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/json_writer.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "probe/git_commit.h"
#include "probe/ignore_rules.h"
#include "probe/languages.h"

namespace airlock::probe {

namespace {

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
