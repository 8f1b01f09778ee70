// airlock distill: the rule that gives the answers of a Python extractor.
#include <fmt/format.h>

#include "engine/approve/distill.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/cli/python_rows.h"
#include "present/report/compare_output.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kDistillExample =
    "airlock distill extractor.py --samples paths.txt > rule.yaml\n\n"
    "Exit codes: 0 the rule agrees on every path held out, 1 there is no such rule (what can be "
    "had is\n"
    "printed), 2 bad request, 3 no isolation on this host.";

// Rows that are kept in memory to learn from; further ones are run and not looked at.
constexpr std::size_t kMostDistilled = 100000;

// Values stay as the JSON text that the extractor gave: a rule must give the same text.
void remember(const RowParts& row, std::vector<SampleRow>& rows) {
  if (rows.size() == kMostDistilled) return;
  SampleRow sample;
  sample.path = row.path;
  sample.ok = row.ok;
  sample.data = row.data;
  if (row.ok) {
    each_member(row.data, [&](std::string key, std::string_view value) {
      sample.fields.emplace_back(std::move(key), std::string(value));
    });
  }
  rows.push_back(std::move(sample));
}

std::string as_yaml(const Distillation& made, const std::string& extractor) {
  std::string text =
      "# Distilled from " + extractor +
      fmt::format(", learnt from {}; {} of {} held out agree.\n", counted(made.learnt_from, "path"),
                  made.held_out.equal_rows, made.held_out.paths);
  // Comments at the top of the file say what the rule does not do: it may be read without this
  // command.
  for (const DistilledField& field : made.fields) {
    if (!field.is_found) {
      text += "# Not in it: " + field.name + ": " + field.why_not + "\n";
      // A pattern that matches only nothing is how a constant is written as a rule: it always falls
      // back to its default.
    } else if (field.pattern == "^$") {
      text += "# The same in every sample, so taken as fixed: " + field.name + "\n";
    }
  }
  return text + made.yaml;
}

}  // namespace

Result<int> distill_command(std::span<const std::string> words, const Environment& environment) {
  std::string extractor;
  std::string samples;
  Format format = Format::kYaml;
  CommandLine line(
      "airlock distill",
      "Find the rule that gives the same answers as a Python extractor, many times faster.",
      kDistillExample);
  CLI::App& options = line.options();
  options.add_option("EXTRACTOR", extractor, "The Python extractor")->required();
  declare_samples(options, samples, "A file with one path a line; - for standard input")
      ->required();
  declare_format(options, format, "yaml, or json for the whole report", {"yaml", "json"});
  if (const auto code = line.parse(words)) return *code;
  std::vector<SampleRow> rows;
  const auto stopped = TRY(run_python_rows(extractor, {samples}, 0, environment,
                                           [&](const RowParts& row) { remember(row, rows); }));
  if (stopped) return *stopped;
  const auto made = TRY(distill(rows));
  if (!write_report(format == Format::kJson ? distillation_as_json(made)
                                            : as_yaml(made, extractor)))
    return kBadRequest;
  const bool is_same = made.is_complete && made.held_out.equal_rows == made.held_out.paths;
  if (is_same) return kAccepted;
  for (const DistilledField& field : made.fields)
    if (!field.is_found) complain("No rule gives '" + field.name + "': " + field.why_not + ".");
  if (made.is_complete)
    complain(fmt::format("The rule differs on {} of {} paths that were held out.",
                         made.held_out.paths - made.held_out.equal_rows, made.held_out.paths));
  return kRefused;
}

}  // namespace airlock::cli
