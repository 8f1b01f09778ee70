#include "probe/inner_door.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/utf8.h"
#include "probe/artifacts.h"

namespace airlock::probe {

namespace {

constexpr std::size_t kLongestReason = 1000;
constexpr std::size_t kMostReasons = 100;

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

// The name that promises a secret says more than the sentence around it.
std::string reason(const AdmitError& error) {
  const bool names_key = error.type == AdmitErrorType::kSecretLikelyFieldName &&
                         !error.path.empty() &&
                         std::holds_alternative<std::string>(error.path.back());
  const std::string& what = names_key ? std::get<std::string>(error.path.back()) : error.message;
  return fmt::format("{}: {} at {}", to_string(error.type), what, place(error.path));
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

std::expected<PassedOutput, Reasons> InnerDoor::pass(std::string_view document,
                                                     const Fd& output_folder) {
  const auto admitted = admitter_.admit(document, Form::kProbeOutput);
  if (!admitted) return std::unexpected(reasons(admitted.error()));
  const std::vector<std::string> names = artifact_names(*admitted);
  auto artifacts = read_artifacts(names, output_folder, redactor_);
  if (!artifacts) return std::unexpected(Reasons{artifacts.error().message});
  auto sanitized = sanitizer_.sanitize(*admitted);
  if (!sanitized) return std::unexpected(reasons(sanitized.error()));
  if (artifact_names(sanitized->json()) != names) {
    return std::unexpected(
        Reasons{"ArtifactError: the name of an artifact holds a path or a secret"});
  }
  return PassedOutput{std::move(*sanitized), std::move(*artifacts)};
}

std::expected<PassedOutput, Reasons> InnerDoor::pass_again(std::string_view document,
                                                           std::vector<std::string> artifacts) {
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
  return PassedOutput{std::move(*sanitized), std::move(files)};
}

Sanitized InnerDoor::failed(const Reasons& errors, std::int64_t duration_ms) {
  nlohmann::ordered_json document = {{"schema_slice", nlohmann::ordered_json::object()},
                                     {"raw_artifacts", nlohmann::ordered_json::array()},
                                     {"confidence", "low"},
                                     {"duration_ms", std::max<std::int64_t>(0, duration_ms)},
                                     {"warnings", nlohmann::ordered_json::array()},
                                     {"errors", nlohmann::ordered_json::array()}};
  for (const std::string& error : errors) {
    if (document["errors"].size() == kMostReasons) break;
    document["errors"].push_back(
        replace_invalid_utf8(std::string(cut_utf8(error, kLongestReason))));
  }
  const auto admitted = admitter_.admit(document.dump(), Form::kProbeOutput);
  // Six fields of our own, and texts within every limit: there is nothing to refuse.
  return sanitizer_.sanitize(admitted.value()).value();
}

std::vector<RecordedSecret> secrets_in(const PassedOutput& passed) {
  std::vector<RecordedSecret> found;
  const auto add = [&](const std::vector<SecretFinding>& secrets) {
    for (const SecretFinding& one : secrets) {
      const auto is_known = [&](const RecordedSecret& known) {
        return known.fingerprint == one.fingerprint && known.pattern == one.kind;
      };
      if (std::ranges::none_of(found, is_known)) found.push_back({one.fingerprint, one.kind});
    }
  };
  add(passed.output.secrets());
  for (const RedactedFile& file : passed.artifacts) add(file.secrets());
  return found;
}

}  // namespace airlock::probe
