#include "engine/records/model_log.h"

#include <algorithm>

#include "admit/scrub_text.h"
#include "base/printable.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "engine/records/with_store.h"
#include "store/clock.h"
#include "store/database.h"
#include "store/model_calls.h"
#include "store/state_folder.h"

namespace airlock {

namespace {

constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60 * 1000;  // milliseconds
// Bytes. Scrubbed before it is cut further: half a secret would not be recognized.
constexpr std::size_t kScrubbedBytes = 8 * 1024;

// Characters, not bytes: no character is cut in half. Invalid bytes count as one each.
std::string first_characters(std::string_view text, std::size_t most) {
  std::size_t at = 0;
  for (std::size_t count = 0; at < text.size() && count < most; ++count)
    at += std::max<std::size_t>(1, decode_utf8(text, at).bytes);
  return std::string(text.substr(0, at));
}

std::string beginning_of(std::string_view text, TextScrubber& scrubber) {
  const std::string whole = replace_invalid_utf8(std::string(text.substr(0, kScrubbedBytes)));
  return first_characters(printable_lines(scrubber.scrubbed(whole)), kLoggedCharacters);
}

// What a retry told is kept whole: it was sent without a person having seen it.
std::string whole_of(std::string_view text, TextScrubber& scrubber) {
  const std::string whole = replace_invalid_utf8(std::string(cut_utf8(text, kLoggedRetry)));
  return printable_lines(scrubber.scrubbed(whole));
}

}  // namespace

ModelCall logged_form(const ModelExchange& exchange) {
  TextScrubber scrubber;
  return {.id = {},
          .started = exchange.started,
          .duration_ms = exchange.duration_ms,
          .provider = exchange.provider,
          .model = printable(exchange.model),
          .endpoint = printable(exchange.endpoint),
          .sent_sha256 = sha256_hex(exchange.sent),
          .sent_bytes = static_cast<std::int64_t>(exchange.sent.size()),
          .sent_start = beginning_of(exchange.sent, scrubber),
          .retry = whole_of(exchange.retry, scrubber),
          .answer_sha256 = exchange.answer.empty() ? std::string() : sha256_hex(exchange.answer),
          .answer_bytes = static_cast<std::int64_t>(exchange.answer.size()),
          .answer_start = beginning_of(exchange.answer, scrubber),
          .prompt_tokens = exchange.prompt_tokens,
          .answer_tokens = exchange.answer_tokens,
          .is_estimated = exchange.is_estimated,
          .outcome = exchange.outcome,
          .message = printable(exchange.message)};
}

Result<void> record_model_call(const UserDirs& user_dirs, const ModelExchange& exchange,
                               std::int64_t retention_days) {
  const auto folder = TRY(store::state_folder(user_dirs));
  auto database = TRY(store::Database::open(folder));
  const store::Clock clock;
  const store::ModelCallLimits limits{.most_age_ms = retention_days * kDay};
  TRY(store::ModelCalls(database, clock).add(logged_form(exchange), limits));
  return {};
}

Result<std::vector<ModelCall>> list_model_calls(const UserDirs& user_dirs, std::size_t most) {
  return with_table<store::ModelCalls, std::vector<ModelCall>>(
      user_dirs, std::vector<ModelCall>{},
      [&](store::ModelCalls& calls) { return calls.list(most); });
}

Result<ModelCall> show_model_call(const UserDirs& user_dirs, std::string_view id) {
  return with_table<store::ModelCalls, ModelCall>(
      user_dirs, bad_request("there is no question '" + std::string(id) + "': none was asked yet"),
      [&](store::ModelCalls& calls) { return calls.show(id); });
}

Result<void> export_model_calls(const UserDirs& user_dirs,
                                const std::function<Result<void>(const ModelCall&)>& take) {
  return with_table<store::ModelCalls, void>(
      user_dirs, Result<void>{}, [&](store::ModelCalls& calls) { return calls.each(take); });
}

Result<std::int64_t> prune_model_calls(const UserDirs& user_dirs, std::int64_t older_than_days) {
  return with_table<store::ModelCalls, std::int64_t>(
      user_dirs, std::int64_t{0},
      [&](store::ModelCalls& calls) { return calls.prune(older_than_days * kDay); });
}

}  // namespace airlock
