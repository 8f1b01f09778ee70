// The bulk job's messages. Paths go to a cell in batches and come back as rows, in the order in
// which they were sent; a frame of rows need not end where a batch ends. What a guest prints is not
// kept. Everything that a cell says is hostile.
//
//   to a cell:      batch = 'M' count { path:text }
//   from it:        rows  = 'R' count { row }
//                   row   = 1 value:text
//                         | 0 error_type:text error:text count { call:number line:number }
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

std::string encode_batch(std::span<const std::string_view> paths);
// The views point into the message.
std::optional<std::vector<std::string_view>> decode_batch(std::string_view message);

// Gathers rows into one message.
class RowsWriter {
 public:
  void add_value(std::string_view value);
  void add_error(std::string_view type, std::string_view error, std::span<const Denial> denials);

  std::size_t bytes() const { return rows_.size(); }
  std::uint32_t count() const { return count_; }
  std::string take();  // the message; the writer is empty again

 private:
  Writer rows_;
  std::uint32_t count_ = 0;
};

// One answer; the views point into the message.
struct Row {
  bool success = false;
  std::string_view value;  // said to be JSON; nobody has looked yet
  std::string_view error_type;
  std::string_view error;
  std::vector<Denial> denials;
};

std::optional<std::vector<Row>> decode_rows(std::string_view message);

}  // namespace airlock::wire
