#include <algorithm>

#include "engine/bulk/row_parts.h"
#include "present/page/views.h"

namespace airlock::page {

namespace {

RowParts row_of(const SampleResult& sample) {
  RowParts row;
  row.path = sample.path;
  row.ok = sample.success;
  row.data = sample.result;
  return row;
}

bool is_of_numbers(ColumnType type) {
  return type == ColumnType::kInteger || type == ColumnType::kNumber;
}

// As people read it: texts without their quotes.
void add_cell_text(Html& html, std::string_view json) {
  if (json.empty() || json == "null") {
    html("<span class=\"none\">–</span>");
  } else if (json.starts_with('"')) {
    html("<bdi>").text_up_to(unquote(json), kLongestShownCell)("</bdi>");
  } else {
    html("<bdi>").text_up_to(json, kLongestShownCell)("</bdi>");
  }
}

void add_answer_head(Html& html, std::span<const Column> columns) {
  html("<thead><tr><th scope=\"col\">Path</th><th scope=\"col\">Result</th>");
  for (const Column& column : columns) {
    html(is_of_numbers(column.type) ? Markup("<th scope=\"col\" class=\"number\">")
                                    : Markup("<th scope=\"col\">"));
    html("<bdi>").text_up_to(column.field, kLongestShownCell)("</bdi> <small>");
    html.text(name_of(column.type));
    if (column.nullable) html(" or none");
    html("</small></th>");
  }
  html("</tr></thead>");
}

void add_failed_row(Html& html, const SampleResult& sample, std::size_t columns) {
  html("<tr class=\"failed\"><th scope=\"row\"><bdi>");
  html.text_up_to(sample.path, kLongestShownCell)("</bdi></th><td>✗ failed</td>");
  if (columns > 0) html("<td colspan=\"").number(columns)("\">");
  if (columns == 0) html("<td>");
  html("<b>").text_up_to(sample.error_type, kLongestShownCell)("</b> ");
  html.text_up_to(sample.error, kLongestShownCell);
  if (sample.error_line > 0)
    html(" <a href=\"#L").number(sample.error_line)("\">line ").number(sample.error_line)("</a>");
  html("</td></tr>");
}

void add_answer_row(Html& html, const SampleResult& sample, std::span<const Column> columns) {
  html("<tr><th scope=\"row\"><bdi>").text_up_to(sample.path, kLongestShownCell);
  html("</bdi></th><td>✓ passed</td>");
  std::vector<std::string_view> values(columns.size());
  each_member(sample.result, [&](const std::string& key, std::string_view value) {
    const auto found = std::ranges::find(columns, key, &Column::field);
    if (found != columns.end()) values[static_cast<std::size_t>(found - columns.begin())] = value;
  });
  for (std::size_t i = 0; i < columns.size(); ++i) {
    html(is_of_numbers(columns[i].type) ? Markup("<td class=\"number\">") : Markup("<td>"));
    add_cell_text(html, values[i]);
    html("</td>");
  }
  html("</tr>");
}

void add_field_agreements(Html& html, const Comparison& answers) {
  html("<ul class=\"fields\">");
  std::size_t shown = 0;
  for (const auto& [name, field] : answers.fields) {
    if (++shown > kMostShownColumns) break;
    const bool is_same = field.equal == field.rows();
    html(is_same ? Markup("<li><bdi>") : Markup("<li class=\"changed\"><bdi>"));
    html.text_up_to(name, kLongestShownCell)("</bdi> <small>");
    if (is_same) {
      html("same");
    } else if (field.only_right == field.rows()) {
      html("new");
    } else if (field.only_left == field.rows()) {
      html("gone");
    } else {
      html.number(field.rows() - field.equal)(" of ").number(field.rows())(" differ");
    }
    html("</small></li>");
  }
  html("</ul>");
}

}  // namespace

Html answers_view(std::span<const SampleResult> results) {
  SchemaFinder finder;
  for (const SampleResult& one : results) finder.see(row_of(one));
  Schema schema = finder.schema();
  const std::size_t left_out = schema.left_out + schema.columns.size();
  if (schema.columns.size() > kMostShownColumns) schema.columns.resize(kMostShownColumns);
  const std::span<const Column> columns(schema.columns);

  Html html("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Answers\">");
  html("<table class=\"answers\"><caption class=\"unseen\">What it answers to each sample path, ");
  html("those that failed first</caption>");
  add_answer_head(html, columns);
  html("<tbody>");
  std::size_t shown = 0;
  for (const bool wants_success : {false, true}) {
    for (const SampleResult& one : results) {
      if (one.success != wants_success || shown == kMostShownRows) continue;
      ++shown;
      wants_success ? add_answer_row(html, one, columns)
                    : add_failed_row(html, one, columns.size());
    }
  }
  html("</tbody></table></div>");
  if (shown < results.size())
    html("<p class=\"cutline\" role=\"note\">Cut here: ")
        .number(shown)(" of ")
        .number(results.size())(" rows are shown.</p>");
  if (left_out > columns.size())
    html("<p class=\"cutline\" role=\"note\">")
        .number(left_out - columns.size())(" more fields are not shown.</p>");
  return html;
}

Html answer_changes_view(const Comparison& answers) {
  Html html;
  add_field_agreements(html, answers);
  if (answers.differences.empty()) return html;
  html("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Answers that differ\">");
  html(
      "<table class=\"answers\"><caption class=\"unseen\">Answers before and now</caption><thead>");
  html("<tr><th scope=\"col\">Path</th><th scope=\"col\">Field</th><th scope=\"col\">Before</th>");
  html("<th scope=\"col\">Now</th></tr></thead><tbody>");
  for (const Difference& one : answers.differences) {
    html("<tr data-row><th scope=\"row\"><bdi>").text_up_to(one.path, kLongestShownCell);
    html("</bdi></th><td><bdi>").text_up_to(one.field, kLongestShownCell)("</bdi></td>");
    html("<td class=\"old\"><bdi>").text_up_to(one.left, kLongestShownCell)("</bdi></td>");
    html("<td class=\"new\"><bdi>").text_up_to(one.right, kLongestShownCell)("</bdi></td></tr>");
  }
  html("</tbody></table></div>");
  if (answers.paths > answers.equal_rows + answers.differences.size())
    html("<p class=\"cutline\" role=\"note\">The first ")
        .number(answers.differences.size())(" differences are shown.</p>");
  return html;
}

}  // namespace airlock::page
