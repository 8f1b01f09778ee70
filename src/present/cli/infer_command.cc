// airlock infer: rules from examples.
#include <algorithm>

#include "engine/paths/infer_paths.h"
#include "os/replace_file.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/infer_output.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kInferExample =
    "find /data -type f | airlock infer > rule.yaml\n"
    "  airlock infer paths.txt --hint \"segment(-3) = mission_id\"\n"
    "  airlock infer paths.txt --format json\n\n"
    "Exit codes: 0 a rule was found, 1 none that can be trusted (below 50 %: give more paths),\n"
    "2 bad request.";

// Per cent: below the first a rule is refused, below the second it is doubted in words.
constexpr double kLeastConfidence = 50;
constexpr double kGoodConfidence = 80;
constexpr std::size_t kLongestHint = 500;  // bytes

struct InferArguments {
  std::vector<std::string> inputs;
  InferRequest request;
  Format format = Format::kYaml;
  std::string report;
  bool null_separated = false;
};

void declare(CLI::App& options, InferArguments& to) {
  options.add_option("PATHS", to.inputs,
                     "Files with one path a line; - or none for standard input");
  options.add_flag("-0,--null", to.null_separated, "Paths end with NUL, not with a newline");
  options.add_option("--name", to.request.name, "The name of the rule")->type_name("NAME");
  options
      .add_option(
          "--hint", to.request.hint,
          "What you know: \"segment(-3) = mission_id\", \"the second folder is the client\"")
      ->type_name("TEXT");
  options
      .add_option("--report", to.report,
                  "Write a page for a browser as well: tree, fields, what is not explained")
      ->type_name("FILE.html");
  declare_format(options, to.format, "yaml, or json for the whole report", {"yaml", "json"});
}

// What a person should know who only sees the YAML go by.
void print_remarks(const InferReport& report) {
  if (report.confidence < kLeastConfidence) {
    complain("The confidence is below 50 %: give more paths, or a --hint.");
  } else if (report.confidence < kGoodConfidence) {
    complain("The confidence is below 80 %: look at the rule before you use it.");
  }
  if (report.choice.kind == OutputChoice::Kind::kPython)
    complain("A rule cannot do all that was asked: " + report.choice.reasons.front() +
             ". The rule holds what can be taken without it.");
  const std::uint64_t missed = report.checked - report.matched;
  if (missed > 0)
    complain(std::to_string(missed) + (missed == 1 ? " path is" : " paths are") +
             " not explained, for example " + report.unexplained.front());
}

}  // namespace

Result<int> infer_command(std::span<const std::string> words, const Environment&) {
  InferArguments arguments;
  CommandLine line(
      "airlock infer",
      "Write rules for the paths given: what is fixed, what varies, what it is. Checked on "
      "paths that were held out.",
      kInferExample);
  declare(line.options(), arguments);
  if (const auto code = line.parse(words)) return *code;
  if (arguments.request.hint.size() > kLongestHint)
    return bad_request("--hint takes at most 500 characters.");
  if (arguments.inputs.empty()) arguments.inputs.emplace_back("-");
  auto input = TRY(PathInput::open(
      arguments.inputs, arguments.null_separated ? Separator::kNul : Separator::kNewline));
  const auto paths = TRY(read_paths(input));
  if (paths.seen == 0)
    return bad_request("There are no paths: give one a line, in a file or on standard input.");
  const auto report = TRY(infer_from_paths(paths, arguments.request));
  // The page is written first: a report that cannot be written must not follow a rule on stdout
  // that looks like success.
  if (!arguments.report.empty()) TRY(os::replace_file(arguments.report, inference_as_html(report)));
  if (!write_report(arguments.format == Format::kJson ? inference_as_json(report) : report.yaml))
    return kBadRequest;
  print_remarks(report);
  return report.confidence < kLeastConfidence ? kRefused : kAccepted;
}

}  // namespace airlock::cli
