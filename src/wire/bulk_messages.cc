#include "wire/bulk_messages.h"

#include "base/utf8.h"

namespace airlock::wire {

namespace {

constexpr char kBatch = 'M';
constexpr char kRows = 'R';

BulkRow take_row(MessageReader& in) {
  BulkRow row;
  const std::uint8_t kind = in.byte();
  if (kind > 1) in.fail();
  row.success = kind == 1;
  if (row.success) {
    row.value = in.text();
    return row;
  }
  row.error_type = in.text();
  row.error = in.text();
  if (find_invalid_utf8(row.error_type) || find_invalid_utf8(row.error)) in.fail();
  return row;
}

}  // namespace

std::string encode_batch(std::uint64_t ticket, std::span<const std::string_view> paths) {
  MessageWriter out;
  out.put_byte(kBatch);
  out.put_wide(ticket);
  out.put_number(static_cast<std::uint32_t>(paths.size()));
  for (const std::string_view path : paths) out.put_text(path);
  return out.take();
}

std::optional<BatchOfPaths> decode_batch(std::string_view message) {
  MessageReader in(message);
  if (in.byte() != kBatch) return std::nullopt;
  BatchOfPaths batch;
  batch.ticket = in.wide();
  // A path is at least its length: 4 bytes.
  const std::uint32_t count = in.count(4);
  batch.paths.reserve(count);
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) batch.paths.push_back(in.text());
  if (!in.is_finished()) return std::nullopt;
  return batch;
}

void RowsWriter::add_value(std::string_view value) {
  rows_.put_byte(1);
  rows_.put_text(value);
  ++count_;
}

void RowsWriter::add_error(std::string_view type, std::string_view error) {
  rows_.put_byte(0);
  rows_.put_text(type);
  rows_.put_text(error);
  ++count_;
}

std::string RowsWriter::take(std::uint64_t ticket) {
  MessageWriter out;
  out.put_byte(kRows);
  out.put_wide(ticket);
  out.put_number(count_);
  count_ = 0;
  return out.take() + rows_.take();
}

std::optional<BulkRows> decode_rows(std::string_view message) {
  MessageReader in(message);
  if (in.byte() != kRows) return std::nullopt;
  BulkRows read;
  read.ticket = in.wide();
  // A row is at least its kind and one length: 5 bytes.
  const std::uint32_t count = in.count(5);
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) read.rows.push_back(take_row(in));
  if (!in.is_finished()) return std::nullopt;
  return read;
}

}  // namespace airlock::wire
