#include "flow/probe_node.h"

#include <algorithm>
#include <thread>

#include "engine/load/source_file.h"
#include "engine/policy/policy_file.h"
#include "flow/read_document.h"
#include "flow/template_uses.h"
#include "flow/value_text.h"
#include "os/interrupts.h"
#include "probe/gather.h"
#include "probe/report_json.h"

namespace airlock::flow {

namespace {

// The parameters with their templates resolved; without one there is no need for a node host.
Result<wire::ResolvedValue> resolved(const Node& node, NativeNodes& store) {
  std::string json = json_text(node.params);
  if (template_uses(node).empty()) return wire::ResolvedValue{std::move(json), "", true};
  return store.resolve(json);
}

// What to gather, or what is wrong with the parameters.
std::expected<probe::GatherRequest, std::string> request_for(const Json& params) {
  probe::GatherRequest request;
  const Json repository = params.value("repository", Json());
  const Json probes = params.value("probes", Json::array());
  const Json task = params.value("task", Json("default"));
  const Json timeout = params.value("timeout", Json(86400));
  if (!repository.is_string())
    return std::unexpected("A probe node has \"repository\", the name of a folder");
  if (!probes.is_array() || !std::ranges::all_of(probes, &Json::is_string))
    return std::unexpected("\"probes\" must be a list of files, or a template that gives one");
  if (!task.is_string()) return std::unexpected("\"task\" must be text");
  if (!timeout.is_number() || !(timeout.get<double>() > 0) || !(timeout.get<double>() <= 86400))
    return std::unexpected("\"timeout\" must be a number above 0, at most 86400");
  auto policy = load_policy("probe");
  if (!policy) return std::unexpected(policy.error().message);
  request.policy = std::move(*policy);
  for (const Json& file : probes) {
    auto text = read_source_file(file, request.policy);
    if (!text) return std::unexpected(text.error().message);
    request.probes.push_back({file, std::move(*text)});
  }
  request.repository = repository;
  request.task = task;
  request.longest_ms = static_cast<std::uint32_t>(std::max(1.0, timeout.get<double>() * 1000));
  request.jobs = std::max(1U, std::thread::hardware_concurrency());
  return request;
}

// The reasons of those that failed, a line each.
std::string failures(const probe::GatherReport& report) {
  std::string text;
  for (const probe::Execution& one : report.executions) {
    if (one.record.status != ExecutionStatus::kFailed) continue;
    text += (text.empty() ? "  " : "\n  ") + one.record.probe + ": " +
            one.record.reason.value_or("it failed");
  }
  return text;
}

Step step_of(const Node& node, const probe::GatherReport& report, std::size_t asked_for) {
  Step step;
  // Partial success is success: the report says which probes failed.
  if (probe::has_result(report, asked_for)) {
    step.id = node.id;
    step.action = "default";
  } else {
    step = failed_step(node.id, "ProbeError", message("No probe has an output", failures(report)));
    step.phase = "exec";
  }
  step.result = probe::report_json(report, probe::ReportLayout::kOneLine);
  step.has_result = true;
  step.is_exact = true;
  for (const std::string& trouble : report.troubles) step.error_output += trouble + "\n";
  return step;
}

}  // namespace

Result<Step> run_probe_node(const Node& node, NativeNodes& store, const std::string& host_program,
                            const UserDirs& user_dirs) {
  const auto params = TRY(resolved(node, store));
  if (!params.problem.empty()) return refused_step(node.id, params.problem);
  const auto read = read_json(params.json);
  if (!read) return refused_step(node.id, "The parameters cannot be read: " + read.error().message);
  auto request = request_for(*read);
  if (!request) return refused_step(node.id, request.error());
  request->host_program = host_program;
  request->store.user_dirs = user_dirs;
  const auto report = probe::gather(*request);
  if (os::pending_interrupt()) return fail("interrupted");
  // A wrong parameter is the node's failure; missing isolation ends the flow.
  if (!report && report.error().kind != ErrorKind::kRequest) return std::unexpected(report.error());
  if (!report) return refused_step(node.id, report.error().message);
  return step_of(node, *report, request->probes.size());
}

std::string check_probe_node(const Node& node) {
  if (!template_uses(node).empty()) return "";
  const auto request = request_for(node.params);
  return request ? "" : message(request.error());
}

}  // namespace airlock::flow
