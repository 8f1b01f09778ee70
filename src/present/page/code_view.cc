#include <algorithm>
#include <vector>

#include "engine/compare/line_diff.h"
#include "model/rule.h"
#include "present/page/views.h"
#include "present/tui/draw/paint_code.h"

namespace airlock::page {

namespace {

// As much as is shown of it, cut between lines.
std::string_view shown_part(std::string_view text) {
  std::string_view part = text.substr(0, kMostShownBytes);
  if (part.size() < text.size()) part = part.substr(0, part.rfind('\n') + 1);
  std::size_t end = 0;
  for (std::size_t lines = 0; lines < kMostShownLines; ++lines) {
    const std::size_t next = part.find('\n', end);
    if (next == std::string_view::npos) return part;
    end = next + 1;
  }
  return part.substr(0, end);
}

void add_span(Html& html, tui::Ink ink, std::string_view text) {
  switch (ink) {
    case tui::Ink::kKeyword:
      html("<span class=\"k\">").text(text)("</span>");
      return;
    case tui::Ink::kDefinition:
      html("<span class=\"d\">").text(text)("</span>");
      return;
    case tui::Ink::kString:
      html("<span class=\"s\">").text(text)("</span>");
      return;
    case tui::Ink::kNumber:
      html("<span class=\"n\">").text(text)("</span>");
      return;
    case tui::Ink::kComment:
      html("<span class=\"c\">").text(text)("</span>");
      return;
    default:
      html.text(text);
  }
}

void add_code_line(Html& html, const tui::Line& line) {
  std::size_t bytes = 0;
  for (const tui::InkSpan& span : line) bytes += span.text.size();
  if (bytes > kLongestShownLine) {
    std::string whole;
    for (const tui::InkSpan& span : line) whole += span.text;
    html.text_up_to(whole, kLongestShownLine);
    return;
  }
  for (const tui::InkSpan& span : line) add_span(html, span.ink, span.text);
}

void add_finding(Html& html, const Finding& finding) {
  if (finding.severity == Severity::kError)
    html("<div class=\"finding bad\"><b>Refused</b> ");
  else if (finding.severity == Severity::kWarning)
    html("<div class=\"finding warning\"><b>Warning</b> ");
  else
    html("<div class=\"finding\"><b>Note</b> ");
  html("<span class=\"rule\">")
      .text(finding.rule == nullptr ? std::string_view() : finding.rule->name);
  html("</span><p>").text_up_to(finding.message, kLongestShownCell)("</p>");
  if (!finding.suggestion.empty())
    html("<p class=\"fix\">").text_up_to(finding.suggestion, kLongestShownCell)("</p>");
  html("</div>");
}

}  // namespace

bool is_shown_whole(std::string_view text) {
  if (shown_part(text).size() < text.size()) return false;
  return std::ranges::all_of(
      split_lines(text), [](std::string_view line) { return line.size() <= kLongestShownLine; });
}

Html code_view(std::string_view text, OutputKind kind, std::span<const Finding> findings) {
  findings = findings.first(std::min(findings.size(), kMostShownRows));
  const std::string_view part = shown_part(text);
  const std::vector<tui::Line> lines = tui::paint_code(part, kind);
  Html html("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Code\">");
  html("<table class=\"code\"><caption class=\"unseen\">The code, a row a line</caption>");
  html("<thead class=\"unseen\"><tr><th scope=\"col\">Line</th><th scope=\"col\">Code</th>");
  if (!findings.empty()) html("<th scope=\"col\">Findings</th>");
  html("</tr></thead><tbody>");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto is_here = [&](const Finding& one) { return one.place.line == i + 1; };
    const bool has_finding = std::ranges::any_of(findings, is_here);
    html("<tr id=\"L").number(i + 1)("\"");
    if (has_finding) html(" class=\"found\"");
    html("><th scope=\"row\"><a href=\"#L").number(i + 1)("\">").number(i + 1)("</a></th>");
    html("<td><code>");
    add_code_line(html, lines[i]);
    html("</code></td>");
    if (!findings.empty()) html("<td class=\"margin\">");
    if (has_finding) {
      for (const Finding& one : findings)
        if (is_here(one)) add_finding(html, one);
    }
    if (!findings.empty()) html("</td>");
    html("</tr>");
  }
  html("</tbody></table></div>");
  if (part.size() < text.size())
    html("<p class=\"cutline\" role=\"note\">Cut here: ")
        .number(lines.size())(" lines of ")
        .number(text.size())(" bytes are shown.</p>");
  return html;
}

}  // namespace airlock::page
