#include "present/mcp/explain.h"

#include <array>

#include "admit/json_members.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "model/rule.h"
#include "model/source_line.h"
#include "present/mcp/message.h"

namespace airlock::mcp {

namespace {

constexpr std::size_t kLongestForeign = 400;  // bytes of one text of theirs
constexpr std::size_t kMostFindings = 20;

std::string foreign(std::string_view text) {
  const std::string_view cut = cut_utf8(text, kLongestForeign);
  return printable(cut) + (cut.size() < text.size() ? "…" : "");
}

struct Advice {
  std::string_view happened;
  std::string_view fix;
};

// By PieceEnd.
constexpr std::array<Advice, 10> kAdvice = {{
    {"", ""},
    {"The code failed", "correct the line and send the piece again."},
    {"The code was refused before it ran", "change what the findings name."},
    {"The code took too long",
     "do less in one piece, check that every loop ends, or give a larger 'timeout'."},
    {"The code took too long", "do less in one piece, and check that every loop ends."},
    {"The code needed too much memory",
     "work on parts and keep no copies, or open another session with more 'memory_mb'."},
    {"The code printed too much",
     "print less: a result belongs into the last expression, or into a file in /out."},
    {"The code did what is not allowed here",
     "do it without: there is no network, no other program, and no file but those in /data (to "
     "read) and /out (to write)."},
    {"The code ended its process",
     "do not end the process (os._exit, signals), and call no native code with wrong arguments."},
    {"The code was stopped", "send it again if it is still wanted."},
}};

std::string line_of(std::string_view code, std::uint32_t line) {
  if (line == 0) return {};
  std::string out = "\n  at line " + std::to_string(line);
  const std::string_view source = source_line(code, line);
  if (!source.empty()) out += "\n    " + foreign(source);
  return out;
}

std::string denials_of(const PieceReport& report) {
  std::string out;
  for (const DeniedCall& denial : report.denials) {
    out += "\n  denied: " + foreign(denial.name);
    if (denial.line > 0) out += " at line " + std::to_string(denial.line);
  }
  return out;
}

}  // namespace

std::string explain_piece(const PieceReport& report, std::string_view code, InSession where) {
  const Advice& advice = kAdvice.at(static_cast<std::size_t>(report.end));
  std::string out = std::string(advice.happened) + ": " + foreign(report.error.type) + ": " +
                    foreign(report.error.message) + line_of(code, report.line);
  if (report.end == PieceEnd::kViolation) out += denials_of(report);
  std::size_t told = 0;
  for (const Finding& finding : report.findings) {
    if (++told > kMostFindings) break;
    out += "\n  line " + std::to_string(finding.place.line) + ": " +
           std::string(finding.rule->name) + " " + foreign(finding.message);
    if (!finding.suggestion.empty()) out += "\n    fix: " + foreign(finding.suggestion);
  }
  out += "\nFix: " + std::string(advice.fix);
  if (where == InSession::kYes)
    out += report.state_lost ? "\nThe session's variables are gone: define them again."
                             : "\nThe session is as it was when the piece ended.";
  return out;
}

std::string explain_refusal(std::string_view checked) {
  const auto verdict = JsonMembers::read(checked, kMessageDepth);
  const auto findings = verdict ? verdict->items("findings") : std::nullopt;
  std::string out = "The code was refused, and nothing of it was run:";
  std::size_t told = 0;
  for (const std::string_view item : findings.value_or(std::vector<std::string_view>())) {
    const auto finding = JsonMembers::read(item, kMessageDepth);
    if (!finding || finding->text("severity") == "note") continue;
    if (++told > kMostFindings) {
      out += "\n  … and more";
      break;
    }
    out += "\n  line " + std::string(finding->raw("line")) + ": " +
           finding->text("rule").value_or("") + " " +
           foreign(finding->text("message").value_or(""));
    if (const auto fix = finding->text("suggestion")) out += "\n    fix: " + foreign(*fix);
  }
  return out +
         "\nFix: change these lines and call again; the resource airlock://rules/CODE has the "
         "page of a rule.";
}

std::string_view how_to_approve() {
  return "Approving is for a person, and no tool does it: `airlock drafts add FILE --samples FILE` "
         "keeps what passes as a draft. Then `airlock review` shows it in a browser, to approve or "
         "reject it there; or, in a terminal on this machine, `airlock drafts show ID` shows it "
         "and "
         "`airlock approve ID --name NAME` approves it.";
}

}  // namespace airlock::mcp
