// airlock diff: two versions of an extractor, or any two, on the same paths: which answers changed.
#include "engine/compare/diff_rows.h"
#include "present/cli/extract_work.h"
#include "present/cli/judging.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/compare_output.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kDiffExample =
    "airlock diff sales_reports@1 sales_reports@2 --samples paths.txt\n"
    "  find /data -type f | airlock diff sales_reports extractor.py --samples -\n\n"
    "Exit codes: 0 no answer changed, 1 some did (or one of the two is refused), 2 bad request,\n"
    "3 no isolation on this host.";

struct DiffArguments {
  std::string before;
  std::string after;
  std::vector<std::string> samples;
  Format format = Format::kText;
  std::size_t shown = 10;
  std::size_t jobs = 0;
};

// Nothing: it ran to its end. Otherwise the exit code.
Result<std::optional<int>> run(const Work& work, const std::vector<std::string>& inputs,
                               RowSink& sink) {
  auto input = TRY(PathInput::open(inputs, Separator::kNewline));
  const auto end = TRY(work.run(input, Share{}, sink, [](const JobProgress&) {}));
  if (!end.stopped_by) return std::nullopt;
  complain("interrupted");
  return 128 + *end.stopped_by;
}

}  // namespace

Result<int> diff_command(std::span<const std::string> words, const Environment& environment) {
  DiffArguments arguments;
  CommandLine line("airlock diff",
                   "Run two extractors on the same paths and say which answers changed.",
                   kDiffExample);
  CLI::App& options = line.options();
  options.add_option("BEFORE", arguments.before, "NAME[@VERSION], or a file")->required();
  options.add_option("AFTER", arguments.after, "NAME[@VERSION], or a file")->required();
  options
      .add_option("--samples", arguments.samples,
                  "Files with one path a line; - for standard input")
      ->type_name("PATHS")
      ->required();
  options.add_option("--show", arguments.shown, "How many changes are shown")
      ->type_name("N")
      ->default_str("10");
  declare_jobs(options, arguments.jobs, "Cells that work at the same time", 1024);
  declare_format(options, arguments.format);
  if (const auto code = line.parse(words)) return *code;

  // Both extractors read the same paths, so standard input is copied to a temporary file first.
  std::vector<Spool> spools;
  const auto inputs = TRY(readable_twice(arguments.samples, spools));
  const auto before =
      TRY(prepare_work({.extractor = arguments.before, .jobs = arguments.jobs}, environment));
  const auto after =
      TRY(prepare_work({.extractor = arguments.after, .jobs = arguments.jobs}, environment));
  // The first run is kept on disk, not in memory; the second is compared with it row by row.
  auto rows = TRY(Spool::make());
  KeepingSink keeping(rows);
  if (const auto code = TRY(run(before, inputs, keeping))) return *code;
  DiffingSink diffing(rows, arguments.shown);
  if (const auto code = TRY(run(after, inputs, diffing))) return *code;
  const Comparison& result = diffing.result();
  const std::string report =
      arguments.format == Format::kJson
          ? diff_as_json(result, before.shown, after.shown)
          : diff_as_text(result, before.shown, after.shown, environment.colour);
  if (!write_report(report)) return kBadRequest;
  return result.equal_rows == result.paths ? kAccepted : kRefused;
}

}  // namespace airlock::cli
