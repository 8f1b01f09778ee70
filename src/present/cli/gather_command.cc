// airlock gather: runs probes over a repository and prints what passed the inner door.
#include <algorithm>
#include <optional>
#include <system_error>
#include <thread>

#include "engine/load/source_file.h"
#include "engine/policy/policy_file.h"
#include "os/replace_file.h"
#include "os/write_all.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/gather_output.h"
#include "probe/gather.h"
#include "probe/report_files.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kGatherExample =
    "airlock gather . --probe probes/licences.py\n"
    "  airlock gather . --probe probes/*.py --task upgrade --format json --output facts.json\n\n"
    "Exit codes: 0 a probe has an output (or none failed), 1 probes failed and none has one,\n"
    "2 bad request or output that cannot be written, 3 no isolation on this host.";

constexpr std::size_t kMostProbes = 200;  // in one run, beside the built-in ones

// `timeout` is in seconds: a day means each probe's own limit. `memory` is in megabytes of 10^6
// bytes.
struct GatherArguments {
  std::string repository;
  std::vector<std::string> probes;
  std::string task = "default";
  std::string cache;
  Format format = Format::kText;
  std::string output;
  std::string artifacts;
  std::string log;
  std::size_t jobs = 0;
  double timeout = 86400;
  double memory = 512;
  bool no_cache = false;
};

void declare(CLI::App& options, GatherArguments& to) {
  options.add_option("REPO", to.repository, "The folder of the repository; it is only read")
      ->required();
  options
      .add_option("--probe", to.probes, "A Python file with one probe; more than one can follow")
      ->type_name("FILE.py…");
  options.add_option("--task", to.task, "Why the repository is looked at; probes may ask")
      ->type_name("TYPE")
      ->default_str("default");
  CLI::Option* cache =
      options.add_option("--cache", to.cache, "Keep outputs in this folder, not in the store")
          ->type_name("DIR");
  options.add_flag("--no-cache", to.no_cache, "Run every probe, and keep no output")
      ->excludes(cache);
  declare_format(options, to.format);
  options.add_option("--output", to.output, "Write the JSON report to this file, too")
      ->type_name("FILE");
  options
      .add_option("--artifacts", to.artifacts,
                  "Write the probes' raw artifacts, redacted, to DIR/<probe>/")
      ->type_name("DIR");
  options.add_option("--log", to.log, "One line of JSON for each probe to this file; - for stderr")
      ->type_name("FILE");
  declare_jobs(options, to.jobs, "Probes at work at the same time", 64, "number of cores");
  declare_timeout(options, to.timeout, "No probe gets more seconds, whatever it says",
                  "each probe's own, 300", 86400.0);
  declare_memory(options, to.memory, "Megabytes that a probe may add", "512");
}

Result<probe::GatherRequest> request_for(const GatherArguments& arguments,
                                         const Environment& environment) {
  probe::GatherRequest request;
  request.repository = arguments.repository;
  request.task = arguments.task;
  request.host_program = environment.host_program;
  request.memory_bytes = bytes_of(arguments.memory);
  request.longest_ms = milliseconds_of(arguments.timeout);
  request.jobs =
      arguments.jobs != 0 ? arguments.jobs : std::max(1U, std::thread::hardware_concurrency());
  request.store = {environment.user_dirs, arguments.cache, !arguments.no_cache};
  // What we write ourselves is not part of the repository, wherever it is put.
  request.left_out = {arguments.output, arguments.artifacts, arguments.log};
  auto policy = TRY(load_policy("probe"));
  request.policy = std::move(policy);
  if (arguments.probes.size() > kMostProbes)
    return bad_request("at most " + std::to_string(kMostProbes) + " probes run at a time");
  for (const std::string& file : arguments.probes) {
    auto text = TRY(read_source_file(file, request.policy));
    request.probes.push_back({file, std::move(text)});
  }
  return request;
}

// Where the lines for each probe go. Notices when one is lost.
class Log {
 public:
  explicit Log(std::string file) : file_(std::move(file)) {
    if (file_.empty() || file_ == "-") return;
    auto opened = probe::open_log(file_);
    if (opened) {
      stream_ = std::move(*opened);
    } else {
      trouble_ = opened.error().message;
    }
  }
  void add(const std::string& line) {
    if (file_ == "-") write_to_error_stream(line);
    if (!stream_.is_open() || trouble_) return;
    if (const int error = os::write_all(stream_.get(), line))
      trouble_ = "write the log " + file_ + ": " + std::generic_category().message(error);
  }
  // What is wrong, if anything is.
  const std::optional<std::string>& trouble() const { return trouble_; }

 private:
  std::string file_;
  Fd stream_;
  std::optional<std::string> trouble_;
};

// On a terminal, which probes are done so far; gone when the report comes.
class GatherProgressLine {
 public:
  GatherProgressLine(std::size_t total, Colour colour)
      : total_(total), is_shown_(colour != Colour::kNever) {}
  void see(const probe::Execution& execution) {
    ++done_;
    if (is_shown_)
      write_to_error_stream("\r\x1b[K" + std::to_string(done_) + " of " + std::to_string(total_) +
                            " probes done (" + execution.record.probe + ")");
  }
  void finish() const {
    if (is_shown_ && done_ > 0) write_to_error_stream("\r\x1b[K");
  }

 private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool is_shown_;
};

// What is done with a run while it goes on: its log, the progress line, its artifacts. The first
// thing that cannot be written is remembered and ends the command with exit code 2, after the
// report.
class GatherObserver {
 public:
  GatherObserver(const GatherArguments& arguments, std::size_t probes, Colour colour)
      : arguments_(arguments), log_(arguments.log), progress_(probes, colour) {
    remember(log_.trouble());
  }

  void attach(probe::GatherRequest& request) {
    request.on_begin = [this](const std::string& name) { run_ = name; };
    request.on_end = [this](const probe::Execution& execution) {
      log_.add(gather_log_line(run_, execution));
      remember(log_.trouble());
      progress_.see(execution);
    };
    if (arguments_.artifacts.empty()) return;
    request.on_artifact = [this](const std::string& probe, const RedactedFile& file) {
      if (trouble_) return;
      const auto written = probe::write_artifact(arguments_.artifacts, probe, file);
      if (!written) remember(written.error().message);
    };
  }
  void finish() const { progress_.finish(); }
  // Also when there was nothing to put into it.
  void make_artifact_folder() {
    if (arguments_.artifacts.empty() || trouble_) return;
    const auto made = probe::make_artifact_folder(arguments_.artifacts);
    if (!made) remember(made.error().message);
  }
  const std::optional<std::string>& trouble() const { return trouble_; }

 private:
  void remember(std::optional<std::string> trouble) {
    if (!trouble_) trouble_ = std::move(trouble);
  }

  const GatherArguments& arguments_;
  Log log_;
  GatherProgressLine progress_;
  std::string run_;
  std::optional<std::string> trouble_;
};

}  // namespace

Result<int> gather_command(std::span<const std::string> words, const Environment& environment) {
  GatherArguments arguments;
  CommandLine line(
      "airlock gather",
      "Run probes over a repository, each in a chamber of its own, and print the facts "
      "that pass the inner door.",
      kGatherExample);
  declare(line.options(), arguments);
  if (const auto code = line.parse(words)) return *code;
  if (arguments.output == "-")
    return bad_request("--output takes a file; --format json prints to stdout.");
  auto request = TRY(request_for(arguments, environment));
  // Asked before the probes run: they may take minutes, and the answer must have a place to go.
  if (!arguments.output.empty()) {
    TRY(os::can_replace_file(arguments.output));
  }
  if (!arguments.artifacts.empty()) {
    TRY(probe::can_make_artifact_folder(arguments.artifacts));
  }
  // Two built-in probes run in every gathering.
  GatherObserver observer(arguments, request.probes.size() + 2, environment.error_colour);
  if (observer.trouble()) return bad_request(*observer.trouble());
  observer.attach(request);
  auto gathered = probe::gather(request);
  observer.finish();
  const auto report = TRY(std::move(gathered));
  for (const std::string& trouble : report.troubles) complain(trouble);
  const std::string json = gather_as_json(report);
  const bool is_written = write_report(
      arguments.format == Format::kJson ? json : gather_as_text(report, environment.colour));
  if (report.artifacts > 0 && arguments.artifacts.empty() && arguments.format == Format::kText)
    complain("the artifacts are not written anywhere: --artifacts DIR does that");
  observer.make_artifact_folder();
  if (observer.trouble()) return bad_request(*observer.trouble());
  if (!arguments.output.empty()) {
    TRY(os::replace_file(arguments.output, json));
  }
  if (!is_written) return kBadRequest;
  return probe::has_result(report, request.probes.size()) ? kAccepted : kRefused;
}

}  // namespace airlock::cli
