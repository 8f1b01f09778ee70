// What the server did lately, for a person who watches it: the last things that went well and the
// last that did not, each a line. In memory, bounded, and without a byte of code or data: which
// kind of work, how long, how it ended, what was denied. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/session/session.h"

namespace airlock::serve {

class Activity {
 public:
  enum class Kind : std::uint8_t { kFine, kCancelled, kTrouble, kDenied };

  struct Entry {
    std::int64_t time = 0;  // ms since 1970
    Kind kind = Kind::kFine;
    std::string words = {};
  };

  // So many that went well or that nobody waited for, and of the rest: a flood of one does not wash
  // away the other.
  static constexpr std::size_t kMostFine = 50;
  static constexpr std::size_t kMostTroubles = 150;

  void note(Kind kind, std::string words);
  void note_piece(const PieceReport& report);

  // In no order.
  std::vector<Entry> latest() const;

 private:
  mutable std::mutex lock_;  // of what follows
  std::deque<Entry> fine_;
  std::deque<Entry> troubles_;
};

}  // namespace airlock::serve
