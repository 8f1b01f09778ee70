// airlock compare: a rule and a Python extractor, on the same paths.
#include "engine/compare/compare_rules.h"
#include "engine/paths/load_rules.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/cli/python_rows.h"
#include "present/report/compare_output.h"
#include "present/report/rules_output.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kCompareExample =
    "airlock compare rule.yaml extractor.py paths.txt\n\n"
    "Exit codes: 0 they give the same on every path, 1 they differ (or one of them is refused),\n"
    "2 bad request, 3 no isolation on this host.";

struct CompareArguments {
  std::string rule;
  std::string extractor;
  std::vector<std::string> inputs;
  Format format = Format::kText;
  std::size_t shown = 10;
  std::size_t jobs = 0;
};

void declare(CLI::App& options, CompareArguments& to) {
  options.add_option("RULE", to.rule, "The rule file (.yaml)")->required();
  options.add_option("EXTRACTOR", to.extractor, "The Python extractor")->required();
  options.add_option("PATHS", to.inputs,
                     "Files with one path a line; - or none for standard input");
  options.add_option("--show", to.shown, "How many differences are shown")
      ->type_name("N")
      ->default_str("10");
  declare_jobs(options, to.jobs, "Cells that work at the same time", 1024);
  declare_format(options, to.format);
}

}  // namespace

Result<int> compare_command(std::span<const std::string> words, const Environment& environment) {
  CompareArguments arguments;
  CommandLine line("airlock compare",
                   "Run a rule and a Python extractor on the same paths, and say where they agree.",
                   kCompareExample);
  declare(line.options(), arguments);
  if (const auto code = line.parse(words)) return *code;
  if (arguments.inputs.empty()) arguments.inputs.emplace_back("-");
  auto loaded = TRY(load_rules(arguments.rule));
  if (!loaded.rules) {
    write_to_error_stream(problems_as_text(arguments.rule, loaded.rules.error()));
    return refused("The rules are refused; nothing was run.");
  }
  // The rule is matched here, in this process, as each row of the Python extractor arrives: no list
  // of rows is kept.
  const rules::Matcher matcher(std::move(*loaded.rules));
  Comparer comparer(matcher, arguments.shown);
  const auto stopped =
      TRY(run_python_rows(arguments.extractor, arguments.inputs, arguments.jobs, environment,
                          [&](const RowParts& row) { comparer.add(row); }));
  if (stopped) return *stopped;
  const Comparison& result = comparer.result();
  // No path at all would otherwise be reported as perfect agreement.
  if (result.paths == 0)
    return bad_request("There are no paths: give one a line, in a file or on standard input.");
  const std::string report = arguments.format == Format::kJson
                                 ? comparison_as_json(result)
                                 : comparison_as_text(result, environment.colour);
  if (!write_report(report)) return kBadRequest;
  return result.equal_rows == result.paths ? kAccepted : kRefused;
}

}  // namespace airlock::cli
