#include "engine/bulk/line_share.h"

#include <string>

#include "base/json_writer.h"
#include "engine/bulk/shard_manifest.h"

namespace airlock {

Result<LineShare::LineUse> LineShare::judge(std::string_view line) {
  if (share_.seen != nullptr) share_.seen->see(line);
  if (lines_++ % share_.count != share_.index) return LineUse::kOtherShard;
  if (skipped_ >= share_.skip) return LineUse::kAnswer;
  if (++skipped_ < share_.skip) return LineUse::kAnsweredBefore;
  // The last line to be skipped must be the path of the last row that was kept: otherwise the input
  // is another one, and going on would mix two jobs in one file.
  std::string start = R"({"path": )";
  append_json_string(start, line);
  if (share_.last_skipped_row.starts_with(start + ",")) return LineUse::kAnsweredBefore;
  return bad_request("the paths are not those of the job that was begun: line " +
                     std::to_string(lines_) + " differs from the last row written");
}

Result<void> LineShare::check_end() const {
  if (skipped_ >= share_.skip) return {};
  return bad_request("the paths are not those of the job that was begun: there are " +
                     std::to_string(skipped_) + ", and " + std::to_string(share_.skip) +
                     " rows were written");
}

}  // namespace airlock
