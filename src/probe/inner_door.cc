#include "probe/inner_door.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>
#include <utility>

#include "base/json_writer.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace airlock::probe {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestShownReason = 1000;  // bytes
constexpr std::size_t kMostReasons = 100;
constexpr std::size_t kMostSecrets = 1000;

// "(schema_slice, a, 0)"
std::string place(const JsonPath& path) {
  std::string text = "(";
  for (const JsonStep& step : path) {
    if (text.size() > 1) text += ", ";
    text += std::holds_alternative<std::string>(step) ? std::get<std::string>(step)
                                                      : std::to_string(std::get<std::size_t>(step));
  }
  return text + ")";
}

// For a secret-looking name, the name itself is the message; else the door's sentence.
std::string reason(const AdmitError& error) {
  const bool names_key = error.type == AdmitErrorType::kSecretLikelyFieldName &&
                         !error.path.empty() &&
                         std::holds_alternative<std::string>(error.path.back());
  const std::string& what = names_key ? std::get<std::string>(error.path.back()) : error.message;
  return fmt::format("{}: {} at {}", to_string(error.type), what, place(error.path));
}

// The secrets known already and those found now, each once, at most kMostSecrets of them.
std::vector<RecordedSecret> secrets_in(const Sanitized& output,
                                       const std::vector<RedactedFile>& artifacts,
                                       std::vector<RecordedSecret> known) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  known.reserve(kMostSecrets);  // so that what `seen` looks at stays in its place
  for (const RecordedSecret& one : known) seen.emplace(one.fingerprint, one.pattern);
  const auto add = [&](const std::vector<SecretFinding>& secrets) {
    for (const SecretFinding& one : secrets) {
      if (known.size() >= kMostSecrets) return;
      if (seen.emplace(one.fingerprint, one.kind).second)
        known.push_back({one.fingerprint, one.kind});
    }
  };
  add(output.secrets());
  for (const RedactedFile& file : artifacts) add(file.secrets());
  return known;
}

// One error as text that passes the door in any case: no NUL, valid UTF-8, no terminal control
// characters, and of bounded length.
std::string shown_reason(std::string_view error) {
  const std::string text = printable_lines(cut_utf8(error, 2 * kLongestShownReason));
  return std::string(cut_utf8(text, kLongestShownReason));
}

std::string document_of_failure(const Reasons& errors, std::int64_t duration_ms) {
  Json texts = Json::array();
  for (const std::string& error : errors | std::views::take(kMostReasons))
    texts.push_back(shown_reason(error));
  const Json document = {{"schema_slice", Json::object()},
                         {"raw_artifacts", Json::array()},
                         {"confidence", "low"},
                         {"duration_ms", std::max<std::int64_t>(0, duration_ms)},
                         {"warnings", Json::array()},
                         {"errors", texts}};
  return compact_json(document);
}

Reasons reasons(const NotAdmitted& refusal) {
  Reasons all;
  for (const AdmitError& error : refusal.errors) all.push_back(reason(error));
  if (refusal.more > 0) all.push_back(fmt::format("and {} more", refusal.more));
  return all;
}

}  // namespace

InnerDoor::InnerDoor(const ScrubOptions& scrub)
    : admitter_(AdmitLimits{}, scrub), sanitizer_(scrub), redactor_(scrub), scrubber_(scrub) {}

std::expected<PassedOutput, Reasons> InnerDoor::pass(const RawDocument& document,
                                                     const Fd& output_folder,
                                                     std::chrono::steady_clock::time_point end) {
  const auto admitted = admitter_.admit(document, Form::kProbeOutput);
  if (!admitted) return std::unexpected(reasons(admitted.error()));
  const std::vector<std::string> names = artifact_names(*admitted);
  auto artifacts = read_artifacts(names, output_folder, redactor_, end);
  if (!artifacts) return std::unexpected(Reasons{artifacts.error().message});
  auto sanitized = sanitizer_.sanitize(*admitted);
  if (!sanitized) return std::unexpected(reasons(sanitized.error()));
  OutputFacts facts = facts_of_output(sanitized->json());
  // The files were read under the names as they were given; if scrubbing changes one, document and
  // files no longer agree.
  if (facts.artifacts != names) {
    return std::unexpected(
        Reasons{"ArtifactError: the name of an artifact holds a path or a secret"});
  }
  auto secrets = secrets_in(*sanitized, *artifacts, {});
  return PassedOutput{std::move(*sanitized), std::move(*artifacts), std::move(secrets),
                      std::move(facts)};
}

// The same judgement as the first time; the artifacts are bytes now instead of files.
std::expected<PassedOutput, Reasons> InnerDoor::pass_again(std::string_view document,
                                                           std::vector<std::string> artifacts,
                                                           std::vector<RecordedSecret> secrets) {
  if (secrets.size() > kMostSecrets) secrets.resize(kMostSecrets);
  const auto admitted = admitter_.admit(document, Form::kProbeOutput);
  if (!admitted) return std::unexpected(reasons(admitted.error()));
  std::vector<std::string> names = artifact_names(*admitted);
  if (names.size() != artifacts.size() || !std::ranges::all_of(names, is_inner_name))
    return std::unexpected(Reasons{"ArtifactError: the artifacts are not those that are named"});
  auto sanitized = sanitizer_.sanitize(*admitted);
  if (!sanitized) return std::unexpected(reasons(sanitized.error()));
  std::vector<RedactedFile> files;
  for (std::size_t i = 0; i < names.size(); ++i)
    files.push_back(redactor_.redact(std::move(names[i]), std::move(artifacts[i])));
  auto all = secrets_in(*sanitized, files, std::move(secrets));
  OutputFacts facts = facts_of_output(sanitized->json());
  return PassedOutput{std::move(*sanitized), std::move(files), std::move(all), std::move(facts)};
}

Sanitized InnerDoor::failed(const Reasons& errors, std::int64_t duration_ms) {
  const auto passed = [&](const Reasons& shown_reason) -> std::optional<Sanitized> {
    const auto admitted =
        admitter_.admit(document_of_failure(shown_reason, duration_ms), Form::kProbeOutput);
    auto sanitized =
        admitted ? sanitizer_.sanitize(*admitted) : std::unexpected(NotAdmitted(admitted.error()));
    if (!sanitized) return std::nullopt;
    return std::move(*sanitized);
  };
  // The door may become stricter than what is known here; a failure has an output all the same.
  auto all = passed(errors);
  return all ? std::move(*all) : passed({"its errors do not pass the inner door"}).value();
}

std::optional<Sanitized> InnerDoor::pass_unchanged(std::string_view object) {
  const auto admitted = admitter_.admit(object, Form::kBare);
  if (!admitted) return std::nullopt;
  auto sanitized = sanitizer_.sanitize(*admitted);
  if (!sanitized || sanitized->rewritten_paths() > 0 || !sanitized->secrets().empty())
    return std::nullopt;
  return std::move(*sanitized);
}

}  // namespace airlock::probe
