#include "model/finding.h"

namespace airlock {

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

}  // namespace airlock
