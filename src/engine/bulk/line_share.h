// Which lines of the input a bulk job answers: its shard of them (--shard), without those that an
// earlier job answered (--resume). Told every line of the input in order. One place for both kinds
// of jobs, programs and rules, so that they resume alike.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "engine/bulk/extract.h"

namespace airlock {

class LineShare {
 public:
  explicit LineShare(const Share& share) : share_(share) {}

  // Ours and to be answered; another shard's; ours, and answered by the job that is gone on with.
  enum class LineUse { kAnswer, kOtherShard, kAnsweredBefore };
  // The next line of the input. An Error: it is not the one that was answered before.
  Result<LineUse> judge(std::string_view line);

  // An Error when the input ended before all lines that were answered before had been read.
  Result<void> check_end() const;

 private:
  const Share& share_;
  std::uint64_t lines_ = 0;
  std::uint64_t skipped_ = 0;
};

}  // namespace airlock
