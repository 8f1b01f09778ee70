// airlock validate: all stages. Judges the text, runs it on the samples in the chamber, judges what
// comes out.
#include <fmt/format.h>

#include "engine/load/source_file.h"
#include "engine/policy/policy_file.h"
#include "engine/validate/samples.h"
#include "engine/validate/validate.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/validate_output.h"
#include "present/report/validate_progress.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kValidateExample =
    "airlock validate extractor.py --samples paths.txt\n"
    "  airlock validate answer.md --path /data/CLIENT-ABC/2024/Q1/report.csv --format json";

// Paths that --explore may add; each is one more call in the cell.
constexpr std::size_t kMaxExplore = 10000;

struct ValidateArguments {
  std::string file;
  std::string samples;
  std::vector<std::string> paths;
  Format format = Format::kText;
  std::string policy = "extractor";
  double timeout = 5;   // seconds, for each path
  double memory = 100;  // megabytes of 10^6 bytes
  std::size_t explore = 0;
  bool no_scan = false;
};

void declare(CLI::App& options, ValidateArguments& to) {
  options
      .add_option("FILE", to.file, "The extractor, or a model's raw answer; - for standard input")
      ->required();
  declare_samples(options, to.samples, "A file with one sample path a line");
  declare_paths(options, to.paths);
  declare_timeout(options, to.timeout, "Seconds for each path", "5", 3600.0);
  declare_memory(options, to.memory, "Megabytes that the code may add", "100");
  declare_format(options, to.format, "How to print the report: text or json");
  declare_policy(options, to.policy);
  options
      .add_option("--explore", to.explore,
                  "Also try this many mutated sample paths; what breaks is a warning")
      ->type_name("N")
      ->default_str("0")
      ->check(CLI::Range(std::size_t{0}, kMaxExplore));
  options.add_flag("--no-scan", to.no_scan,
                   "Leave the security stage out: the chamber must hold alone");
}

// Everything that is read from files is read here, before anything runs: a mistake in the arguments
// costs nothing. The policy comes first, since it bounds how much of FILE is read.
Result<ValidateRequest> request_for(const ValidateArguments& arguments,
                                    const Environment& environment) {
  ValidateRequest request;
  request.policy = TRY(load_extractor_policy(arguments.policy));
  request.scan = !arguments.no_scan;
  request.explore = arguments.explore;
  request.host_program = environment.host_program;
  request.limits.timeout_ms = milliseconds_of(arguments.timeout);
  request.limits.memory_bytes = bytes_of(arguments.memory);
  request.raw = TRY(read_source_file(arguments.file, request.policy));
  request.kind = text_kind_of(arguments.file);
  request.paths = arguments.paths;
  if (!arguments.samples.empty()) {
    const auto read = TRY(airlock::read_samples(arguments.samples));
    request.paths.insert(request.paths.end(), read.begin(), read.end());
  }
  if (request.paths.empty())
    return bad_request(
        "There is no sample path. Give --samples FILE with one path a line, or --path PATH.");
  return request;
}

}  // namespace

Result<int> validate_command(std::span<const std::string> words, const Environment& environment) {
  ValidateArguments arguments;
  CommandLine line(
      "airlock validate",
      "Judge an extractor, run it on sample paths in the chamber, judge what comes out.",
      kValidateExample);
  declare(line.options(), arguments);
  if (const auto code = line.parse(words)) return *code;
  if (arguments.file == "-" && arguments.samples == "-")
    return bad_request(
        "Standard input can be the extractor or the samples, not both: name a file for one of "
        "them.");

  auto request = TRY(request_for(arguments, environment));
  if (arguments.no_scan)
    complain(
        "The security stage is left out (--no-scan): only the chamber's walls stand between this "
        "code and the host.");
  const bool is_json = arguments.format == Format::kJson;
  LiveProgress progress(request.scan, is_json ? Colour::kNever : environment.error_colour);
  request.on_progress = [&](const ValidateProgress& now) { progress.show(now); };
  auto judged = validate(request);
  // Before anything else is written: an error, too, must not stand in the middle of the tree.
  progress.erase();
  const auto validation = TRY(std::move(judged));

  const std::string report =
      is_json ? validation_as_json(validation)
              : validation_as_text(validation, arguments.file, environment.colour);
  if (!write_report(report)) return kBadRequest;
  return validation.valid ? kAccepted : kRefused;
}

}  // namespace airlock::cli
