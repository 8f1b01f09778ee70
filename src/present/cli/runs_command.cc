// airlock runs [ID]: what was run on which repository, and how each probe ended.
#include <string>

#include "engine/records/records.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/records_output.h"

namespace airlock::cli {

Result<int> runs_command(std::span<const std::string> arguments, const Environment& environment) {
  Format format = Format::kText;
  std::string id;
  std::size_t last = 20;
  CommandLine line("airlock runs",
                   "List the runs that were recorded, the newest first, or show one.",
                   "airlock runs --last 5 --format json");
  CLI::App& options = line.options();
  const CLI::Option* one =
      options.add_option("ID", id, "The run to show; the beginning of its name is enough");
  options.add_option("--last", last, "How many to list")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000}))
      ->type_name("N")
      ->default_str("20");
  declare_format(options, format);
  if (const auto code = line.parse(arguments)) return *code;
  std::string report;
  if (one->count() > 0) {
    const auto run = TRY(show_run(environment.user_dirs, id));
    report = format == Format::kJson ? run_as_json(run) : run_as_text(run, environment.colour);
  } else {
    const auto runs = TRY(list_runs(environment.user_dirs, last));
    report = format == Format::kJson ? runs_as_json(runs) : runs_as_text(runs, environment.colour);
  }
  return write_report(report) ? kAccepted : kBadRequest;
}

}  // namespace airlock::cli
