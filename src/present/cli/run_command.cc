// airlock run: a code node, or a flow of nodes.
#include <algorithm>

#include "flow/make_flow.h"
#include "flow/read_document.h"
#include "flow/run_flow.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/cli/run_output.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kExample =
    "airlock run node.json --shared store.json\n"
    "  airlock run flow.yaml --watch\n"
    "  airlock run flow.yaml --check\n\n"
    "Exit codes: 0 the last action is not error, 1 it is, or the document is refused,\n"
    "2 the document cannot be read, 3 no isolation for a sandboxed node.";

struct Arguments {
  std::string file;
  std::string shared;
  std::string format = "text";
};

void declare(CLI::App& options, Arguments& to) {
  options.add_option("FILE", to.file, "A node or a flow, as JSON or YAML; - for standard input")
      ->required();
  options.add_option("--shared", to.shared, "The store to begin with, a JSON object")
      ->type_name("FILE.json");
  options.add_option("--format", to.format, "How to print the report: text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT")
      ->default_str("text");
}

bool is_error(const flow::Problem& problem) {
  return problem.severity == flow::Problem::Severity::kError;
}

class RunCommand {
 public:
  RunCommand(const Arguments& arguments, const Surroundings& surroundings)
      : arguments_(arguments), surroundings_(surroundings) {}

  int run() {
    auto document = flow::read_document(arguments_.file);
    if (!document) return unreadable(document.error().message);
    if (!arguments_.shared.empty()) {
      auto shared = flow::read_document(arguments_.shared);
      if (!shared) return unreadable(shared.error().message);
      if (!shared->is_object())
        return unreadable("read " + arguments_.shared + ": the shared store must be an object");
      request_.shared = std::move(*shared);
    }
    auto flow = flow::make_flow(*document);
    if (!flow) return refuse(flow.error());
    const auto problems = flow::check_flow(*flow, request_.shared);
    if (std::ranges::any_of(problems, is_error)) return refuse(problems);
    for (const flow::Problem& one : problems)
      complain("warning: node '" + one.node + "': " + one.message);
    return run_it(*flow);
  }

 private:
  bool is_json() const { return arguments_.format == "json"; }

  int unreadable(const std::string& why) {
    complain(why);
    if (is_json()) write_report(problems_as_json(std::vector{flow::Problem{"", why}}));
    return kBadRequest;
  }

  int refuse(std::span<const flow::Problem> problems) {
    const bool was_written = write_report(
        is_json() ? problems_as_json(problems) : problems_as_text(problems, surroundings_.colour));
    return was_written ? kRefused : kBadRequest;
  }

  int run_it(const flow::Flow& flow) {
    flow::heed_signals();
    request_.host_program = surroundings_.host_program;
    const auto report = flow::run_flow(flow, request_);
    if (const auto signal = flow::stopping_signal()) {
      complain("interrupted");
      return 128 + *signal;
    }
    if (!report) return complain_of_no_isolation(report.error().message, surroundings_);
    const RunFacts facts;
    const std::string text = is_json() ? run_as_json(flow, *report, facts)
                                       : run_as_text(flow, *report, facts, surroundings_.colour);
    if (!write_report(text)) return kBadRequest;
    return report->action == "error" ? kRefused : kAccepted;
  }

  const Arguments& arguments_;
  const Surroundings& surroundings_;
  flow::RunRequest request_;
};

}  // namespace

int run_command(std::span<const std::string> words, const Surroundings& surroundings) {
  Arguments arguments;
  CommandLine line("airlock run",
                   "Run a code node or a flow of nodes: Python with typed inputs and one result.",
                   kExample);
  declare(line.options(), arguments);
  if (const auto code = line.parse(words)) return *code;
  return RunCommand(arguments, surroundings).run();
}

}  // namespace airlock::cli
