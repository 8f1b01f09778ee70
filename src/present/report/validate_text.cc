// For people: the stages as a tree, each sample with what came out of it, then warnings or
// what to fix.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/printable.h"
#include "model/check_report.h"
#include "model/rule.h"
#include "model/source_line.h"
#include "present/report/style.h"
#include "present/report/validate_output.h"
#include "present/report/validate_preview.h"

namespace airlock::cli {

namespace {

constexpr std::size_t kVerdictWidth = 100;  // columns of a line
constexpr std::size_t kMaxName = 40;        // columns of a sample's name
constexpr std::size_t kMaxShown = 20;       // samples that passed, and samples that failed

std::string mark(bool good, Colour colour) {
  return good ? paint("✓", Style::kGood, colour) : paint("✗", Style::kError, colour);
}

std::string stage_tree(const Validation& validation, Colour colour) {
  struct StageRow {
    Stage stage;
    std::string_view name;
  };
  static constexpr StageRow kStageRows[] = {{Stage::kSyntax, "├─ Syntax check:    "},
                                            {Stage::kSecurity, "├─ Security scan:   "},
                                            {Stage::kSignature, "├─ Signature check: "},
                                            {Stage::kSandbox, "└─ Sandbox tests:   "}};
  std::string out = "Validation progress:\n";
  for (const StageRow& row : kStageRows) {
    out += row.name;
    if (validation.stage_reached < row.stage) {
      out += paint("not reached", Style::kFaint, colour);
    } else if (row.stage == Stage::kSecurity && !validation.was_scanned) {
      out += paint("– left out (--no-scan)", Style::kWarning, colour);
    } else {
      out += mark(validation.stage_reached != row.stage, colour);
      if (row.stage == Stage::kSandbox) {
        const auto passed = std::ranges::count_if(validation.results, &SampleResult::success);
        out += fmt::format(" {}/{} paths", passed, validation.results.size());
      }
    }
    out += "\n";
  }
  return out;
}

// The last `count` segments.
std::string tail(const std::string& path, std::size_t count) {
  std::size_t start = path.size();
  while (count > 0 && start != std::string::npos && start > 0) {
    start = path.find_last_of("/\\", start - 1);
    --count;
  }
  const std::string text = start == std::string::npos ? path : path.substr(start);
  return count == 0 && text.size() > 1 && text.find_first_of("/\\") == 0 ? text.substr(1) : text;
}

// Names by which a reader tells the samples apart: the file's name, or a little more of the path
// where several have the same.
std::vector<std::string> short_names(const std::vector<SampleResult>& results) {
  std::vector<std::string> names;
  for (std::size_t segments = 1; segments <= 4; ++segments) {
    names.clear();
    for (const SampleResult& one : results) {
      std::string name = tail(one.path, segments);
      names.push_back(name.empty() ? "(empty path)" : fitted(name, kMaxName));
    }
    if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) break;
  }
  return names;
}

std::string indented_output(std::string_view label, const std::string& text, Colour colour) {
  constexpr std::size_t kMaxLines = 5;
  if (text.empty()) return {};
  std::string out;
  std::string_view rest = text;
  for (std::size_t lines = 0; !rest.empty(); ++lines) {
    if (lines == kMaxLines) {
      out += "              " + paint("…", Style::kFaint, colour) + "\n";
      break;
    }
    const std::size_t end = rest.find('\n');
    out += lines == 0 ? "      " + paint(label, Style::kFaint, colour) + " " : "              ";
    out += fitted(rest.substr(0, end), kVerdictWidth - 14) + "\n";
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return out;
}

// The guest's own frames, outermost first, each with its line of source.
std::string trace_as_text(const SampleResult& one, const std::string& code, Colour colour) {
  std::vector<TraceLine> frames = one.trace;
  if (frames.empty() && one.error_line > 0) frames.push_back({one.error_line, ""});
  std::string out;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    constexpr std::size_t kEnds = 3;  // of a long way in: the first and the last few
    if (frames.size() > 2 * kEnds && i == kEnds) {
      out += fmt::format("      … {} more calls\n", frames.size() - 2 * kEnds);
      i = frames.size() - kEnds;
    }
    out += fmt::format("      at line {}", frames[i].line);
    if (!frames[i].function.empty()) {
      const bool is_module = frames[i].function == "<module>";
      out += is_module ? ", in the module" : ", in " + fitted(frames[i].function, 60) + "()";
    }
    out += "\n";
    if (const auto line = source_line(code, frames[i].line); !line.empty())
      out += "        " + paint(fitted(line, kVerdictWidth - 8), Style::kFaint, colour) + "\n";
  }
  return out;
}

std::string success_as_text(const SampleResult& one, const std::string& name, std::size_t width,
                            Colour colour) {
  const std::size_t used = columns_of(name);
  const std::string gap(width > used ? width - used : 0, ' ');
  std::string out = "  " + mark(true, colour) + " " + name + gap + " → " +
                    preview(one.result, kVerdictWidth - 7 - std::max(width, used)) + "\n";
  return out + indented_output("stdout:", one.output, colour) +
         indented_output("stderr:", one.error_output, colour);
}

std::string failure_as_text(const SampleResult& one, const std::string& name,
                            const std::string& code, Colour colour) {
  std::string out = "  " + mark(false, colour) + " " + name + "\n      ";
  const std::string type = fitted(one.error_type, 60);
  // Wrapped as one text, then the type's part of it is painted: colours have no width.
  const std::string told = wrap(type + ": " + fitted(one.error, 600), kVerdictWidth - 8, 8);
  out +=
      paint(type, Style::kError, colour) + told.substr(std::min(type.size(), told.size())) + "\n";
  out += trace_as_text(one, code, colour);
  return out + indented_output("stdout:", one.output, colour) +
         indented_output("stderr:", one.error_output, colour);
}

std::string samples_as_text(const Validation& validation, Colour colour) {
  const std::vector<std::string> names = short_names(validation.results);
  std::size_t width = 0;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (validation.results[i].success) width = std::max(width, columns_of(names[i]));
  std::string out;
  // Indexed by success: [0] failed, [1] passed.
  std::size_t shown[2] = {0, 0};
  std::size_t left_out[2] = {0, 0};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const SampleResult& one = validation.results[i];
    if (shown[one.success] == kMaxShown) {
      ++left_out[one.success];
      continue;
    }
    ++shown[one.success];
    out += one.success ? success_as_text(one, names[i], width, colour)
                       : failure_as_text(one, names[i], validation.verdict.code, colour);
  }
  if (left_out[1] > 0) out += fmt::format("  … and {} more that passed\n", left_out[1]);
  if (left_out[0] > 0) out += fmt::format("  … and {} more that failed\n", left_out[0]);
  return out + "\n";
}

std::string summary(const Validation& validation, Colour colour) {
  if (!validation.has_results) return "Validation: " + mark(false, colour) + " Refused\n";
  double total = 0;
  for (const SampleResult& one : validation.results) total += one.milliseconds;
  const auto passed = std::ranges::count_if(validation.results, &SampleResult::success);
  const double average =
      validation.results.empty() ? 0 : total / static_cast<double>(validation.results.size());
  if (!validation.valid) {
    return fmt::format("Validation: {} Failed ({}/{} paths)\n", mark(false, colour), passed,
                       validation.results.size());
  }
  if (!validation.quality_warnings.empty())
    return "Validation: " + mark(true, colour) + " Passed with warnings\n";
  return fmt::format("Validation: {} Passed ({}/{} paths, avg {:.1f}ms)\n", mark(true, colour),
                     passed, validation.results.size(), average);
}

std::string warnings_as_text(const Validation& validation, Colour colour) {
  std::string out;
  const auto add = [&](const std::string& text) {
    out += paint("⚠", Style::kWarning, colour) + " " +
           wrap(fitted(text, 600), kVerdictWidth - 2, 2) + "\n";
  };
  for (const std::string& warning : validation.quality_warnings) add(warning);
  if (!validation.has_results) return out;  // the findings were shown in full
  for (const Finding& one : validation.verdict.findings) {
    if (one.severity == Severity::kWarning)
      add(fmt::format("Line {}: {} ({})", one.place.line, one.message, one.rule->name));
  }
  return out;
}

}  // namespace

std::string validation_as_text(const Validation& validation, const std::string& file,
                               Colour colour) {
  std::string out = stage_tree(validation, colour) + "\n";
  if (!validation.has_results) {
    CheckReport report;
    report.files.push_back({file, validation.sha256, validation.verdict.code, validation.verdict});
    // The findings, as `airlock check` shows them; places are in the cleaned code here.
    report.files[0].verdict.lines.lines.clear();
    out += check_as_text(report, colour) + "\n";
  } else {
    out += samples_as_text(validation, colour);
  }
  return out + summary(validation, colour) + warnings_as_text(validation, colour);
}

}  // namespace airlock::cli
