#include "flow/extractor_node.h"

#include <algorithm>

#include "engine/load/judged_code.h"
#include "engine/load/source_file.h"
#include "engine/load/vet_source.h"
#include "engine/policy/policy_file.h"
#include "engine/validate/sample_runner.h"
#include "flow/read_document.h"
#include "flow/template_uses.h"
#include "flow/value_text.h"
#include "os/interrupts.h"

namespace airlock::flow {

namespace {

// Paths of one node, and bytes of all its rows and output.
constexpr std::size_t kMostPaths = 100'000;
constexpr std::size_t kMostBytes = 64U * 1024 * 1024;
constexpr std::string_view kNoPaths = "An extractor node has \"paths\"";

struct ExtractorSource {
  std::string text;
  TextKind kind = TextKind::kAnswer;
};

// The extractor, or what is wrong.
std::expected<ExtractorSource, std::string> source_of(const Node& node, const Policy& policy) {
  const bool has_file = node.params.contains("extractor");
  if (has_file == node.params.contains("code"))
    return std::unexpected(
        "An extractor node has either \"extractor\" (a file) or \"code\" (its text)");
  const Json& given = node.params[has_file ? "extractor" : "code"];
  if (!given.is_string())
    return std::unexpected("\"extractor\" and \"code\" of an extractor node are texts");
  if (!has_file) return ExtractorSource{given.get<std::string>()};
  auto read = read_source_file(given, policy);
  if (!read) return std::unexpected(read.error().message);
  return ExtractorSource{std::move(*read), text_kind_of(given.get<std::string>())};
}

std::string findings_text(const Verdict& verdict) {
  std::string text;
  for (const Finding& finding : verdict.findings) {
    if (finding.severity != Severity::kError) continue;
    text += (text.empty() ? "" : "\n") + ("  line " + std::to_string(finding.place.line)) + ": " +
            finding.message;
  }
  return text;
}

std::expected<std::vector<std::string>, std::string> paths_in(const std::string& json) {
  const auto read = read_json(json);
  if (!read || !read->is_array())
    return std::unexpected("\"paths\" must be a list of texts, or a template that gives one");
  const Json& value = *read;
  if (value.size() > kMostPaths)
    return std::unexpected("\"paths\" has more than 100000 entries: use airlock extract for them");
  std::vector<std::string> paths;
  for (const Json& one : value) {
    if (!one.is_string()) return std::unexpected("\"paths\" must hold texts only");
    paths.push_back(one);
  }
  return paths;
}

// Without a template there is no need for a node host.
Result<wire::ResolvedValue> paths_json(const Node& node, NativeNodes& store) {
  std::string json = json_text(node.params["paths"]);
  if (template_uses(node).empty()) return wire::ResolvedValue{std::move(json), "", true};
  return store.resolve(json);
}

// `sample.result` is JSON that the inner door has checked; it is pasted in as it is.
std::string row_of_sample(const SampleResult& sample) {
  if (sample.success)
    return "{\"path\":" + json_quoted(sample.path) + ",\"ok\":true,\"data\":" + sample.result + "}";
  return "{\"path\":" + json_quoted(sample.path) +
         ",\"ok\":false,\"error\":{\"type\":" + json_quoted(sample.error_type) +
         ",\"message\":" + json_quoted(sample.error) + "}}";
}

// One path after the other in one cell. A failed path is a row, not a failed node.
Result<Step> run_on(const Node& node, const std::vector<std::string>& paths, SampleRunner& runner,
                    const RunLimits& limits) {
  Step step;
  step.id = node.id;
  step.action = "default";
  step.result = "[";
  for (const std::string& path : paths) {
    auto ran = runner.run(path);
    if (os::pending_interrupt()) return fail("interrupted");
    const SampleResult sample = TRY(std::move(ran));
    if (step.result.size() > 1) step.result += ",";
    step.result += row_of_sample(sample);
    step.output += sample.output;
    step.error_output += sample.error_output;
    if (step.result.size() + step.output.size() + step.error_output.size() > kMostBytes)
      return refused_step(node.id,
                          "The rows are larger than 64 MiB: use airlock extract for so many paths");
  }
  if (const auto late = runner.renew_cell(limits))
    return failed_step(node.id, late->error_type,
                       message("The extractor went on after its last answer: " + late->error));
  step.result += "]";
  step.has_result = true;
  step.is_exact = true;
  return step;
}

// "timeout" is in seconds, for each path. Documents with other values were refused when they were
// read.
RunLimits limits_of(const Node& node) {
  RunLimits limits;
  const auto found = node.params.find("timeout");
  if (found != node.params.end() && found->is_number())
    limits.timeout_ms =
        static_cast<std::uint32_t>(std::clamp(found->get<double>(), 0.01, 3600.0) * 1000);
  return limits;
}

}  // namespace

Result<std::string> check_extractor_node(const Node& node, const std::string& host_program) {
  const auto policy = TRY(load_policy("extractor"));
  const auto source = source_of(node, policy);
  if (!source) return message(source.error());
  if (!node.params.contains("paths")) return message(kNoPaths);
  if (template_uses(node).empty()) {
    const auto paths = paths_in(json_text(node.params["paths"]));
    if (!paths) return message(paths.error());
  }
  // Vetted, not run.
  const auto verdict = TRY(vet_source(host_program, policy, source->text, {}, source->kind));
  if (verdict.decision == Decision::kAccepted) return "";
  return message("The extractor is refused", findings_text(verdict));
}

Result<Step> run_extractor_node(const Node& node, NativeNodes& store,
                                const std::string& host_program) {
  const auto policy = TRY(load_policy("extractor"));
  const auto source = source_of(node, policy);
  if (!source) return refused_step(node.id, source.error());
  if (!node.params.contains("paths")) return refused_step(node.id, kNoPaths);
  auto given = TRY(paths_json(node, store));
  if (!given.problem.empty()) return refused_step(node.id, given.problem);
  const auto paths = paths_in(given.json);
  if (!paths) return refused_step(node.id, paths.error());
  const RunLimits limits = limits_of(node);
  ColdSupply supply(host_program);
  auto judged = TRY(judge_and_warm({.supply = supply,
                                    .policy = policy,
                                    .raw = source->text,
                                    .kind = source->kind,
                                    .warmth = Warmth::kNamedInText,
                                    .first_cell = limits}));
  if (!judged.code)
    return refused_step(node.id, "The extractor is refused; nothing of it was run",
                        findings_text(judged.verdict));
  SampleRunner runner(supply, judged.less ? *judged.less : policy, std::move(judged.chamber));
  runner.load(*std::move(judged.code), limits);
  return run_on(node, *paths, runner, limits);
}

}  // namespace airlock::flow
