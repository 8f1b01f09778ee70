// airlock validate: all stages. Judges the text, runs it on the samples in the chamber, judges what
// comes out.
#include <fmt/format.h>

#include <cmath>

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

constexpr std::size_t kMaxExplore = 10000;

}  // namespace

Result<int> validate_command(std::span<const std::string> arguments,
                             const Environment& environment) {
  std::string file;
  std::string samples;
  std::vector<std::string> paths;
  std::string format = "text";
  std::string policy_name = "extractor";
  double timeout = 5;
  double memory = 100;
  std::size_t explore = 0;
  bool no_scan = false;
  CommandLine line(
      "airlock validate",
      "Judge an extractor, run it on sample paths in the chamber, judge what comes out.",
      kValidateExample);
  CLI::App& options = line.options();
  options.add_option("FILE", file, "The extractor, or a model's raw answer; - for standard input")
      ->required();
  options.add_option("--samples", samples, "A file with one sample path a line")->type_name("FILE");
  options.add_option("--path", paths, "A sample path; may be given several times")
      ->type_name("PATH")
      ->take_all()
      ->allow_extra_args(false);
  declare_timeout(options, timeout, "Seconds for each path", "5", 3600.0);
  declare_memory(options, memory, "Megabytes that the code may add", "100");
  declare_format(options, format, "How to print the report: text or json");
  declare_policy(options, policy_name);
  options
      .add_option("--explore", explore,
                  "Also try this many mutated sample paths; what breaks is a warning")
      ->type_name("N")
      ->default_str("0")
      ->check(CLI::Range(std::size_t{0}, kMaxExplore));
  options.add_flag("--no-scan", no_scan,
                   "Leave the security stage out: the chamber must hold alone");
  if (const auto code = line.parse(arguments)) return *code;
  if (file == "-" && samples == "-")
    return bad_request(
        "Standard input can be the extractor or the samples, not both: name a file for one of "
        "them.");

  auto policy = TRY(load_extractor_policy(policy_name));
  ValidateRequest request;
  request.policy = std::move(policy);
  request.scan = !no_scan;
  request.explore = explore;
  request.host_program = environment.host_program;
  request.limits.timeout_ms = static_cast<std::uint32_t>(std::lround(timeout * 1000));
  request.limits.memory_bytes = static_cast<std::uint32_t>(std::lround(memory * 1e6));
  auto raw = TRY(read_source_file(file, request.policy));
  request.raw = std::move(raw);
  request.kind = text_kind_of(file);
  request.paths = std::move(paths);
  if (!samples.empty()) {
    auto read = TRY(airlock::read_samples(samples));
    request.paths.insert(request.paths.end(), read.begin(), read.end());
  }
  if (request.paths.empty())
    return bad_request(
        "There is no sample path. Give --samples FILE with one path a line, or --path PATH.");
  if (no_scan)
    complain(
        "The security stage is left out (--no-scan): only the chamber's walls stand between this "
        "code and the host.");
  LiveProgress progress(request.scan, format == "text" ? environment.error_colour : Colour::kNever);
  request.on_progress = [&](const ValidateProgress& now) { progress.show(now); };
  auto judged = validate(request);
  progress.erase();
  const auto validation = TRY(std::move(judged));
  const std::string report = format == "json"
                                 ? validation_as_json(validation)
                                 : validation_as_text(validation, file, environment.colour);
  if (!write_report(report)) return kBadRequest;
  return validation.valid ? kAccepted : kRefused;
}

}  // namespace airlock::cli
