#include "wire/bulk_messages.h"

#include "base/utf8.h"

namespace airlock::wire {

namespace {

constexpr char kBatch = 'M';
constexpr char kRows = 'R';
constexpr std::size_t kMaxDenials = 64;

Row take_row(Reader& in) {
  Row row;
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
  const std::uint32_t denials = in.count(8);
  if (denials > kMaxDenials) in.fail();
  for (std::uint32_t i = 0; i < denials && in.ok(); ++i) {
    const std::uint32_t call = in.number();
    row.denials.push_back({call, in.number()});
  }
  return row;
}

}  // namespace

std::string encode_batch(std::span<const std::string_view> paths) {
  Writer out;
  out.put_byte(kBatch);
  out.put_number(static_cast<std::uint32_t>(paths.size()));
  for (const std::string_view path : paths) out.put_text(path);
  return out.take();
}

std::optional<std::vector<std::string_view>> decode_batch(std::string_view message) {
  Reader in(message);
  if (in.byte() != kBatch) return std::nullopt;
  const std::uint32_t count = in.count(4);
  std::vector<std::string_view> paths;
  paths.reserve(count);
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) paths.push_back(in.text());
  if (!in.is_finished()) return std::nullopt;
  return paths;
}

void RowsWriter::add_value(std::string_view value) {
  rows_.put_byte(1);
  rows_.put_text(value);
  ++count_;
}

void RowsWriter::add_error(std::string_view type, std::string_view error,
                           std::span<const Denial> denials) {
  rows_.put_byte(0);
  rows_.put_text(type);
  rows_.put_text(error);
  rows_.put_number(static_cast<std::uint32_t>(denials.size()));
  for (const Denial& denial : denials) {
    rows_.put_number(denial.call);
    rows_.put_number(denial.line);
  }
  ++count_;
}

std::string RowsWriter::take() {
  Writer out;
  out.put_byte(kRows);
  out.put_number(count_);
  count_ = 0;
  return out.take() + rows_.take();
}

std::optional<std::vector<Row>> decode_rows(std::string_view message) {
  Reader in(message);
  if (in.byte() != kRows) return std::nullopt;
  const std::uint32_t count = in.count(5);
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < count && in.ok(); ++i) rows.push_back(take_row(in));
  if (!in.is_finished()) return std::nullopt;
  return rows;
}

}  // namespace airlock::wire
