#include "present/report/piece_text.h"

#include "base/printable.h"
#include "present/report/records_output.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

// The last line is what went wrong, the others are where.
std::string painted_traceback(std::string_view traceback, Colour colour) {
  while (traceback.ends_with('\n')) traceback.remove_suffix(1);
  const std::size_t last = traceback.rfind('\n');
  const std::size_t start = last == std::string_view::npos ? 0 : last + 1;
  const std::string_view words = traceback.substr(start);
  // "ValueError: text", and never more than the name in colour.
  const std::size_t colon = std::min(words.find(':'), words.size());
  return printable_output(traceback.substr(0, start)) +
         paint(printable(words.substr(0, colon)), Style::kError, colour) +
         printable_output(words.substr(colon)) + "\n";
}

std::string denials_line(const std::vector<DeniedCall>& denials) {
  constexpr std::size_t kMost = 5;
  std::string out = "denied by the kernel: ";
  for (std::size_t i = 0; i < std::min(kMost, denials.size()); ++i) {
    if (i > 0) out += ", ";
    out += denials[i].name;
    if (denials[i].line > 0) out += " (line " + std::to_string(denials[i].line) + ")";
  }
  if (denials.size() > kMost) out += ", and " + std::to_string(denials.size() - kMost) + " more";
  return out;
}

}  // namespace

std::string piece_error_text(const PieceReport& report, Colour colour) {
  if (report.end == PieceEnd::kDone) return {};
  if (!report.traceback.empty()) return painted_traceback(report.traceback, colour);
  std::string text = paint(printable(report.error.type), Style::kError, colour) + ": " +
                     printable_output(report.error.message) + "\n";
  for (const Finding& finding : report.findings) {
    if (finding.severity == Severity::kError && finding.message != report.error.message)
      text +=
          "  line " + std::to_string(finding.place.line) + ": " + printable(finding.message) + "\n";
  }
  return text;
}

std::string piece_notes_text(const PieceReport& report, Colour colour) {
  std::string text;
  const auto note = [&](std::string_view words) {
    text += paint(words, Style::kFaint, colour) + "\n";
  };
  if (!report.denials.empty()) note(denials_line(report.denials));
  for (const std::string& left_out : report.harvest.left_out)
    note("not taken out of /out: " + printable(left_out));
  return text;
}

std::string lost_names_text(const PieceReport& report, Colour colour) {
  if (!report.was_killed) return {};
  return paint("the names of the session are gone; the next piece begins anew", Style::kWarning,
               colour) +
         "\n";
}

std::string artifact_text(const Artifact& artifact) {
  return "/out/" + printable(artifact.name) + ", " +
         size_text(static_cast<std::int64_t>(artifact.bytes.size()));
}

}  // namespace airlock::cli
