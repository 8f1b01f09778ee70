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
#include <utility>

#include "base/printable.h"
#include "engine/load/vet_source.h"
#include "model/rule.h"
#include "present/report/check_place.h"
#include "present/report/check_snippet.h"
#include "present/report/check_writer.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

// Columns for line numbers: the same for all findings, so that they stand below each other.
constexpr std::size_t kGutter = 5;
constexpr std::string_view kWhy = "= why:";
constexpr std::string_view kFix = "= fix:";
// Behind the gutter and the label, on a terminal of 80 columns.
constexpr std::size_t kReasonIndent = kGutter + 2 + kWhy.size();
constexpr std::size_t kReasonColumns = 80 - kReasonIndent;

// Codes below 100 are those of cleaning: AL001 and so on.
bool is_cleaning_note(const Finding& finding) {
  return finding.severity == Severity::kNote && static_cast<unsigned>(finding.rule->code) < 100;
}

class TextWriter : public CheckWriter {
 public:
  explicit TextWriter(Colour colour) : colour_(colour) {}

  std::string file(const CheckedFile& file) override {
    count(file);
    findings(file);
    return std::exchange(out_, {});
  }
  std::string end() override {
    summary();
    return std::exchange(out_, {});
  }

 private:
  void count(const CheckedFile& file);
  void findings(const CheckedFile& file);
  void summary();
  void headline(const CheckedFile& file, const Finding& finding, const CharacterPlace& place);
  void source(TextLines& code, const Place& place, std::uint32_t shown_number, Style style);
  void reason(const Finding& finding);
  void fix(const Finding& finding);
  std::string painted(std::string_view text, Style style) const {
    return paint(text, style, colour_);
  }
  std::string outcome() const;
  std::string tally() const;

  Colour colour_;
  std::string out_;
  std::set<const Rule*> explained_;
  const Rule* first_error_ = nullptr;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  std::size_t files_ = 0;
  std::size_t accepted_ = 0;
  std::size_t cleaned_ = 0;  // of those accepted
  std::string last_file_;
  Stage last_stage_ = Stage::kSyntax;
};

void TextWriter::count(const CheckedFile& file) {
  const bool is_accepted = file.verdict.decision == Decision::kAccepted;
  ++files_;
  accepted_ += is_accepted;
  cleaned_ += is_accepted && was_cleaned(file.raw, file.verdict.code);
  last_file_ = file.file;
  last_stage_ = file.verdict.stage;
}

void TextWriter::findings(const CheckedFile& file) {
  if (file.verdict.findings.empty()) return;
  TextLines disk(file.raw);
  // Where no code could be read, the file itself is quoted.
  const bool has_code = !file.verdict.code.empty();
  TextLines code(has_code ? file.verdict.code : file.raw);
  CharacterCounter counter(disk);
  bool after_note = false;
  for (const Finding& finding : file.verdict.findings) {
    const Place on_disk = disk.fit(place_on_disk(file, finding.place));
    const CharacterPlace place = counter.count(on_disk);
    // Notes are one line each and stand together; everything else is a block with an empty line
    // after it.
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

void TextWriter::headline(const CheckedFile& file, const Finding& finding,
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
void TextWriter::source(TextLines& code, const Place& place, std::uint32_t shown_number,
                        Style style) {
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

void TextWriter::reason(const Finding& finding) {
  if (finding.rule->why.empty() || !explained_.insert(finding.rule).second) return;
  fmt::format_to(std::back_inserter(out_), "{:>{}} {} {}\n", "", kGutter,
                 painted(kWhy, Style::kLabel),
                 wrap(finding.rule->why, kReasonColumns, kReasonIndent));
}

// A fix may be several lines of code; each stands behind the gutter.
void TextWriter::fix(const Finding& finding) {
  if (finding.suggestion.empty()) return;
  TextLines lines(finding.suggestion);
  for (std::uint32_t number = 1; number <= lines.count(); ++number) {
    const std::string label =
        number == 1 ? painted(kFix, Style::kGood) : std::string(kFix.size(), ' ');
    fmt::format_to(std::back_inserter(out_), "{:>{}} {} {}\n", "", kGutter, label,
                   printable(lines.line(number)));
  }
}

std::string TextWriter::tally() const {
  if (errors_ == 0 && warnings_ == 0) return "";
  if (errors_ == 0) return fmt::format(" ({})", counted(warnings_, "warning"));
  if (warnings_ == 0) return fmt::format(" ({})", counted(errors_, "error"));
  return fmt::format(" ({}, {})", counted(errors_, "error"), counted(warnings_, "warning"));
}

std::string TextWriter::outcome() const {
  if (files_ == 1) {
    const std::string name = printable(last_file_);
    if (accepted_ == 1) return name + (cleaned_ == 1 ? ": accepted after cleaning" : ": accepted");
    return fmt::format("{}: refused in stage {}", name, to_string(last_stage_));
  }
  const std::string cleaned =
      cleaned_ == 0 ? "" : fmt::format(" ({} of them after cleaning)", cleaned_);
  return fmt::format("{}: {} accepted{}, {} refused", counted(files_, "file"), accepted_, cleaned,
                     files_ - accepted_);
}

void TextWriter::summary() {
  if (first_error_ != nullptr) {
    const std::string hint =
        fmt::format("More about a rule: airlock check --explain {}", first_error_->name);
    out_ += painted(hint, Style::kFaint) + "\n";
  }
  const bool all_accepted = accepted_ == files_;
  // Only a terminal is coloured, so only a terminal gets the mark; what is piped stays plain.
  const std::string_view mark = colour_ == Colour::kNever ? "" : all_accepted ? "✓ " : "✗ ";
  out_ += painted(fmt::format("{}{}{}", mark, outcome(), tally()),
                  all_accepted ? Style::kGood : Style::kError);
  out_ += '\n';
}

}  // namespace

std::unique_ptr<CheckWriter> make_text_writer(Colour colour) {
  return std::make_unique<TextWriter>(colour);
}

}  // namespace airlock::cli
