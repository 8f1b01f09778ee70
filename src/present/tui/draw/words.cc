#include "present/tui/draw/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/ascii.h"
#include "base/json_string.h"

namespace airlock::tui {

namespace {

using wizard::Author;
using wizard::WizardState;

std::string_view who(Author author) {
  switch (author) {
    case Author::kInference:
      return "inference";
    case Author::kTemplates:
      return "built-in templates";
    case Author::kModel:
      return "model";
    case Author::kPerson:
      return "you";
  }
  return "";
}

// Milliseconds; microseconds below a tenth of one, which rules often are.
std::string mean_words(double milliseconds, const Glyphs& glyphs) {
  if (milliseconds >= 0.1) return fmt::format("{:.1f}ms", milliseconds);
  return fmt::format("{:.0f}{}", milliseconds * 1000,
                     glyphs.charset == Charset::kUtf8 ? "µs" : "us");
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '_'; });
}

// Both separators: paths of Windows are samples, too.
std::string_view path_end(std::string_view path, std::size_t segments) {
  std::size_t at = path.size();
  for (std::size_t i = 0; i < segments && at != std::string_view::npos && at > 0; ++i) {
    at = path.find_last_of("/\\", at - 1);
  }
  return at == std::string_view::npos || at == 0 ? path : path.substr(at + 1);
}

}  // namespace

std::string_view output_words(OutputKind kind) {
  return kind == OutputKind::kPython ? "Python extractor" : "YAML rule";
}

std::string author_words(const WizardState& state) {
  switch (state.author) {
    case Author::kInference:
      return "inferred from the paths, without a model";
    case Author::kTemplates:
      return "from built-in templates, without a model";
    case Author::kModel:
      return state.model.empty() ? "written by the model" : "written by " + state.model;
    case Author::kPerson:
      return "edited by you";
  }
  return {};
}

std::string validation_words(const WizardState& state, const Glyphs& glyphs) {
  // The preview is cut at some number of rows; `passed` counts all that passed.
  const std::size_t total = std::max(state.preview.size(), state.passed);
  return fmt::format("Passed{} ({}/{} paths, avg {})",
                     state.warnings.empty() ? "" : " with warnings", state.passed, total,
                     mean_words(state.mean_ms, glyphs));
}

bool has_confidence(const WizardState& state) {
  return state.author == Author::kInference && state.confidence > 0;
}

std::string_view confidence_words(double confidence) {
  if (confidence >= 80) return "recommended";
  if (confidence >= 50) return "look at it closely";
  return "more sample paths would help";
}

std::string_view stage_words(Stage stage, OutputKind kind) {
  const bool is_python = kind == OutputKind::kPython;
  switch (stage) {
    case Stage::kSyntax:
      return is_python ? "Syntax check" : "Rule check";
    case Stage::kSecurity:
      return "Security scan";
    case Stage::kSignature:
      return "Signature check";
    case Stage::kSandbox:
      return is_python ? "Sandbox tests" : "Path tests";
    case Stage::kComplete:
      return "Complete";
  }
  return "";
}

// By text, not by parsing: numbers keep their digits, and text that is no JSON passes unchanged.
std::string preview_words(std::string_view json) {
  std::string out;
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      const std::size_t end = std::min(behind_json_string(json, at), json.size());
      const std::string_view inside =
          end >= at + 2 ? json.substr(at + 1, end - at - 2) : std::string_view();
      const bool is_key = end < json.size() && json[end] == ':' && is_name(inside);
      out += is_key ? inside : json.substr(at, end - at);
      at = end;
      continue;
    }
    out += json[at];
    const bool wants_space = json[at] == ':' || json[at] == ',';
    ++at;
    if (wants_space && at < json.size() && json[at] != ' ') out += ' ';
  }
  return out;
}

std::vector<std::string> short_names(const std::vector<wizard::PreviewRow>& rows) {
  constexpr std::size_t kMostSegments = 4;
  std::vector<std::string> names;
  // One segment more for all until they differ; four are as much as a row has room for.
  for (std::size_t segments = 1; segments <= kMostSegments; ++segments) {
    names.clear();
    for (const auto& row : rows) names.emplace_back(path_end(row.path, segments));
    if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) break;
  }
  return names;
}

std::string count_words(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string_view fallback_words(const wizard::WizardState& state) {
  return state.output == OutputKind::kYaml
             ? "The paths do not say enough to be sure of a rule. Would you like to take the best "
               "guess?"
             : "Python extractor generation failed. Would you like to try a simpler YAML rule "
               "instead?";
}

std::string retry_words(const WizardState& state) {
  if (state.retries_left == 0) return "nothing: there are none";
  return fmt::format("if it fails, up to {} times: error, line, source, a path above",
                     state.retries_left);
}

std::string_view added_text(const WizardState& state) {
  std::string_view text = state.outgoing_retry;
  return text.substr(std::min(text.find_first_not_of('\n'), text.size()));
}

std::vector<std::string> attempt_words(const WizardState& state) {
  std::vector<std::string> out;
  for (const wizard::GenerationAttempt& attempt : state.attempts) {
    std::string text = fmt::format("{}. {}: ", attempt.number, who(attempt.author));
    if (attempt.valid) {
      text += "passed";
    } else {
      std::string stage(stage_words(attempt.stage, state.output));
      // Lower case: it stands in the middle of a sentence.
      if (!stage.empty()) stage[0] = lower(stage[0]);
      const std::size_t end = std::min(attempt.error.find('\n'), attempt.error.size());
      text += fmt::format("failed at the {}: {}", stage, attempt.error.substr(0, end));
      if (attempt.is_repeat) text += " (the same as before)";
    }
    for (const std::string& repair : attempt.repairs) text += "; mended: " + repair;
    out.push_back(std::move(text));
  }
  return out;
}

}  // namespace airlock::tui
