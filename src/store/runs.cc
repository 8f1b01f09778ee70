#include "store/runs.h"

#include <algorithm>

#include "base/ascii.h"
#include "os/random.h"
#include "store/run_id.h"

namespace airlock::store {

namespace {

// Backslashes too: a repository may have been named on another system.
std::string_view last_part(std::string_view path) {
  while (path.size() > 1 && (path.ends_with('/') || path.ends_with('\\'))) path.remove_suffix(1);
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

Statement& bind_optional(Statement& statement, int place, const std::optional<std::string>& text) {
  return text ? statement.bind(place, *text) : statement.bind_null(place);
}

std::optional<std::string> optional_text(const Statement& statement, int column) {
  if (statement.is_null(column)) return std::nullopt;
  return statement.text(column);
}

RunRecord read_run(const Statement& row) {
  RunRecord run{.id = row.text(0),
                .started = row.number(1),
                .finished = {},
                .repository = row.text(3),
                .task = row.text(4),
                .executions = {}};
  if (!row.is_null(2)) run.finished = row.number(2);
  return run;
}

// Calls `take` for each row that is left.
template <typename Take>
Result<void> for_each_row(Statement& statement, Take take) {
  while (true) {
    const auto more = TRY(statement.step());
    if (!more) return {};
    TRY(take(statement));
  }
}

}  // namespace

Result<std::string> Runs::begin(std::string_view repository, std::string_view task) {
  const std::int64_t now = clock_->now();
  std::string id = run_id(now, os::random_bytes(kIdBytes));
  auto statement = TRY(
      database_->prepare("INSERT INTO runs (id, started, repository, task) VALUES (?, ?, ?, ?)"));
  TRY(statement.bind(1, id).bind(2, now).bind(3, last_part(repository)).bind(4, task).run());
  return id;
}

Result<void> Runs::add(std::string_view run, const ExecutionRecord& execution) {
  return database_->in_transaction([&] { return insert(run, execution); });
}

Result<void> Runs::insert(std::string_view run, const ExecutionRecord& execution) {
  auto statement =
      TRY(database_->prepare("INSERT INTO executions (run, probe, status, key, reason, duration_ms)"
                             " VALUES (?, ?, ?, ?, ?, ?) RETURNING id"));
  statement.bind(1, run).bind(2, execution.probe).bind(3, to_string(execution.status));
  bind_optional(statement, 4, execution.key);
  bind_optional(statement, 5, execution.reason).bind(6, execution.duration_ms);
  TRY(statement.step());
  const std::int64_t number = statement.number(0);
  // RETURNING gave a row; this finishes the statement.
  TRY(statement.run());
  for (const RecordedSecret& finding : execution.findings) {
    auto one = TRY(database_->prepare(
        "INSERT INTO findings (execution, fingerprint, pattern) VALUES (?, ?, ?)"));
    TRY(one.bind(1, number).bind(2, finding.fingerprint).bind(3, finding.pattern).run());
  }
  return {};
}

Result<void> Runs::finish(std::string_view run) {
  auto statement = TRY(database_->prepare("UPDATE runs SET finished = ? WHERE id = ?"));
  return statement.bind(1, clock_->now()).bind(2, run).run();
}

Result<std::vector<RunRecord>> Runs::list(std::size_t most) {
  auto statement = TRY(database_->prepare(
      "SELECT id, started, finished, repository, task FROM runs ORDER BY id DESC LIMIT ?"));
  statement.bind(1, static_cast<std::int64_t>(most));
  std::vector<RunRecord> runs;
  TRY(for_each_row(statement, [&](const Statement& row) -> Result<void> {
    runs.push_back(read_run(row));
    return {};
  }));
  for (RunRecord& run : runs) {
    auto executions = TRY(executions_of(run.id));
    run.executions = std::move(executions);
  }
  return runs;
}

Result<RunRecord> Runs::show(std::string_view id) {
  const auto whole = TRY(whole_id(id));
  auto statement = TRY(
      database_->prepare("SELECT id, started, finished, repository, task FROM runs WHERE id = ?"));
  // The row is there: whole_id() has just seen it. Were it removed since, all fields would be
  // empty.
  TRY(statement.bind(1, whole).step());
  RunRecord run = read_run(statement);
  auto executions = TRY(executions_of(run.id));
  run.executions = std::move(executions);
  return run;
}

Result<std::string> Runs::whole_id(std::string_view beginning) {
  const std::string wanted = lower(beginning);
  auto statement =
      TRY(database_->prepare("SELECT id FROM runs WHERE substr(id, 1, length(?1)) = ?1 LIMIT 2"));
  std::vector<std::string> found;
  statement.bind(1, wanted);
  TRY(for_each_row(statement, [&](const Statement& row) -> Result<void> {
    found.push_back(row.text(0));
    return {};
  }));
  if (found.empty() || wanted.empty())
    return bad_request("there is no run '" + std::string(beginning) +
                       "'. All of them: airlock runs");
  if (found.size() > 1)
    return bad_request("more than one run begins with '" + std::string(beginning) +
                       "'. Give more of its name; all of them: airlock runs");
  return found.front();
}

Result<std::vector<ExecutionRecord>> Runs::executions_of(std::string_view run) {
  auto statement = TRY(database_->prepare(
      "SELECT id, probe, status, key, reason, duration_ms FROM executions WHERE run = ?"
      " ORDER BY id"));
  statement.bind(1, run);
  std::vector<ExecutionRecord> executions;
  TRY(for_each_row(statement, [&](const Statement& row) -> Result<void> {
    auto findings = TRY(findings_of(row.number(0)));
    executions.push_back(
        {row.text(1), execution_status(row.text(2)).value_or(ExecutionStatus::kFailed),
         optional_text(row, 3), optional_text(row, 4), row.number(5), std::move(findings)});
    return {};
  }));
  return executions;
}

Result<std::vector<RecordedSecret>> Runs::findings_of(std::int64_t execution) {
  auto statement = TRY(database_->prepare(
      "SELECT fingerprint, pattern FROM findings WHERE execution = ? ORDER BY id"));
  statement.bind(1, execution);
  std::vector<RecordedSecret> findings;
  TRY(for_each_row(statement, [&](const Statement& row) -> Result<void> {
    findings.push_back({row.text(0), row.text(1)});
    return {};
  }));
  return findings;
}

}  // namespace airlock::store
