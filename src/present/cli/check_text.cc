// The report for people, after ruff, rustc and elm: where (a place that editors open), what, the
// line itself with the place marked, why, and what to write instead.
//
//   x.py:3:8: error AL201: Import of 'os' is not allowed
//       3 | import os
//         |        ^^
//         = why: Only modules on the list can be imported, …
//         = fix: import os.path
//
// The reason is the rule's, so it is told once for each rule; what cleaning changed is a note of
// one line. Every byte that is not ours passes through printable(): no message can forge a line, no
// source can drive the terminal.
#include <fmt/format.h>

#include <iterator>
#include <set>

#include "base/printable.h"
#include "model/rule.h"
#include "present/cli/check_output.h"
#include "present/cli/check_place.h"
#include "present/cli/check_snippet.h"
#include "present/cli/style.h"

namespace airlock::cli {

namespace {

// Columns for line numbers: the same for all findings, so that they stand below each other.
constexpr std::size_t kGutter = 5;
constexpr std::string_view kWhy = "= why:";
constexpr std::string_view kFix = "= fix:";
// Behind the gutter and the label, on a terminal of 80 columns.
constexpr std::size_t kReasonIndent = kGutter + 2 + kWhy.size();
constexpr std::size_t kReasonColumns = 80 - kReasonIndent;

bool is_cleaning_note(const Finding& finding) {
  return finding.severity == Severity::kNote && static_cast<unsigned>(finding.rule->code) < 100;
}

class Writer {
 public:
  explicit Writer(Colour colour) : colour_(colour) {}

  void file(const CheckedFile& file);
  void summary(const CheckReport& report);
  std::string take() && { return std::move(out_); }

 private:
  void headline(const CheckedFile& file, const Finding& finding, const CharacterPlace& place);
  void source(TextLines& code, const Place& place, std::uint32_t shown_number, Style style);
  void reason(const Finding& finding);
  void fix(const Finding& finding);
  std::string painted(std::string_view text, Style style) const {
    return paint(text, style, colour_);
  }
  std::string outcome(const CheckReport& report) const;
  std::string tally() const;

  Colour colour_;
  std::string out_;
  std::set<const Rule*> explained_;
  const Rule* first_error_ = nullptr;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

void Writer::file(const CheckedFile& file) {
  if (file.verdict.findings.empty()) return;
  TextLines disk(file.raw);
  const bool has_code = !file.verdict.code.empty();
  TextLines code(has_code ? file.verdict.code : file.raw);
  CharacterCounter counter(disk);
  bool after_note = false;
  for (const Finding& finding : file.verdict.findings) {
    const Place on_disk = disk.fit(place_on_disk(file, finding.place));
    const CharacterPlace place = counter.count(on_disk);
    const bool note = is_cleaning_note(finding);
    if (after_note && !note) out_ += '\n';
    after_note = note;
    headline(file, finding, place);
    if (note) continue;
    source(code, has_code ? code.fit(finding.place) : on_disk, place.line,
           style_of(finding.severity));
    reason(finding);
    fix(finding);
    out_ += '\n';
  }
  if (after_note) out_ += '\n';
}

void Writer::headline(const CheckedFile& file, const Finding& finding,
                      const CharacterPlace& place) {
  errors_ += finding.severity == Severity::kError;
  warnings_ += finding.severity == Severity::kWarning;
  if (finding.severity == Severity::kError && first_error_ == nullptr) first_error_ = finding.rule;
  const std::string where =
      fmt::format("{}:{}:{}:", printable(file.file), place.line, place.column);
  const std::string what = fmt::format("{} {}", to_string(finding.severity), finding.rule->name);
  const std::string_view message = finding.message.empty() ? finding.rule->title : finding.message;
  fmt::format_to(std::back_inserter(out_), "{} {}: {}\n", painted(where, Style::kPlace),
                 painted(what, style_of(finding.severity)), printable(message));
}

// Of a place over several lines the first is shown and marked to its end.
void Writer::source(TextLines& code, const Place& place, std::uint32_t shown_number, Style style) {
  const std::string_view line = code.line(place.line);
  const std::size_t end = place.end_line > place.line ? line.size() : place.end_column;
  const Snippet snippet = draw_snippet(line, place.column, end);
  const std::string number = fmt::format("{:>{}} |", shown_number, kGutter);
  const std::string bar = fmt::format("{:>{}} |", "", kGutter);
  const std::string marker(snippet.marker, '^');
  fmt::format_to(std::back_inserter(out_), "{}{}{}\n{} {:>{}}{}\n", painted(number, Style::kGutter),
                 snippet.source.empty() ? "" : " ", snippet.source, painted(bar, Style::kGutter),
                 "", snippet.indent, painted(marker, style));
}

void Writer::reason(const Finding& finding) {
  if (finding.rule->why.empty() || !explained_.insert(finding.rule).second) return;
  fmt::format_to(std::back_inserter(out_), "{:>{}} {} {}\n", "", kGutter,
                 painted(kWhy, Style::kLabel),
                 wrap(finding.rule->why, kReasonColumns, kReasonIndent));
}

// A fix may be several lines of code; each stands behind the gutter.
void Writer::fix(const Finding& finding) {
  if (finding.suggestion.empty()) return;
  TextLines lines(finding.suggestion);
  for (std::uint32_t number = 1; number <= lines.count(); ++number) {
    const std::string label =
        number == 1 ? painted(kFix, Style::kGood) : std::string(kFix.size(), ' ');
    fmt::format_to(std::back_inserter(out_), "{:>{}} {} {}\n", "", kGutter, label,
                   printable(lines.line(number)));
  }
}

std::string Writer::tally() const {
  if (errors_ == 0 && warnings_ == 0) return "";
  if (errors_ == 0) return fmt::format(" ({})", counted(warnings_, "warning"));
  if (warnings_ == 0) return fmt::format(" ({})", counted(errors_, "error"));
  return fmt::format(" ({}, {})", counted(errors_, "error"), counted(warnings_, "warning"));
}

std::string Writer::outcome(const CheckReport& report) const {
  if (report.files.size() == 1) {
    const CheckedFile& file = report.files.front();
    if (file.verdict.decision == Decision::kAccepted) return printable(file.file) + ": accepted";
    return fmt::format("{}: refused in stage {}", printable(file.file),
                       to_string(file.verdict.stage));
  }
  std::size_t refused = 0;
  for (const CheckedFile& file : report.files) {
    refused += file.verdict.decision != Decision::kAccepted;
  }
  return fmt::format("{}: {} accepted, {} refused", counted(report.files.size(), "file"),
                     report.files.size() - refused, refused);
}

void Writer::summary(const CheckReport& report) {
  if (first_error_ != nullptr) {
    const std::string hint =
        fmt::format("More about a rule: airlock check --explain {}", first_error_->name);
    out_ += painted(hint, Style::kFaint) + "\n";
  }
  bool all_accepted = true;
  for (const CheckedFile& file : report.files) {
    all_accepted = all_accepted && file.verdict.decision == Decision::kAccepted;
  }
  // Only a terminal is coloured, so only a terminal gets the mark; what is piped stays plain.
  const std::string_view mark = colour_ == Colour::kNever ? "" : all_accepted ? "✓ " : "✗ ";
  out_ += painted(fmt::format("{}{}{}", mark, outcome(report), tally()),
                  all_accepted ? Style::kGood : Style::kError);
  out_ += '\n';
}

}  // namespace

std::string check_as_text(const CheckReport& report, Colour colour) {
  Writer writer(colour);
  for (const CheckedFile& file : report.files) writer.file(file);
  writer.summary(report);
  return std::move(writer).take();
}

}  // namespace airlock::cli
