#include "flow/recorder.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "admit/admit.h"
#include "admit/sanitize.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "flow/read_document.h"
#include "flow/value_text.h"
#include "store/clock.h"
#include "store/database.h"
#include "store/flow_steps.h"
#include "store/runs.h"
#include "store/state_folder.h"

namespace airlock::flow {

namespace {

std::string hash_of(const Json& value) {
  return sha256_hex(json_text(value));
}

// Type and parameters; a node that was renamed is another node anyway.
std::string hash_of(const Node& node) {
  return hash_of(Json{{"type", static_cast<int>(node.type)}, {"params", node.params}});
}

Result<store::Database> open_store(const UserDirs& user_dirs) {
  const auto folder = TRY(store::state_folder(user_dirs));
  return store::Database::open(folder);
}

std::string first_line(std::string_view text) {
  return std::string(cut_utf8(text.substr(0, text.find('\n')), 200));
}

// A node that stands alone has no id.
std::string name_of(std::string_view id) {
  return id.empty() ? "node" : std::string(id);
}

std::string text_of(const Json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The step that a record tells of, or why it cannot be taken over.
std::expected<Step, std::string> step_of(const store::FlowStepRecord& record, const Flow& flow) {
  const auto node = std::ranges::find(flow.nodes, record.node, &Node::id);
  if (node == flow.nodes.end()) return std::unexpected("it is no longer in the flow");
  if (record.action == "error") return std::unexpected("it had failed");
  if (hash_of(*node) != record.node_hash) return std::unexpected("it has been changed");
  if (!record.entry) return std::unexpected(record.why_not);
  const auto read = read_json(*record.entry);
  if (!read || !read->is_object() || !read->contains("result"))
    return std::unexpected("what was kept of it cannot be read");
  const Json& entry = *read;
  Step step;
  step.id = record.node;
  step.action = record.action;
  step.milliseconds = static_cast<double>(record.duration_us) / 1000;
  step.has_result = true;
  step.is_exact = true;
  step.result = json_text(entry["result"]);
  step.output = text_of(entry, "stdout");
  step.error_output = text_of(entry, "stderr");
  return step;
}

}  // namespace

struct Recorder::Parts {
  store::Database database;
  store::Clock clock;
  std::string run_id;
  std::map<std::string, std::string> hashes;  // of the nodes
  std::map<std::string, std::size_t> counts;  // how often each has run
  std::size_t steps = 0;
  bool is_flow = false;  // whose steps can be taken over
  Admitter admitter;
  Sanitizer sanitizer;

  explicit Parts(store::Database opened) : database(std::move(opened)) {}

  Result<void> record_execution(std::string_view node, ExecutionStatus status,
                                std::string_view error, double milliseconds) {
    const std::string name = name_of(node);
    const std::size_t count = ++counts[name];
    ExecutionRecord execution;
    // A node in a circle runs several times; records of one run need different names.
    execution.probe = count == 1 ? name : name + "#" + std::to_string(count);
    execution.status = status;
    if (!error.empty()) execution.reason = TextScrubber().scrubbed(first_line(error));
    execution.duration_ms = std::llround(milliseconds);
    return store::Runs(database, clock).add(run_id, execution);
  }

  // The step's entry as it may be kept, or why not. Rewriting anything would change what the next
  // node gets, so then it is not kept at all.
  std::expected<Sanitized, std::string> keep(const Step& step) {
    if (step.action == "error") return std::unexpected("it had failed");
    if (!step.is_exact) return std::unexpected("its result is not JSON alone, and was not kept");
    auto admitted = admitter.admit(entry_json(step), Form::kBare);
    if (!admitted)
      return std::unexpected("its result was not kept: " + admitted.error().errors[0].message);
    auto sanitized = sanitizer.sanitize(*admitted);
    if (!sanitized)
      return std::unexpected("its result was not kept: " + sanitized.error().errors[0].message);
    if (sanitized->rewritten_paths() > 0 || !sanitized->secrets().empty() ||
        sanitized->more_secrets() > 0)
      return std::unexpected("its result holds a secret or a path of this host, and was not kept");
    return std::move(*sanitized);
  }
};

Recorder::Recorder(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Recorder::~Recorder() = default;
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;

const std::string& Recorder::run_id() const {
  return parts_->run_id;
}

Result<Recorder> Recorder::begin(const UserDirs& user_dirs, std::string_view file, const Flow& flow,
                                 const Json& shared) {
  auto database = TRY(open_store(user_dirs));
  auto parts = std::make_unique<Parts>(std::move(database));
  auto id = TRY(store::Runs(parts->database, parts->clock).begin(file, "run"));
  parts->run_id = std::move(id);
  parts->is_flow = !flow.is_single_node;
  // A single node has no steps to resume from.
  if (!parts->is_flow) return Recorder(std::move(parts));
  TRY(store::FlowSteps(parts->database).begin(parts->run_id, hash_of(shared)));
  for (const Node& node : flow.nodes) parts->hashes.emplace(node.id, hash_of(node));
  return Recorder(std::move(parts));
}

Result<void> Recorder::add(const Step& step) {
  Parts& parts = *parts_;
  const bool has_failed = step.action == "error";
  TRY(parts.record_execution(step.id, has_failed ? ExecutionStatus::kFailed : ExecutionStatus::kRan,
                             step.error, step.milliseconds));
  if (!parts.is_flow) return {};
  auto kept = parts.keep(step);
  const store::FlowStepRecord record{step.id,      parts.hashes[step.id],
                                     step.action,  std::llround(step.milliseconds * 1000),
                                     std::nullopt, kept ? std::string() : kept.error()};
  return store::FlowSteps(parts.database)
      .add(parts.run_id, parts.steps++, record, kept ? &*kept : nullptr);
}

Result<void> Recorder::finish() {
  return store::Runs(parts_->database, parts_->clock).finish(parts_->run_id);
}

Result<void> Recorder::stop(std::string_view node, std::string_view why) {
  TRY(parts_->record_execution(node, ExecutionStatus::kFailed, why, 0));
  return finish();
}

Result<Resumption> find_resumption(const UserDirs& user_dirs, std::string_view run,
                                   const Flow& flow, const Json& shared) {
  auto database = TRY(open_store(user_dirs));
  const store::Clock clock;
  const auto found = TRY(store::Runs(database, clock).show(run));
  store::FlowSteps steps(database);
  const auto began_with = TRY(steps.shared_hash(found.id));
  if (!began_with) return fail("run " + found.id + " is not the run of a flow");
  if (*began_with != hash_of(shared))
    return fail("run " + found.id + " began with another shared store: give the same --shared");
  const auto records = TRY(steps.steps(found.id));
  Resumption resumption{found.id, {}, ""};
  // From the first on; behind a step that runs again nothing can be taken over.
  for (const store::FlowStepRecord& record : records) {
    auto step = step_of(record, flow);
    if (!step) {
      resumption.why_no_more = "node '" + record.node + "' runs again: " + step.error();
      break;
    }
    resumption.kept.push_back(std::move(*step));
  }
  return resumption;
}

}  // namespace airlock::flow
