#include "model/finding.h"

namespace airlock {

namespace {

constexpr std::string_view kAddImport = "Add '";
constexpr std::string_view kAtTheTop = "' at the top.";

}  // namespace

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::kSyntax:
      return "syntax";
    case Stage::kSecurity:
      return "security";
    case Stage::kSignature:
      return "signature";
    case Stage::kSandbox:
      return "sandbox";
    case Stage::kComplete:
      return "complete";
  }
  // Not reached with a valid enum; the strictest answer for one that is not.
  return "syntax";
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "error";
}

std::string suggest_import(std::string_view statement) {
  return std::string(kAddImport) + std::string(statement) + std::string(kAtTheTop);
}

std::optional<std::string> suggested_import(std::string_view suggestion) {
  const std::size_t end = suggestion.find(kAtTheTop);
  if (!suggestion.starts_with(kAddImport) || end == std::string_view::npos) return std::nullopt;
  return std::string(suggestion.substr(kAddImport.size(), end - kAddImport.size()));
}

}  // namespace airlock
