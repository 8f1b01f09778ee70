// airlock extract: the bulk job. Judges the extractor, then runs it on every path of the input. A
// rule file is read, not judged, and runs without a chamber: it is data.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <expected>
#include <memory>
#include <string>
#include <system_error>

#include "base/result.h"
#include "engine/bulk/extract.h"
#include "engine/bulk/merge_shards.h"
#include "engine/bulk/partial_output.h"
#include "engine/bulk/shard_manifest.h"
#include "os/interrupts.h"
#include "os/write_all.h"
#include "present/cli/extract_progress.h"
#include "present/cli/extract_work.h"
#include "present/cli/options.h"
#include "present/cli/program.h"

namespace airlock::cli {

namespace {

// Where the rows go when no file is named. Whole lines only. A reader that has gone away is an
// Error, which ends the job.
class StandardOutput : public RowSink {
 public:
  Result<void> write(std::string_view rows) override {
    const int error = os::write_all(STDOUT_FILENO, rows);
    if (error == EPIPE)
      return bad_request("write the rows: the reader of standard output has gone away");
    if (error != 0)
      return bad_request("write the rows to standard output: " +
                         std::generic_category().message(error));
    return {};
  }
};

constexpr std::string_view kExtractExample =
    "find /data -type f | airlock extract extractor.py - > rows.ndjson\n"
    "  airlock extract rule.yaml paths.txt --jobs 4 > rows.ndjson\n"
    "  airlock extract extractor.py paths.txt --output rows.sqlite --resume\n"
    "  airlock extract sales_reports paths.txt      an approved extractor, by its name\n"
    "  airlock extract sales.airlock paths.txt      a bundle, when its key is trusted\n"
    "  airlock extract extractor.py paths.txt --shard 2/8 --output rows.2.ndjson\n"
    "  airlock extract --merge rows.ndjson rows.*.ndjson\n\n"
    "Exit codes: 0 the job ran to its end (rows with \"ok\": false do not change that),\n"
    "1 the extractor is refused (or is not what was approved) and was not run, 2 bad request or "
    "output that cannot be written,\n"
    "3 no isolation on this host, 130 or 143 after SIGINT or SIGTERM.";

// `timeout` is in seconds for each path, `memory` in megabytes of 10^6 bytes.
struct ExtractArguments {
  std::string extractor;
  std::vector<std::string> inputs;
  std::string output;
  std::string policy;
  std::string shard;  // "": all, and no manifest
  std::string merge;
  std::size_t jobs = 0;
  double timeout = 5;
  double memory = 100;
  bool null_separated = false;
  bool resume = false;
};

void declare(CLI::App& options, ExtractArguments& to) {
  options.add_option(
      "EXTRACTOR", to.extractor,
      "A Python file, a model's raw answer with one in it, a rule file (.yaml), the "
      "name of an approved extractor (NAME or NAME@VERSION), or a bundle of one (.airlock)");
  options.add_option("PATHS", to.inputs,
                     "Files with one path a line; - or none for standard input");
  options.add_flag("-0,--null", to.null_separated, "Paths end with NUL, not with a newline");
  options
      .add_option("--output", to.output,
                  "Write to a file (.ndjson, .csv or .sqlite), put in place when all is done")
      ->type_name("FILE");
  options.add_flag("--resume", to.resume, "Go on with a job that ended early; needs --output");
  declare_jobs(options, to.jobs, "Cells, or threads for rules, that work at the same time", 1024,
               "number of cores");
  options.add_option("--shard", to.shard, "Take only the I-th of N shares of the input's lines")
      ->type_name("I/N");
  options
      .add_option("--merge", to.merge,
                  "Instead of a job: make this file of all shards of one, which are named instead "
                  "of EXTRACTOR and PATHS")
      ->type_name("OUT");
  declare_timeout(options, to.timeout, "Seconds for each path", "5", 3600.0);
  declare_memory(options, to.memory, "Megabytes that the code may add", "100");
  declare_policy(options, to.policy);
}

// "2/3" → index 1 of 3.
std::optional<Share> parse_shard(const std::string& text) {
  Share share;
  std::size_t used = 0;
  const std::size_t slash = text.find('/');
  // At most nine digits on each side: std::stoull cannot overflow.
  if (slash == std::string::npos || slash == 0 || slash > 9 || text.size() - slash > 10 ||
      slash + 1 == text.size() || text.find_first_not_of("0123456789/") != std::string::npos ||
      text.find('/', slash + 1) != std::string::npos)
    return std::nullopt;
  const std::uint64_t index = std::stoull(text, &used);
  share.count = std::stoull(text.substr(slash + 1));
  if (index < 1 || index > share.count) return std::nullopt;
  share.index = index - 1;
  return share;
}

RunLimits limits_of(const ExtractArguments& arguments) {
  RunLimits limits;
  limits.timeout_ms = milliseconds_of(arguments.timeout);
  limits.memory_bytes = bytes_of(arguments.memory);
  return limits;
}

Result<int> run_job(const Work& work, PathInput& input, const Share& share, RowSink& output,
                    const Environment& environment) {
  ProgressLine progress(environment.error_colour);
  const auto end =
      work.run(input, share, output, [&](const JobProgress& now) { progress.see(now); });
  progress.finish();
  const JobEnd done = TRY(end);
  if (!done.stopped_by) return kAccepted;
  complain(*done.stopped_by == SIGINT ? "interrupted" : "terminated");
  return 128 + *done.stopped_by;
}

std::string shard_of(const ExtractArguments& arguments) {
  return arguments.shard.empty() ? "1/1" : arguments.shard;
}

Result<int> run_to_file(const Work& work, const ExtractArguments& arguments, Separator separator,
                        PathInput& input, Share share, const Environment& environment) {
  // What the rows of a partial output depend on. --resume refuses one that was begun with other
  // facts.
  const JobFacts facts{work.sha256,         work.policy,      work.limits,
                       shard_of(arguments), arguments.inputs, separator};
  InputSeen seen;
  if (!arguments.shard.empty()) share.seen = &seen;
  auto output = TRY(PartialOutput::open(arguments.output, facts,
                                        arguments.resume ? StartMode::kResume : StartMode::kFresh));
  // Rows that are in the partial file already are read from the input and not run again.
  share.skip = output->kept_rows();
  share.last_skipped_row = output->last_kept_row();
  if (share.skip > 0)
    complain("going on after " + std::to_string(share.skip) + " rows of " + output->partial_name());
  const auto done = run_job(work, input, share, *output, environment);
  // The error is said here, before the line about what was kept, instead of by run_program().
  const int code = done ? *done : end_with(done.error(), environment.host_program);
  if (code != kAccepted) {
    complain("what is done is kept in " + output->partial_name() + "; --resume goes on with it");
    return code;
  }
  const auto manifest = [&](const RowFacts& rows) {
    return as_json(ShardManifest{.index = share.index,
                                 .count = share.count,
                                 .extractor_sha256 = work.sha256,
                                 .policy = work.policy,
                                 .timeout_ms = work.limits.timeout_ms,
                                 .memory_bytes = work.limits.memory_bytes,
                                 .input_lines = seen.lines,
                                 .input_sha256 = seen.hash.hex(),
                                 .rows = rows.rows,
                                 .failed = rows.failed,
                                 .rows_sha256 = rows.sha256});
  };
  const auto finished = arguments.shard.empty() ? output->finish() : output->finish(manifest);
  if (finished) return kAccepted;
  complain(finished.error().message + ". The rows are kept: --resume tries again");
  return os::pending_interrupt() ? 128 + *os::pending_interrupt() : kBadRequest;
}

Result<int> merge(const ExtractArguments& arguments) {
  if (arguments.extractor.empty())
    return bad_request(
        "--merge needs the shards: airlock extract --merge all.ndjson rows.*.ndjson");
  if (!arguments.output.empty() || !arguments.shard.empty() || arguments.resume)
    return bad_request("--merge takes the file to write and the shards, and nothing else.");
  if (!output_format(arguments.merge))
    return bad_request("--merge takes a name that ends in .ndjson, .csv or .sqlite.");
  std::vector<std::string> shards{arguments.extractor};
  shards.insert(shards.end(), arguments.inputs.begin(), arguments.inputs.end());
  os::note_interrupts();
  const auto merged = merge_shards(shards, arguments.merge);
  if (const auto signal = os::pending_interrupt(); signal && !merged) {
    complain(*signal == SIGINT ? "interrupted" : "terminated");
    return 128 + *signal;
  }
  const MergedShards told = TRY(merged);
  complain(std::to_string(told.rows) + " rows of " + std::to_string(told.shards) +
           (told.shards == 1 ? " shard in " : " shards in ") + arguments.merge + ", " +
           std::to_string(told.failed) + " failed");
  return kAccepted;
}

// What is wrong with the arguments by themselves.
std::optional<std::string> contradiction(const ExtractArguments& arguments) {
  if (arguments.extractor.empty()) return "EXTRACTOR is required.";
  if (arguments.extractor == "-" &&
      std::ranges::find(arguments.inputs, "-") != arguments.inputs.end())
    return "Standard input can be the extractor or the paths, not both: name a file for one of "
           "them.";
  if (arguments.resume && arguments.output.empty())
    return "--resume needs --output FILE: it goes on with FILE.partial.";
  if (!arguments.output.empty() && !output_format(arguments.output))
    return "--output takes a name that ends in .ndjson, .csv or .sqlite.";
  return std::nullopt;
}

}  // namespace

Result<int> extract_command(std::span<const std::string> words, const Environment& environment) {
  ExtractArguments arguments;
  CommandLine line(
      "airlock extract",
      "Judge an extractor and run it in the chamber, or match rules, on every path of the "
      "input: one line of JSON for each, in order.",
      kExtractExample);
  declare(line.options(), arguments);
  if (const auto code = line.parse(words)) return *code;
  if (!arguments.merge.empty()) return merge(arguments);
  if (arguments.inputs.empty()) arguments.inputs.emplace_back("-");
  if (const auto why = contradiction(arguments)) return bad_request(*why);
  const auto share = parse_shard(shard_of(arguments));
  if (!share) return bad_request("--shard takes I/N with 1 <= I <= N, for example 2/8.");
  const Separator separator = arguments.null_separated ? Separator::kNul : Separator::kNewline;
  // Opened before the extractor is judged: a path list that is not there is found at once.
  auto input = TRY(PathInput::open(arguments.inputs, separator));
  const auto work = TRY(prepare_work({.extractor = arguments.extractor,
                                      .policy = arguments.policy,
                                      .limits = limits_of(arguments),
                                      .jobs = arguments.jobs},
                                     environment));
  if (!arguments.output.empty())
    return run_to_file(work, arguments, separator, input, *share, environment);
  StandardOutput output;
  return run_job(work, input, *share, output, environment);
}

}  // namespace airlock::cli
