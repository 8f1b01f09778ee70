#include "flow/native_nodes.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "admit/strict_json.h"
#include "engine/doctor/installation.h"
#include "flow/value_text.h"
#include "os/interrupts.h"

namespace airlock::flow {

namespace {

constexpr std::size_t kDeepestResult = 70;  // a little more than a host writes

using run::LostNode;

// "max_retries" counts all tries, the first included; 0 and 1 both mean one.
std::uint32_t attempts_of(const Node& node) {
  if (!node.params.contains("max_retries")) return 1;
  return std::max<std::uint32_t>(1, node.params["max_retries"].get<std::uint32_t>());
}

// Milliseconds between two tries; "wait" is in seconds.
std::uint32_t wait_of(const Node& node) {
  if (!node.params.contains("wait")) return 0;
  return static_cast<std::uint32_t>(std::lround(node.params["wait"].get<double>() * 1000));
}

// A timeout that is not a number is refused by the host, before anything runs.
std::chrono::milliseconds timeout_of(const Node& node) {
  constexpr double kMost = 1e12;  // 30 years
  if (!node.params.contains("timeout") || !node.params["timeout"].is_number())
    return std::chrono::seconds(30);
  const double ms = node.params["timeout"].get<double>() * 1000;
  return std::chrono::milliseconds(std::llround(std::clamp(ms, 1.0, kMost)));
}

// The timeout as the document writes it: the same words as in the host's own message.
std::string timeout_text(const Node& node) {
  return node.params.contains("timeout") ? node.params["timeout"].dump() : "30";
}

// The likeliest cause for each way to end: a limit of this process, os._exit(), the out-of-memory
// killer, a crash in native code.
std::string words_of_end(const os::ExitStatus& status) {
  const auto low = status.was_signalled ? std::nullopt : limits_trouble("");
  if (low)
    return message(
        "Code execution failed: the process ended with exit code " + std::to_string(status.number),
        *low + " If that does not help: the code, or a library that it uses, called os._exit().",
        {"Raise the limit, and run it again"});
  if (!status.was_signalled)
    return message(
        "Code execution failed: the process ended with exit code " + std::to_string(status.number),
        "The code, or a library that it uses, called os._exit(), or closed a descriptor "
        "that is not its own. What was printed before is kept.",
        {"A node ends when its code does: leave out os._exit()"});
  if (status.number == SIGKILL)
    return message("Code execution failed: the process was killed",
                   "Somebody sent it SIGKILL; most often that is the system, when memory runs out.",
                   {"Work on the data in parts", "Run with more memory"});
  return message("Code execution failed: the interpreter crashed: " + status.describe(),
                 "That happens in native code: ctypes, an extension module, or a recursion without "
                 "end after sys.setrecursionlimit().",
                 {"Look at the last call into a library that is not written in Python",
                  "Run it apart from the rest: \"sandbox\": true"});
}

// Three messages, by what the host was doing: running the code, or something before or after it.
std::string words_of_timeout(const Node& node, os::SharedProgress::Stage stage) {
  using Stage = os::SharedProgress::Stage;
  if (stage == Stage::kShowing)
    return message("Code execution failed: what it left could not be shown",
                   "The code ran to its end. The text of its exception, the repr of its result or "
                   "one of its streams then took too long, and could not be interrupted.",
                   {"Look at __repr__, __str__ and flush() of the classes that the code defines"});
  if (stage == Stage::kPreparing)
    return message(
        "Code execution failed: reading or checking its inputs or its result took more "
        "than two minutes",
        "", {"Give less to one node", "Or leave out \"strict_types\""});
  return message(
      "Python code execution timed out after " + timeout_text(node) + " seconds",
      "The code was inside of a call that cannot be interrupted, or ignored that its time was "
      "up: its process was ended. What it printed until then is kept.",
      {"Raise the node's limit: \"timeout\": <seconds>",
       "Give less to one call: a regular expression, a number or an array that is too large"});
}

// How a node whose host did not survive it is told: what is known, what it means, what to do.
Step lost_step(const Node& node, const LostNode& lost) {
  Step step = failed_step(node.id, "CrashError", "");
  step.output = lost.output;
  step.error_output = lost.error_output;
  switch (lost.why) {
    case LostNode::Why::kTimedOut:
      step.error_type = "TimeoutError";
      step.error = words_of_timeout(node, lost.stage);
      break;
    case LostNode::Why::kHostDamaged:
      step.error =
          message("Code execution failed: the node left an interpreter that cannot go on",
                  "  " + lost.trouble +
                      "\n\nIt, or one before it, has replaced or hooked what Python itself "
                      "needs: builtins, modules of the standard library, audit hooks. Its process "
                      "was ended.",
                  {"Patch a copy, or put back what was there before the code ends: try … finally"});
      break;
    case LostNode::Why::kGone:
      step.error =
          message("Code execution failed: the process of the nodes had ended before this one began",
                  "A thread or a child that an earlier node left running has ended it.",
                  {"Wait in each node for what it starts: thread.join(), process.wait()"});
      break;
    case LostNode::Why::kEnded:
      step.error = words_of_end(lost.status);
      break;
    default:
      step.error = message(
          "Code execution failed: the node cut its connection to airlock",
          "The code closed or wrote to a descriptor that is not its own. Its process was ended.",
          {"Close what the code itself has opened, and nothing else"});
  }
  return step;
}

Step done_step(const Node& node, wire::NodeDone done) {
  Step step;
  step.id = node.id;
  step.action = std::move(done.action);
  step.phase = std::move(done.phase);
  step.error_type = std::move(done.error_type);
  step.line = done.line;
  step.has_result = done.has_result;
  step.is_exact = done.is_exact;
  step.result = std::move(done.result);
  step.error = std::move(done.error);
  step.output = std::move(done.output);
  step.error_output = std::move(done.error_output);
  return step;
}

}  // namespace

Result<void> NativeNodes::warm_up() {
  if (client_) return {};
  auto started = TRY(run::NodeClient::start(host_program_, shared_));
  client_ = std::move(started);
  is_ready_ = false;
  return {};
}

Result<void> NativeNodes::await_ready() {
  TRY(host());
  return {};
}

Result<run::NodeClient*> NativeNodes::host() {
  TRY(warm_up());
  if (!is_ready_) {
    TRY(client_->await_ready());
    is_ready_ = true;
    // A new host begins with `shared` alone; what the nodes have left is given to it again.
    for (const auto& [id, entry] : entries_) TRY(client_->put(id, entry));
  }
  return client_.get();
}

void NativeNodes::mark_host_lost() {
  client_.reset();
  is_lost_ = true;
}

void NativeNodes::restore_checkpoint() {
  if (client_ && client_->restore_checkpoint()) return;
  client_.reset();
}

Result<NativeNodes::Attempt> NativeNodes::try_once(const Node& node,
                                                   const wire::NodeRequest& request) {
  const auto found = TRY(host());
  auto done = found->run(request, timeout_of(node));
  // Even a trusted host's word is checked: its code can write to the descriptor that carries
  // answers.
  if (done && done->has_result && !StrictJson(kDeepestResult).is_value(done->result))
    done = std::unexpected(LostNode{.why = LostNode::Why::kGarbled,
                                    .attempts = request.attempts,
                                    .output = std::move(done->output),
                                    .error_output = std::move(done->error_output)});
  if (done) return Attempt{done_step(node, std::move(*done)), false, 0};
  const LostNode& lost = done.error();
  if (lost.why == LostNode::Why::kInterrupted) return fail("interrupted");
  if (lost.why == LostNode::Why::kTrouble) return fail("run the node: " + lost.trouble);
  restore_checkpoint();
  // The host retries on its own; what it used up before it was lost counts.
  const std::uint32_t used = std::max(1U, lost.attempts);
  return Attempt{lost_step(node, lost), true, request.attempts - std::min(request.attempts, used)};
}

// Keeps the entry as JSON. The host that ran the node has it already; one that was replaced has
// not.
Result<void> NativeNodes::remember(const Attempt& attempt) {
  has_entries_ = true;
  const std::string& id = attempt.step.id;
  if (id.empty()) return {};
  if (attempt.was_lost) return put(id, entry_json(attempt.step));
  std::erase_if(entries_, [&](const auto& entry) { return entry.first == id; });
  entries_.emplace_back(id, entry_json(attempt.step));
  return {};
}

Result<Step> NativeNodes::run(const Node& node, std::string actions, AfterFailure after) {
  wire::NodeRequest request{.name = node.id,
                            .params = json_text(node.params),
                            .actions = std::move(actions),
                            .attempts = attempts_of(node),
                            .wait_ms = wait_of(node),
                            .goes_on = !node.id.empty()};
  if (is_lost_) {
    is_lost_ = false;
    Attempt attempt{lost_step(node, LostNode{.why = LostNode::Why::kGone}), true, 0};
    TRY(remember(attempt));
    return std::move(attempt.step);
  }
  while (true) {
    const auto found = TRY(host());
    // At first the store is `shared` alone, which a new host is given anyway: no checkpoint is
    // needed.
    if (has_entries_ && (after == AfterFailure::kGoesOn || request.attempts > 1))
      found->make_checkpoint();
    auto attempt = TRY(try_once(node, request));
    if (attempt.attempts_left == 0) {
      TRY(remember(attempt));
      return std::move(attempt.step);
    }
    request.attempts = attempt.attempts_left;
    if (!os::sleep_unless_interrupted(std::chrono::milliseconds(request.wait_ms)))
      return fail("interrupted");
  }
}

Result<void> NativeNodes::put(const std::string& id, std::string entry) {
  has_entries_ = true;
  if (client_ && is_ready_ && !client_->put(id, entry)) mark_host_lost();
  std::erase_if(entries_, [&](const auto& known) { return known.first == id; });
  entries_.emplace_back(id, std::move(entry));
  return {};
}

Result<wire::ResolvedValue> NativeNodes::resolve(const std::string& value) {
  const auto found = TRY(host());
  auto resolved = found->resolve(value);
  if (resolved) return resolved;
  mark_host_lost();
  return wire::ResolvedValue{"", "The templates could not be resolved: " + resolved.error().message,
                             false};
}

}  // namespace airlock::flow
