#include "store/model_calls.h"

#include <algorithm>

#include "base/ascii.h"
#include "os/random.h"
#include "store/run_id.h"

namespace airlock::store {

namespace {

constexpr std::string_view kSelectCalls =
    "SELECT id, started, duration_ms, provider, model, endpoint, sent_sha256, sent_bytes,"
    " sent_start, answer_sha256, answer_bytes, answer_start, prompt_tokens, answer_tokens,"
    " is_estimated, outcome, message, retry FROM model_calls ";

ModelCall read_call(const Statement& row) {
  return {.id = row.text(0),
          .started = row.number(1),
          .duration_ms = row.number(2),
          .provider = row.text(3),
          .model = row.text(4),
          .endpoint = row.text(5),
          .sent_sha256 = row.text(6),
          .sent_bytes = row.number(7),
          .sent_start = row.text(8),
          .retry = row.text(17),
          .answer_sha256 = row.text(9),
          .answer_bytes = row.number(10),
          .answer_start = row.text(11),
          .prompt_tokens = row.number(12),
          .answer_tokens = row.number(13),
          .is_estimated = row.number(14) != 0,
          .outcome = row.text(15),
          .message = row.text(16)};
}

template <typename Take>
Result<void> for_each_call(Statement& statement, const Take& take) {
  while (true) {
    const auto more = TRY(statement.step());
    if (!more) return {};
    TRY(take(read_call(statement)));
  }
}

}  // namespace

Result<std::string> ModelCalls::add(const ModelCall& call, const ModelCallLimits& limits) {
  return database_->in_transaction([&]() -> Result<std::string> {
    auto id = insert(call);
    if (!id) return id;
    TRY(remove_older(clock_->now() - limits.most_age_ms));
    TRY(remove_beyond(limits.most_rows));
    return id;
  });
}

Result<std::string> ModelCalls::insert(const ModelCall& call) {
  std::string id = run_id(clock_->now(), os::random_bytes(kIdBytes));
  auto statement = TRY(database_->prepare(
      "INSERT INTO model_calls (id, started, duration_ms, provider, model, endpoint, sent_sha256,"
      " sent_bytes, sent_start, answer_sha256, answer_bytes, answer_start, prompt_tokens,"
      " answer_tokens, is_estimated, outcome, message, retry)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  statement.bind(1, id).bind(2, call.started).bind(3, call.duration_ms);
  statement.bind(4, call.provider).bind(5, call.model).bind(6, call.endpoint);
  statement.bind(7, call.sent_sha256).bind(8, call.sent_bytes).bind(9, call.sent_start);
  statement.bind(10, call.answer_sha256).bind(11, call.answer_bytes).bind(12, call.answer_start);
  statement.bind(13, call.prompt_tokens).bind(14, call.answer_tokens);
  statement.bind(15, std::int64_t{call.is_estimated ? 1 : 0});
  TRY(statement.bind(16, call.outcome).bind(17, call.message).bind(18, call.retry).run());
  return id;
}

Result<std::int64_t> ModelCalls::remove_older(std::int64_t than) {
  auto statement =
      TRY(database_->prepare("DELETE FROM model_calls WHERE started < ? RETURNING id"));
  statement.bind(1, than);
  std::int64_t removed = 0;
  while (true) {
    const auto more = TRY(statement.step());
    if (!more) return removed;
    ++removed;
  }
}

// Ids sort by time (run_id.h); LIMIT -1 is "all", which SQLite wants before an OFFSET.
Result<void> ModelCalls::remove_beyond(std::int64_t most_rows) {
  auto statement =
      TRY(database_->prepare("DELETE FROM model_calls WHERE id IN"
                             " (SELECT id FROM model_calls ORDER BY id DESC LIMIT -1 OFFSET ?)"));
  return statement.bind(1, most_rows).run();
}

Result<std::vector<ModelCall>> ModelCalls::list(std::size_t most) {
  auto statement = TRY(database_->prepare(std::string(kSelectCalls) + "ORDER BY id DESC LIMIT ?"));
  statement.bind(1, static_cast<std::int64_t>(most));
  std::vector<ModelCall> calls;
  TRY(for_each_call(statement, [&](ModelCall call) -> Result<void> {
    calls.push_back(std::move(call));
    return {};
  }));
  return calls;
}

Result<void> ModelCalls::each(const std::function<Result<void>(const ModelCall&)>& take) {
  auto statement = TRY(database_->prepare(std::string(kSelectCalls) + "ORDER BY id"));
  return for_each_call(statement, take);
}

Result<ModelCall> ModelCalls::show(std::string_view id) {
  const std::string wanted = lower(id);
  // substr() and not LIKE: the beginning may hold % or _. Two rows are enough to know of a second.
  auto statement = TRY(database_->prepare(std::string(kSelectCalls) +
                                          "WHERE substr(id, 1, length(?1)) = ?1 LIMIT 2"));
  statement.bind(1, wanted);
  std::vector<ModelCall> found;
  TRY(for_each_call(statement, [&](ModelCall call) -> Result<void> {
    found.push_back(std::move(call));
    return {};
  }));
  if (found.empty() || wanted.empty())
    return bad_request("there is no question '" + std::string(id) +
                       "' in the log. All of them: airlock ai log");
  if (found.size() > 1)
    return bad_request("more than one question begins with '" + std::string(id) +
                       "'. Give more of its name; all of them: airlock ai log");
  return std::move(found.front());
}

Result<std::int64_t> ModelCalls::prune(std::int64_t most_age_ms) {
  return database_->in_transaction([&] { return remove_older(clock_->now() - most_age_ms); });
}

}  // namespace airlock::store
