// For people: the stages as a tree, each sample with what came out of it, then warnings or
// what to fix.
#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "model/check_report.h"
#include "present/cli/style.h"
#include "present/cli/validate_output.h"

namespace airlock::cli {

namespace {

std::string last_segment(const std::string& path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos || slash + 1 == path.size() ? path : path.substr(slash + 1);
}

std::string shortened(const std::string& text, std::size_t limit) {
  const std::string safe = printable(text);
  return safe.size() <= limit ? safe
                              : safe.substr(0, safe.find_last_not_of("\x80\xBF", limit)) + "…";
}

std::string mark(bool good, Colour colour) {
  return good ? paint("✓", Style::kGood, colour) : paint("✗", Style::kError, colour);
}

std::string stage_tree(const Validation& validation, Colour colour) {
  struct Row {
    Stage stage;
    std::string_view name;
  };
  static constexpr Row kRows[] = {{Stage::kSyntax, "├─ Syntax check:    "},
                                  {Stage::kSecurity, "├─ Security scan:   "},
                                  {Stage::kSignature, "├─ Signature check: "},
                                  {Stage::kSandbox, "└─ Sandbox tests:   "}};
  std::string out = "Validation progress:\n";
  for (const Row& row : kRows) {
    out += row.name;
    if (validation.stage_reached < row.stage) {
      out += paint("not reached", Style::kFaint, colour);
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

std::string source_line(const std::string& code, std::uint32_t number) {
  std::size_t start = 0;
  for (std::uint32_t line = 1; line < number; ++line) {
    start = code.find('\n', start);
    if (start == std::string::npos) return {};
    ++start;
  }
  return code.substr(start, code.find('\n', start) - start);
}

std::string sample_as_text(const SampleResult& one, const std::string& code, Colour colour) {
  std::string out = "  " + mark(one.success, colour) + " " + shortened(last_segment(one.path), 60);
  if (one.success) return out + " → " + shortened(one.result, 400) + "\n";
  out += "\n      " + paint(shortened(one.error_type, 60), Style::kError, colour) + ": " +
         shortened(one.error, 600) + "\n";
  if (one.error_line > 0) {
    const std::string where =
        one.trace.empty() ? "" : ", in " + shortened(one.trace.back().function, 60) + "()";
    out += fmt::format("      at line {}{}\n", one.error_line, where);
    if (const std::string line = source_line(code, one.error_line); !line.empty()) {
      out += "        " +
             shortened(line.substr(line.find_first_not_of(" \t") == std::string::npos
                                       ? 0
                                       : line.find_first_not_of(" \t")),
                       160) +
             "\n";
    }
  }
  if (!one.output.empty()) out += "      stdout: " + shortened(one.output, 400) + "\n";
  if (!one.error_output.empty()) out += "      stderr: " + shortened(one.error_output, 400) + "\n";
  return out;
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

}  // namespace

std::string validation_as_text(const Validation& validation, const std::string& file,
                               Colour colour) {
  std::string out = stage_tree(validation, colour) + "\n";
  if (!validation.has_results || !validation.verdict.findings.empty()) {
    CheckReport report;
    report.files.push_back({file, validation.sha256, validation.verdict.code, validation.verdict});
    // The findings, as `airlock check` shows them; places are in the cleaned code here.
    report.files[0].verdict.lines.lines.clear();
    if (!validation.has_results) out += check_as_text(report, colour) + "\n";
  }
  if (validation.has_results) {
    for (const SampleResult& one : validation.results)
      out += sample_as_text(one, validation.verdict.code, colour);
    out += "\n";
  }
  out += summary(validation, colour);
  for (const std::string& warning : validation.quality_warnings) {
    out += paint("⚠", Style::kWarning, colour) + " " + shortened(warning, 200) + "\n";
  }
  return out;
}

}  // namespace airlock::cli
