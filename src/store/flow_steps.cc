#include "store/flow_steps.h"

namespace airlock::store {

Result<void> FlowSteps::begin(std::string_view run, std::string_view shared_hash) {
  auto statement = TRY(database_->prepare("INSERT INTO flow_runs (run, shared) VALUES (?, ?)"));
  return statement.bind(1, run).bind(2, shared_hash).run();
}

Result<void> FlowSteps::add(std::string_view run, std::size_t number, const FlowStepRecord& record,
                            const Sanitized* entry) {
  auto statement = TRY(database_->prepare(
      "INSERT INTO flow_steps (run, number, node, node_hash, action, duration_us, entry, why_not)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
  statement.bind(1, run).bind(2, static_cast<std::int64_t>(number));
  statement.bind(3, record.node).bind(4, record.node_hash).bind(5, record.action);
  statement.bind(6, record.duration_us);
  if (entry != nullptr) {
    statement.bind(7, entry->json());
  } else {
    statement.bind_null(7);
  }
  return statement.bind(8, record.why_not).run();
}

Result<std::optional<std::string>> FlowSteps::shared_hash(std::string_view run) {
  auto statement = TRY(database_->prepare("SELECT shared FROM flow_runs WHERE run = ?"));
  const auto found = TRY(statement.bind(1, run).step());
  if (!found) return std::nullopt;
  return statement.text(0);
}

Result<std::vector<FlowStepRecord>> FlowSteps::steps(std::string_view run) {
  auto statement = TRY(database_->prepare(
      "SELECT node, node_hash, action, duration_us, entry, why_not FROM flow_steps WHERE run = ?"
      " ORDER BY number"));
  statement.bind(1, run);
  std::vector<FlowStepRecord> steps;
  while (true) {
    const auto more = TRY(statement.step());
    if (!more) return steps;
    FlowStepRecord step{statement.text(0),   statement.text(1), statement.text(2),
                        statement.number(3), std::nullopt,      statement.text(5)};
    if (!statement.is_null(4)) step.entry = statement.text(4);
    steps.push_back(std::move(step));
  }
}

}  // namespace airlock::store
