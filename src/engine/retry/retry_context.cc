#include "engine/retry/retry_context.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "engine/retry/interpreter_messages.h"
#include "model/rule.h"
#include "model/source_line.h"

namespace airlock {

namespace {

constexpr std::size_t kMaxText = 400;  // bytes of one message, path or name

// Foreign text: one line, no control characters, bounded.
std::string safe(std::string_view text, std::size_t limit = kMaxText) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Glyph glyph = glyph_at(text, at);
    if (out.size() + glyph.text.size() > limit) return out + "…";
    out += glyph.text;
    at += glyph.bytes;
  }
  return out;
}

// Our first lines, then as many entries as there is room for, then our last lines.
std::string assemble(std::string head, const std::vector<std::string>& entries,
                     std::string_view tail) {
  // Room for "… and N more".
  constexpr std::size_t kReserve = 64;
  std::size_t shown = 0;
  for (const std::string& entry : entries) {
    if (head.size() + entry.size() + tail.size() + kReserve > kMaxRetryContext) break;
    head += entry;
    ++shown;
  }
  if (shown < entries.size()) head += fmt::format("\n  … and {} more", entries.size() - shown);
  return head.append(tail);
}

// Findings of the vetter are our own words about the model's own code: they may be told as they
// are.
std::string syntax_context(const Validation& validation) {
  std::vector<std::string> entries;
  for (const Finding& one : validation.verdict.findings) {
    if (one.severity != Severity::kError) continue;
    entries.push_back(fmt::format("\n  Line {}, column {}: {}", one.place.line,
                                  one.place.column + 1, safe(one.message)));
    if (!one.suggestion.empty()) entries.back() += "\n    Suggestion: " + safe(one.suggestion);
  }
  return assemble(std::string(stage_header(Stage::kSyntax)), entries, "");
}

std::string security_context(const Validation& validation) {
  std::vector<std::string> entries;
  for (const Finding& one : validation.verdict.findings) {
    if (one.severity != Severity::kError) continue;
    entries.push_back(fmt::format("\n  Line {}: {}\n    Item: {}\n    Reason: {}", one.place.line,
                                  one.rule->kind, safe(one.item), safe(one.message)));
    if (!one.suggestion.empty()) entries.back() += "\n    Instead: " + safe(one.suggestion);
  }
  return assemble(
      std::string(stage_header(Stage::kSecurity)) +
          "\nSecurity violations detected in generated extractor:",
      entries,
      "\n\nAllowed imports: pathlib, re, datetime, typing, collections, json, math, uuid, base64, "
      "os.path"
      "\nThe extractor function receives a path string and must return a dict. No file I/O "
      "needed.");
}

std::string signature_context(const Validation& validation) {
  std::vector<std::string> entries;
  for (const Finding& one : validation.verdict.findings) {
    if (one.severity == Severity::kNote) continue;
    entries.push_back(fmt::format(
        "\n  {}: {}", one.severity == Severity::kError ? "Error" : "Warning", safe(one.message)));
    if (!one.suggestion.empty()) entries.back() += "\n    Suggestion: " + safe(one.suggestion);
  }
  return assemble(std::string(stage_header(Stage::kSignature)), entries, "");
}

// "ValueError: invalid literal for int() with base 10: 'Q1'".
std::string failure_words(const SampleResult& sample, const std::string& code) {
  std::string text(
      known_type(sample.error_type, code).value_or("an exception of the program's own"));
  const auto message =
      known_message(sample.error_type, sample.error, {.code = code, .path = sample.path});
  if (message) return text + ": " + safe(*message);
  return sample.error.empty() ? text : text + " (its message is the program's own: not told)";
}

std::string place_words(const SampleResult& sample, const std::string& code) {
  const auto line = source_line(code, sample.error_line);
  if (line.empty()) return {};
  std::string text = fmt::format("\n    at line {}", sample.error_line);
  const auto function =
      sample.trace.empty() ? std::nullopt : known_function(sample.trace.back().function, code);
  if (function) text += ", in " + safe(*function, 80) + "()";
  return text + "\n      " + safe(line, 160);
}

// Nothing may be told of paths that were never sent, not even how many failed.
constexpr std::string_view kUnsentFailed =
    "\n  Every path that was sent to you works. Others of the same kind, which were not sent, do "
    "not, "
    "or not after them; nothing is told of those.\n"
    "    Do not rely on a part being there, on how many folders there are or on how long a name "
    "is: a path that lacks a part gives None for it.";

std::string sandbox_context(const Validation& validation) {
  const auto& results = validation.sent_results ? *validation.sent_results : validation.results;
  const std::string& code = validation.verdict.code;
  std::vector<std::string> entries;
  std::size_t bytes = 0;
  for (const SampleResult& one : results) {
    if (one.success) continue;
    entries.emplace_back();  // what is more than fits is only counted
    if (bytes > kMaxRetryContext) continue;
    entries.back() = fmt::format("\n  {}: {}{}", safe(one.path), failure_words(one, code),
                                 place_words(one, code));
    bytes += entries.back().size();
  }
  if (entries.empty() && validation.sent_results)
    return std::string(stage_header(Stage::kSandbox)) + std::string(kUnsentFailed);
  return assemble(std::string(stage_header(Stage::kSandbox)), entries, "");
}

}  // namespace

std::string_view stage_header(Stage stage) {
  switch (stage) {
    case Stage::kSyntax:
      return "The generated code has syntax errors:";
    case Stage::kSecurity:
      return "The generated code contains forbidden operations:";
    case Stage::kSignature:
      return "The extract() function has signature problems:";
    case Stage::kSandbox:
      return "The extractor failed during test execution:";
    case Stage::kComplete:
      break;
  }
  return "The generated code has errors:";
}

std::string retry_context(const Validation& validation) {
  switch (validation.stage_reached) {
    case Stage::kSyntax:
      return syntax_context(validation);
    case Stage::kSecurity:
      return security_context(validation);
    case Stage::kSignature:
      return signature_context(validation);
    default:
      return sandbox_context(validation);
  }
}

}  // namespace airlock
