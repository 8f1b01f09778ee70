// airlock run: a code node, or a flow of nodes.
#include <algorithm>
#include <optional>

#include "engine/doctor/installation.h"
#include "flow/check_nodes.h"
#include "flow/check_templates.h"
#include "flow/make_flow.h"
#include "flow/read_document.h"
#include "flow/recorder.h"
#include "flow/run_flow.h"
#include "os/interrupts.h"
#include "os/replace_file.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/cli/run_progress.h"
#include "present/report/run_output.h"
#include "present/report/style.h"
#include "probe/report_files.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kAbout =
    "Run a code node or a flow of nodes: Python with typed inputs and one result.\n\n"
    "Nodes run with your rights, as a script does: your files, your network, your programs. Run\n"
    "only what you trust, or wall it in: --sandbox puts all nodes behind the kernel's walls,\n"
    "\"sandbox\": true in the document one of them.";

constexpr std::string_view kRunExample =
    "airlock run node.json --shared store.json\n"
    "  airlock run found_somewhere.yaml --sandbox\n"
    "  airlock run flow.yaml --watch\n"
    "  airlock run flow.yaml --check\n"
    "  airlock run flow.yaml --resume 01kb3f\n"
    "  airlock run flow.yaml --output report.json\n\n"
    "Exit codes: 0 the flow ended without an error, 1 with one, or the document is refused,\n"
    "2 the document cannot be read, 3 no isolation for a node that needs it, 130, 143 or 129\n"
    "after SIGINT, SIGTERM or SIGHUP.";

struct RunArguments {
  std::string file;
  std::string shared;
  Format format = Format::kText;
  std::string resume;
  std::string output;
  bool check = false;
  bool sandbox = false;
  bool trusted = false;
  bool watch = false;
};

void declare(CLI::App& options, RunArguments& to) {
  options.add_option("FILE", to.file, "A node or a flow, as JSON or YAML; - for standard input")
      ->required();
  options.add_option("--shared", to.shared, "The store to begin with, a JSON object")
      ->type_name("FILE.json");
  declare_format(options, to.format, "How to print the report: text or json");
  options.add_option("--output", to.output, "Write the JSON report to this file, too")
      ->type_name("FILE.json");
  CLI::Option* sandbox = options.add_flag(
      "--sandbox", to.sandbox, "All nodes behind the kernel's walls, with JSON in and out");
  options
      .add_flag("--trusted", to.trusted, "You know that nodes run with your rights: do not say so")
      ->excludes(sandbox);
  options.add_flag("--check", to.check, "Say what can be said without running anything");
  options.add_flag("--watch", to.watch, "Show on stderr which node is at work");
  options.add_option("--resume", to.resume, "Go on after the last good node of an earlier run")
      ->type_name("RUN");
}

bool is_error(const flow::FlowProblem& problem) {
  return problem.severity == Severity::kError;
}

// One invocation. run() is the order of things; each step that can end it returns an exit code,
// with everything said, or nothing to go on. With --format json even a bad request is reported as a
// document on stdout: its reader parses stdout, not stderr.
class RunCommand {
 public:
  RunCommand(const RunArguments& arguments, const Environment& environment)
      : arguments_(arguments), environment_(environment) {
    request_.host_program = environment.host_program;
    request_.user_dirs = environment.user_dirs;
  }

  Result<int> run() {
    if (const auto code = check_output_writable()) return *code;
    auto document = flow::read_document(arguments_.file);
    if (!document) return unreadable(document.error().message);
    if (const auto code = read_shared()) return *code;
    auto flow = flow::make_flow(*document);
    if (!flow) return report_problems(flow.error());
    if (arguments_.sandbox) flow::sandbox_all(*flow);
    auto problems = flow::check_templates(*flow, request_.shared);
    if (arguments_.check) return check(*flow, std::move(problems));
    if (std::ranges::any_of(problems, is_error)) return report_problems(problems);
    for (const flow::FlowProblem& one : problems)
      complain("warning: node '" + one.node + "': " + one.message);
    if (const auto code = resume(*flow)) return *code;
    report_trusted_nodes(*flow);
    return run_it(*flow);
  }

 private:
  bool is_json() const { return arguments_.format == Format::kJson; }

  int unreadable(const std::string& why) {
    complain(why);
    const std::string json = problems_as_json(std::vector{flow::FlowProblem{"", why}});
    if (is_json()) write_report(json);
    write_output(json);
    return kBadRequest;
  }

  // A node may have done what cannot be undone by the time that its report is to be written.
  std::optional<int> check_output_writable() {
    if (arguments_.output.empty()) return std::nullopt;
    const auto can = os::can_replace_file(arguments_.output);
    if (can) return std::nullopt;
    complain(can.error().message);
    if (is_json())
      write_report(problems_as_json(std::vector{flow::FlowProblem{"", can.error().message}}));
    return kBadRequest;
  }

  bool write_output(const std::string& json) {
    if (arguments_.output.empty()) return true;
    const auto written = os::replace_file(arguments_.output, json);
    if (!written) complain(written.error().message);
    return written.has_value();
  }

  // The report where it is wanted; `text` is for people.
  bool deliver(const std::string& json, const std::string& text) {
    const bool is_printed = write_report(is_json() ? json : text);
    return write_output(json) && is_printed;
  }

  std::optional<int> read_shared() {
    if (arguments_.shared.empty()) return std::nullopt;
    auto shared = flow::read_document(arguments_.shared);
    if (!shared) return unreadable(shared.error().message);
    if (!shared->is_object())
      return unreadable("read " + arguments_.shared + ": the shared store must be an object");
    if (!flow::is_finite(*shared))
      return unreadable(
          "read " + arguments_.shared +
          ": it holds NaN or Infinity, which are no JSON values: write null, or text");
    request_.shared = std::move(*shared);
    return std::nullopt;
  }

  int report_problems(std::span<const flow::FlowProblem> problems) {
    if (!deliver(problems_as_json(problems), problems_as_text(problems, environment_.colour)))
      return kBadRequest;
    return std::ranges::any_of(problems, is_error) ? kRefused : kAccepted;
  }

  Result<int> check(const flow::Flow& flow, std::vector<flow::FlowProblem> problems) {
    const auto more = TRY(flow::check_nodes(flow, request_.host_program));
    problems.insert(problems.end(), more.begin(), more.end());
    if (problems.empty())
      return deliver(problems_as_json(problems),
                     "no problem found in " + counted(flow.nodes.size(), "node") + "\n")
                 ? kAccepted
                 : kBadRequest;
    return report_problems(problems);
  }

  // Steps of the earlier run that still hold (same nodes, same store) are not run again.
  std::optional<int> resume(const flow::Flow& flow) {
    if (arguments_.resume.empty()) return std::nullopt;
    if (flow.is_single_node) return unreadable("--resume is for flows: a node alone has no steps");
    auto found =
        flow::find_resumption(environment_.user_dirs, arguments_.resume, flow, request_.shared);
    if (!found) return unreadable("--resume: " + found.error().message);
    complain("going on after " + counted(found->kept.size(), "kept step") + " of run " +
             found->run_id);
    if (!found->why_no_more.empty()) complain(found->why_no_more);
    request_.kept = std::move(found->kept);
    return std::nullopt;
  }

  // Once, and on stderr: who reads the report should not have to.
  void report_trusted_nodes(const flow::Flow& flow) {
    const std::size_t count = flow::count_trusted(flow);
    if (count == 0 || arguments_.trusted) return;
    complain(counted(count, "node") + (count == 1 ? " runs" : " run") +
             " with your rights: your files, your network, your programs. --sandbox walls " +
             (count == 1 ? "it" : "them") + " in, --trusted says that you know.");
  }

  // The run is over, and no report will tell how.
  // Which node was at work is kept, so that `airlock runs` can say where a run broke off.
  void record_trouble(const Error& error) {
    if (!recorder_) return;
    const auto signal = os::pending_interrupt();
    const std::string why =
        signal ? "interrupted by signal " + std::to_string(*signal) : error.message;
    if (const auto kept = recorder_->stop(node_at_work_, why); !kept)
      complain(kept.error().message);
  }

  int interrupted() {
    complain("interrupted");
    return 128 + os::pending_interrupt().value_or(2);
  }

  // A run that cannot be recorded goes on all the same.
  void record(const flow::Flow& flow) {
    const std::string name = arguments_.file == "-" ? "standard input" : arguments_.file;
    auto begun = flow::Recorder::begin(environment_.user_dirs, name, flow, request_.shared);
    if (begun) {
      recorder_.emplace(std::move(*begun));
    } else {
      complain("this run is not recorded: " + begun.error().message);
    }
  }

  void record(const flow::Step& step) {
    if (!recorder_) return;
    if (const auto kept = recorder_->add(step); !kept) {
      complain("this run is no longer recorded: " + kept.error().message);
      recorder_.reset();
    }
  }

  Result<int> run_it(const flow::Flow& flow) {
    os::note_interrupts_and_end_waits();
    RunProgress progress(arguments_.watch, environment_.error_colour);
    // Recorded only when it really starts: what is refused before leaves no trace in `airlock
    // runs`.
    request_.on_start = [&] { record(flow); };
    request_.on_begin = [&](const flow::Node& node) {
      node_at_work_ = node.id;
      progress.begin(node);
    };
    request_.on_step = [&](const flow::Step& step) {
      progress.end(step);
      record(step);
    };
    const auto report = flow::run_flow(flow, request_);
    if (!report) {
      progress.leave();
      record_trouble(report.error());
      if (os::pending_interrupt()) return interrupted();
      return std::unexpected(report.error());
    }
    RunFacts facts;
    if (recorder_) {
      facts.run_id = recorder_->run_id();
      if (const auto finished = recorder_->finish(); !finished) complain(finished.error().message);
    }
    // A result may be large: a form that nobody asked for is not made.
    const bool needs_json = is_json() || !arguments_.output.empty();
    if (!deliver(needs_json ? run_as_json(flow, *report, facts) : "",
                 is_json() ? "" : run_as_text(flow, *report, facts, environment_.colour)))
      return os::pending_interrupt() ? interrupted() : kBadRequest;
    return report->action == "error" ? kRefused : kAccepted;
  }

  const RunArguments& arguments_;
  const Environment& environment_;
  flow::RunRequest request_;
  std::optional<flow::Recorder> recorder_;
  std::string node_at_work_;
};

}  // namespace

Result<int> run_command(std::span<const std::string> words, const Environment& environment) {
  RunArguments arguments;
  CommandLine line("airlock run", kAbout, kRunExample);
  declare(line.options(), arguments);
  if (const auto code = line.parse(words)) return *code;
  return RunCommand(arguments, environment).run();
}

}  // namespace airlock::cli
