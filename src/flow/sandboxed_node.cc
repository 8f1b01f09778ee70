#include "flow/sandboxed_node.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/failure.h"
#include "engine/json_check.h"
#include "engine/vet_source.h"
#include "flow/json_text.h"
#include "flow/node_program.h"
#include "flow/template_uses.h"
#include "os/interrupts.h"

namespace airlock::flow {

namespace {

// To load our own program in a cell.
constexpr std::uint32_t kLoadMs = 30'000;

constexpr RunLimits kLimits = {.timeout_ms = kLoadMs,
                               .memory_bytes = 512'000'000,
                               .result_bytes = 3 * 1024 * 1024,
                               .output_bytes = 64 * 1024,
                               .result_depth = 8};

// A timeout that is no such thing is refused inside, before anything runs.
std::uint32_t timeout_of(const Node& node) {
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

// What the cell says is the guest's word.
Step read_answer(const Node& node, const std::string& text) {
  const Json answer = Json::parse(text, nullptr, false);
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
      (step.has_result && !is_json_object("{\"result\":" + step.result + "}")))
    return failed_step(node.id, "CrashError",
                       message("Result cannot leave the sandbox",
                               "It is nested too deeply, or the code has replaced what writes it.",
                               {"Give a flatter result: at most some hundred levels"}));
  return step;
}

std::string denied_words(const Failure& failure) {
  return message("Code execution failed: " + failure.message, "",
                 {"A sandboxed node has no files, no network, no threads and no processes",
                  "What it needs comes in with \"inputs\""});
}

Step outcome_step(const Node& node, GuestOutcome outcome) {
  Step step;
  if (outcome.success) {
    step = read_answer(node, outcome.value);
  } else {
    step =
        failed_step(node.id, outcome.error_type,
                    message("Code execution failed: " + outcome.error_type + ": " + outcome.error));
  }
  if (!outcome.denials.empty()) {
    const Failure failure = describe_violation(outcome.denials, {});
    if (step.action == "error") step.error += "\n\n" + failure.message;
    outcome.error_output += "[" + failure.message + "]\n";
  }
  step.output = std::move(outcome.output);
  step.error_output = std::move(outcome.error_output);
  if (outcome.output_was_cut) step.error_output += "[output cut off at the limit]\n";
  return step;
}

struct Inputs {
  std::string json;
  std::string problem;
};

Result<Inputs> inputs_of(const Node& node, NativeNodes& store) {
  if (!node.params.contains("inputs") || node.params["inputs"].is_null()) return Inputs{"{}", ""};
  std::string json = json_text(node.params["inputs"]);
  if (template_uses(node).empty()) return Inputs{std::move(json), ""};
  auto resolved = store.resolve(json);
  if (!resolved) return std::unexpected(std::move(resolved).error());
  if (!resolved->problem.empty()) return Inputs{"", resolved->problem};
  if (!resolved->is_json)
    return Inputs{"",
                  "An input is an object that is no JSON value, and a sandboxed node takes JSON"};
  return Inputs{std::move(resolved->json), ""};
}

std::string question_of(std::string_view what, const Node& node, const std::string& inputs,
                        const std::string& actions) {
  Json params = node.params;
  params.erase("inputs");
  params.erase("sandbox");
  std::string text = json_text(params);
  text.insert(1, "\"inputs\":" + inputs + (params.empty() ? "" : ","));
  return "{\"do\":\"" + std::string(what) + "\",\"name\":" + Json(node.id).dump() +
         ",\"actions\":" + (actions.empty() ? "[]" : actions) + ",\"params\":" + text + "}";
}

}  // namespace

Step ended_step(const Node& node, const run::Ending& ending) {
  const Failure failure = describe_ending(ending, kLimits);
  Step step =
      failed_step(node.id, failure.type,
                  message("Code execution failed: " + failure.message, "",
                          {"A node ends when its code does: leave out os._exit()",
                           "Look at the last call into a library that is not written in Python"}));
  if (failure.type == "SandboxViolation") step.error = denied_words(failure);
  if (std::holds_alternative<run::TimedOut>(ending)) {
    step.error_type = "TimeoutError";
    const std::string limit =
        node.params.contains("timeout") ? node.params["timeout"].dump() : "30";
    step.error = message("Python code execution timed out after " + limit + " seconds",
                         "The code was stopped. What it printed until then is kept.",
                         {"Raise the node's limit: \"timeout\": <seconds>"});
  }
  const run::LastWords& words = last_words(ending);
  step.line = words.line;
  step.output = words.output;
  step.error_output = words.error_output;
  return step;
}

Result<void> SandboxedNodes::get_ready() {
  const Policy* policy = find_builtin_policy("node");
  if (policy == nullptr) return fail("there is no policy 'node'");
  if (!chamber_) {
    auto chamber = run::Chamber::start(host_program_, *policy);
    if (!chamber) return std::unexpected(std::move(chamber).error());
    chamber_ = std::move(*chamber);
    if (compiled_.empty()) {
      auto verdict = vet_source(host_program_, *policy, node_program(),
                                {.security = false, .signature = false, .compile = true});
      if (!verdict) return std::unexpected(std::move(verdict).error());
      compiled_ = std::move(verdict->compiled);
    }
    TRY(chamber_->await_ready());
  }
  if (compiled_.empty()) return fail("compile the program of the sandbox");
  return {};
}

Result<std::expected<GuestOutcome, run::Ending>> SandboxedNodes::ask(const std::string& question,
                                                                     std::uint32_t timeout_ms) {
  TRY(get_ready());
  auto cell = chamber_->make_cell();
  if (!cell) return std::unexpected(std::move(cell).error());
  auto loaded = (*cell)->load(compiled_, kLimits);
  if ((*cell)->trouble()) return std::unexpected(*(*cell)->trouble());
  if (!loaded || !loaded->success)
    return fail("load the program of the sandbox" +
                (loaded ? ": " + loaded->error_type + ": " + loaded->error : std::string()));
  (*cell)->set_timeout(timeout_ms);
  auto outcome = (*cell)->call(question);
  if ((*cell)->trouble()) return std::unexpected(*(*cell)->trouble());
  return outcome;
}

Result<Step> SandboxedNodes::run_in_cell(const Node& node, const std::string& question,
                                         std::uint32_t timeout_ms) {
  auto outcome = ask(question, timeout_ms);
  if (!outcome) return std::unexpected(std::move(outcome).error());
  if (!*outcome) return ended_step(node, outcome->error());
  return outcome_step(node, std::move(**outcome));
}

Result<Step> SandboxedNodes::run(const Node& node, NativeNodes& store, const std::string& actions) {
  auto inputs = inputs_of(node, store);
  if (!inputs) return std::unexpected(std::move(inputs).error());
  if (!inputs->problem.empty()) {
    return refused_step(node.id, inputs->problem);
  }
  const std::string question = question_of("run", node, inputs->json, actions);
  constexpr std::size_t kMost = 12U * 1024 * 1024;
  if (question.size() > kMost) {
    return refused_step(
        node.id, "Inputs and code are larger than 12 MiB, the most that a sandboxed node takes");
  }
  std::uint32_t left = std::max(1U, number_or(node, "max_retries", 1, 1));
  while (true) {
    auto step = run_in_cell(node, question, timeout_of(node));
    if (os::pending_interrupt()) return fail("interrupted");
    --left;
    if (!step || left == 0 || step->phase != "exec") return step;
    if (!os::rest(std::chrono::milliseconds(number_or(node, "wait", 1000, 0))))
      return fail("interrupted");
  }
}

}  // namespace airlock::flow
