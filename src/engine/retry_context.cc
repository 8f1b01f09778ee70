// retry_context: what the next prompt tells the model, one form for each stage.
#include <fmt/format.h>

#include "engine/validate.h"
#include "model/rule.h"

namespace airlock {

namespace {

std::string syntax_context(const Validation& validation) {
  std::string text = "The generated code has syntax errors:";
  for (const Finding& one : validation.verdict.findings) {
    if (one.severity != Severity::kError) continue;
    text += fmt::format("\n  Line {}, column {}: {}", one.place.line, one.place.column + 1,
                        one.message);
    if (!one.suggestion.empty()) text += "\n    Suggestion: " + one.suggestion;
  }
  return text;
}

std::string security_context(const Validation& validation) {
  std::string text = "Security violations detected in generated extractor:";
  for (const Finding& one : validation.verdict.findings) {
    if (one.severity != Severity::kError) continue;
    text += fmt::format("\n  Line {}: {}\n    Item: {}\n    Reason: {}", one.place.line,
                        one.rule->kind, one.item, one.message);
    if (!one.suggestion.empty()) text += "\n    Instead: " + one.suggestion;
  }
  text +=
      "\n\nAllowed imports: pathlib, re, datetime, typing, collections, json, math, uuid, base64, "
      "os.path"
      "\nThe extractor function receives a path string and must return a dict. No file I/O needed.";
  return text;
}

std::string signature_context(const Validation& validation) {
  std::string text = "The extract() function has signature problems:";
  for (const Finding& one : validation.verdict.findings) {
    if (one.severity == Severity::kNote) continue;
    text += fmt::format("\n  {}: {}", one.severity == Severity::kError ? "Error" : "Warning",
                        one.message);
  }
  return text;
}

std::string sandbox_context(const Validation& validation) {
  std::string text = "The extractor failed during test execution:";
  for (const SampleResult& one : validation.results) {
    if (one.success) continue;
    text += fmt::format("\n  {}: {}: {}", one.path, one.error_type, one.error);
    if (one.error_line > 0) text += fmt::format("\n    at line {}", one.error_line);
  }
  return text;
}

}  // namespace

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
