// The messages of a bulk job, on a cell's own socket after its load.
//
// Paths go in as batches and come back as rows, in the order in which they were sent. One message
// of rows answers one batch or the next part of it, and repeats that batch's ticket
// (cell_messages.h). What the guest prints is not kept. Rows are hostile: the decoder checks their
// shape and that errors are UTF-8; whether `value` is JSON is judged later, by whoever keeps the
// row.
//
// clang-format off
//   to a cell:  batch = 'M' ticket:wide count { path:text }
//   from it:    rows  = 'R' ticket:wide count { row }
//               row   = 1 value:text
//                     | 0 error_type:text error:text
// clang-format on
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/guest_outcome.h"
#include "wire/bytes.h"

namespace airlock::wire {

struct BatchOfPaths {
  std::uint64_t ticket = 0;
  std::vector<std::string_view> paths;  // point into the message
};

std::string encode_batch(std::uint64_t ticket, std::span<const std::string_view> paths);
std::optional<BatchOfPaths> decode_batch(std::string_view message);

// Gathers rows into one message.
class RowsWriter {
 public:
  void add_value(std::string_view value);
  void add_error(std::string_view type, std::string_view error);

  std::size_t bytes() const { return rows_.size(); }
  std::uint32_t count() const { return count_; }
  std::string take(std::uint64_t ticket);  // the message; the writer is empty again

 private:
  MessageWriter rows_;
  std::uint32_t count_ = 0;
};

// One answer; the views point into the message.
struct BulkRow {
  bool success = false;
  std::string_view value;  // said to be JSON; nobody has looked yet
  std::string_view error_type;
  std::string_view error;
  std::vector<Denial> denials;  // not from the message: the supervisor knows them
};

struct BulkRows {
  std::uint64_t ticket = 0;
  std::vector<BulkRow> rows;
};

std::optional<BulkRows> decode_rows(std::string_view message);

}  // namespace airlock::wire
