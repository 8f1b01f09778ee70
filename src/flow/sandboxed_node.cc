#include "flow/sandboxed_node.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "admit/strict_json.h"
#include "base/json_reader.h"
#include "engine/load/judged_code.h"
#include "flow/template_uses.h"
#include "flow/value_text.h"
#include "os/interrupts.h"

namespace airlock::flow {

namespace {

// What a cell of nodes is loaded with: question and answer are JSON. Our own code, not a guest's.
constexpr std::string_view kNodeProgram = R"(import sys
def extract(path: str) -> dict:
    return sys.modules['airlock_node.cell'].answer(path)
)";

// To load our own program in a cell.
constexpr std::uint32_t kLoadMs = 30'000;

// Bytes and milliseconds. `result_depth` is that of our own answer around the node's result, which
// is a text inside of it.
constexpr RunLimits kLimits = {.timeout_ms = kLoadMs,
                               .memory_bytes = 512'000'000,
                               .result_bytes = 3 * 1024 * 1024,
                               .output_bytes = 64 * 1024,
                               .result_depth = 8};

// Of the node's own result, which is a text in the answer.
constexpr std::size_t kDeepestSandboxed = 70;

// A timeout that is not a positive number is refused inside the cell, before anything runs.
std::uint32_t sandbox_timeout_ms(const Node& node) {
  // Milliseconds that fit into 32 bits.
  constexpr double kMost = 4e9;
  if (!node.params.contains("timeout") || !node.params["timeout"].is_number()) return 30'000;
  const double ms = node.params["timeout"].get<double>() * 1000;
  return ms > 0 ? static_cast<std::uint32_t>(std::clamp(ms, 1.0, kMost)) : 30'000;
}

std::uint32_t number_or(const Node& node, const char* name, double factor, std::uint32_t other) {
  if (!node.params.contains(name)) return other;
  return static_cast<std::uint32_t>(std::lround(node.params[name].get<double>() * factor));
}

std::string text_or(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The answer comes from the cell and is untrusted: every member is checked.
Step read_answer(const Node& node, const std::string& text) {
  const Json answer = read_ordered_json<Json>(text);
  if (!answer.is_object())
    return failed_step(node.id, "CrashError", message("The sandbox gave no answer"));
  Step step;
  step.id = node.id;
  step.action = text_or(answer, "action");
  step.phase = text_or(answer, "phase");
  step.error_type = text_or(answer, "error_type");
  step.error = text_or(answer, "error");
  if (answer.contains("line") && answer["line"].is_number_unsigned())
    step.line = answer["line"].get<std::uint32_t>();
  step.result = text_or(answer, "result");
  step.has_result = step.error.empty();
  step.is_exact = true;
  if (step.action.empty() ||
      (step.has_result && !StrictJson(kDeepestSandboxed).is_value(step.result)))
    return failed_step(node.id, "CrashError",
                       message("Result cannot leave the sandbox",
                               "It is nested too deeply, or the code has replaced what writes it.",
                               {"Give a flatter result: at most some hundred levels"}));
  return step;
}

Step late_step(const Node& node) {
  const std::string limit = node.params.contains("timeout") ? node.params["timeout"].dump() : "30";
  return failed_step(node.id, "TimeoutError",
                     message("Python code execution timed out after " + limit + " seconds",
                             "The code was stopped. What it printed until then is kept.",
                             {"Raise the node's limit: \"timeout\": <seconds>"}));
}

// A denied system call, whatever the node answered and whether it answered at all.
Step denied_step(const Node& node, const Failure& failure) {
  return failed_step(node.id, failure.type,
                     message("Code execution failed: " + failure.message, "",
                             {"A sandboxed node has no files to write, no network and no processes",
                              "What it needs comes in with \"inputs\""}));
}

Step ended_step(const Node& node, const Failure& failure) {
  return failed_step(
      node.id, failure.type,
      message("Code execution failed: " + failure.message, "",
              {"A node ends when its code does: leave out os._exit()",
               "Look at the last call into a library that is not written in Python"}));
}

Step raised_step(const Node& node, const Failure& failure) {
  return failed_step(node.id, failure.type,
                     message("Code execution failed: " + failure.type + ": " + failure.message));
}

struct Inputs {
  std::string json;
  std::string problem;
};

Result<Inputs> inputs_of(const Node& node, NativeNodes& store) {
  if (!node.params.contains("inputs") || node.params["inputs"].is_null()) return Inputs{"{}", ""};
  std::string json = json_text(node.params["inputs"]);
  if (template_uses(node).empty()) return Inputs{std::move(json), ""};
  auto resolved = TRY(store.resolve(json));
  if (!resolved.problem.empty()) return Inputs{"", resolved.problem};
  if (!resolved.is_json)
    return Inputs{"",
                  "An input is an object that is no JSON value, and a sandboxed node takes JSON"};
  return Inputs{std::move(resolved.json), ""};
}

std::string question_of(std::string_view what, const Node& node, const std::string& inputs,
                        const std::string& actions) {
  Json params = node.params;
  params.erase("inputs");
  params.erase("sandbox");
  std::string text = json_text(params);
  // Pasted in as text: the inputs are JSON already and may be megabytes.
  text.insert(1, "\"inputs\":" + inputs + (params.empty() ? "" : ","));
  return "{\"do\":\"" + std::string(what) + "\",\"name\":" + Json(node.id).dump() +
         ",\"actions\":" + (actions.empty() ? "[]" : actions) + ",\"params\":" + text + "}";
}

}  // namespace

// The most important first: a denied call outweighs a timeout, a timeout outweighs how it ended.
Step step_of(const Node& node, CellAnswer answer) {
  const bool is_late = answer.ending && std::holds_alternative<TimedOut>(*answer.ending);
  Step step = answer.success            ? read_answer(node, answer.value)
              : !answer.denials.empty() ? denied_step(node, answer.failure)
              : is_late                 ? late_step(node)
              : answer.ending           ? ended_step(node, answer.failure)
                                        : raised_step(node, answer.failure);
  if (!answer.success) step.line = answer.line;
  step.output = std::move(answer.output);
  step.error_output = std::move(answer.error_output);
  return step;
}

Result<void> SandboxedNodes::get_ready() {
  if (chamber_) return {};
  const Policy* policy = find_builtin_policy("node");
  if (policy == nullptr) return fail("there is no policy 'node'");
  Policy warmed = *policy;
  warmed.preloaded.emplace_back(kNodeRuntime);
  ColdSupply supply(host_program_);
  auto judged = TRY(judge_and_warm({.supply = supply,
                                    .policy = warmed,
                                    .raw = kNodeProgram,
                                    .kind = TextKind::kProgram,
                                    .screening = run::Screening::of(run::grant::OurOwnProgram())}));
  if (!judged.code) return no_isolation("compile the program of the sandbox");
  TRY(judged.chamber->await_ready());
  program_ = std::move(judged.code);
  chamber_ = std::move(judged.chamber);
  return {};
}

// What the program in a fresh cell answers.
Result<CellAnswer> SandboxedNodes::ask(const std::string& question, std::uint32_t timeout_ms) {
  TRY(get_ready());
  auto loaded = TRY(load_cell(*chamber_, *program_, kLimits));
  const Failure& failure = loaded.loaded.failure;
  if (!loaded.cell)
    return no_isolation("load the program of the sandbox: " + failure.type + ": " +
                        failure.message);
  RunLimits limits = kLimits;
  limits.timeout_ms = timeout_ms;
  return ask_cell_last(*loaded.cell, question, limits);
}

Result<Step> SandboxedNodes::run(const Node& node, NativeNodes& store, const std::string& actions) {
  auto inputs = TRY(inputs_of(node, store));
  if (!inputs.problem.empty()) {
    return refused_step(node.id, inputs.problem);
  }
  const std::string question = question_of("run", node, inputs.json, actions);
  constexpr std::size_t kMost = 12U * 1024 * 1024;
  if (question.size() > kMost) {
    return refused_step(
        node.id, "Inputs and code are larger than 12 MiB, the most that a sandboxed node takes");
  }
  std::uint32_t left = std::max(1U, number_or(node, "max_retries", 1, 1));
  while (true) {
    auto asked = ask(question, sandbox_timeout_ms(node));
    if (os::pending_interrupt()) return fail("interrupted");
    CellAnswer answer = TRY(std::move(asked));
    const bool was_denied = !answer.denials.empty();
    Step step = step_of(node, std::move(answer));
    --left;
    // No retry after a denied call: it would be denied again, and code that behaves only the second
    // time is no better.
    if (left == 0 || step.phase != "exec" || was_denied) return step;
    if (!os::sleep_unless_interrupted(std::chrono::milliseconds(number_or(node, "wait", 1000, 0))))
      return fail("interrupted");
  }
}

}  // namespace airlock::flow
