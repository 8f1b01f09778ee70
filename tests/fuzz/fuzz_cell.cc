// What a cell says is the guest's word: it may have taken over the process. What must hold for all
// bytes: (1) a message has one spelling: what a decoder accepts, the encoder writes in the same
// bytes again, so
//     nothing can hide in what is skipped; everything else is refused;
// (2) no message is taken for one of another type;
// (3) text that is handed on is UTF-8, and lists are no longer than what was sent can hold.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "require.h"
#include "wire/bulk_messages.h"
#include "wire/cell_messages.h"
#include "wire/messages.h"

namespace {

using namespace airlock;

bool is_text(std::string_view bytes) {
  return !find_invalid_utf8(bytes);
}

// True when it was accepted.
template <typename Decode, typename Encode>
bool has_one_spelling(std::string_view message, Decode&& decode, Encode&& encode) {
  const auto decoded = decode(message);
  if (!decoded) return false;
  fuzz::require(encode(*decoded) == message);
  return true;
}

std::string encode_rows(const wire::BulkRows& read) {
  wire::RowsWriter out;
  for (const wire::BulkRow& row : read.rows) {
    if (row.success)
      out.add_value(row.value);
    else
      out.add_error(row.error_type, row.error);
  }
  fuzz::require(out.count() == read.rows.size());
  return out.take(read.ticket);
}

std::string encode_batch(const wire::BatchOfPaths& batch) {
  return wire::encode_batch(batch.ticket, batch.paths);
}

std::string encode_outcome(const wire::Outcome& read) {
  fuzz::require(read.outcome.denials.empty());
  return wire::encode_outcome(read.ticket, read.outcome);
}

std::string encode_path(const wire::PathRequest& asked) {
  return wire::encode_path(asked.ticket, asked.path);
}

std::string encode_load(const wire::LoadRequest& asked) {
  return wire::encode_load(asked.ticket, asked.limits, asked.compiled);
}

int count_of_readings(std::string_view message) {
  using namespace wire;
  int count = 0;
  count += has_one_spelling(message, decode_born, encode_born) ? 1 : 0;
  count += has_one_spelling(message, decode_ended, encode_ended) ? 1 : 0;
  count += has_one_spelling(message, decode_answer, encode_answer) ? 1 : 0;
  count += has_one_spelling(message, decode_locked, encode_locked) ? 1 : 0;
  count += has_one_spelling(message, decode_outcome, ::encode_outcome) ? 1 : 0;
  count += has_one_spelling(message, decode_trouble, encode_trouble) ? 1 : 0;
  count += has_one_spelling(message, decode_rows, ::encode_rows) ? 1 : 0;
  // To a cell, but read behind its walls: no less exact.
  count += has_one_spelling(message, decode_batch, ::encode_batch) ? 1 : 0;
  count += has_one_spelling(message, decode_path, ::encode_path) ? 1 : 0;
  count += has_one_spelling(message, decode_load, ::encode_load) ? 1 : 0;
  count += has_one_spelling(message, decode_attempt, encode_attempt) ? 1 : 0;
  return count;
}

void check_outcome(std::string_view message) {
  const auto read = wire::decode_outcome(message);
  if (!read) return;
  const GuestOutcome* outcome = &read->outcome;
  fuzz::require(is_text(outcome->value) && is_text(outcome->error_type) && is_text(outcome->error));
  fuzz::require(is_text(outcome->output) && is_text(outcome->error_output));
  for (const TraceLine& line : outcome->trace) fuzz::require(is_text(line.function));
  fuzz::require(8 * outcome->trace.size() <= message.size());
}

void check_rows(std::string_view message) {
  const auto read = wire::decode_rows(message);
  if (!read) return;
  fuzz::require(5 * read->rows.size() <= message.size());
  for (const wire::BulkRow& row : read->rows) {
    fuzz::require(is_text(row.error_type) && is_text(row.error));
    fuzz::require(row.success ? row.error_type.empty() && row.error.empty() : row.value.empty());
    fuzz::require(row.denials.empty());
  }
}

void check_locked(std::string_view message) {
  const auto walls = wire::decode_locked(message);
  if (!walls) return;
  fuzz::require(4 * walls->size() <= message.size());
  for (const std::string& wall : *walls) fuzz::require(is_text(wall));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view message(reinterpret_cast<const char*>(data), size);
  fuzz::require(count_of_readings(message) <= 1);
  check_outcome(message);
  check_rows(message);
  check_locked(message);
  return 0;
}
