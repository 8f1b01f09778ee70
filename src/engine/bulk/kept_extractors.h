// Extractors of clients that bring their paths in batches: what was judged is not judged again for
// the next batch, and what was loaded is not loaded again. A batch runs in a cell of its own kind:
// this client's, this text's, this policy's and these limits'. Between two batches cells stand
// still.
//
// Bounded: the code of a few texts, and a few cells in all; those that were used last stay.
// Whatever goes wrong in a run, its cells are not kept. Threads: all functions from any thread; a
// client is forgotten when nothing of it runs any more.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/bulk/extract.h"
#include "engine/load/supply.h"
#include "model/verdict.h"
#include "rules/match/matcher.h"

namespace airlock {

class KeptExtractors {
 public:
  using ClientId = const void*;

  // Both outlive it. `host_program` is airlock-host.
  KeptExtractors(Supply& supply, std::string host_program)
      : supply_(supply), host_program_(std::move(host_program)) {}

  // Code that is refused runs nothing, and its verdict is the answer; nothing: all rows are
  // written. Of `request` the text, its kind, policy, limits and `stop` count; it runs in one cell.
  struct RefusedCode {
    Verdict verdict;
    std::string sha256;
  };
  Result<std::optional<RefusedCode>> run(ClientId client, ExtractRequest request, PathInput& input,
                                         RowSink& sink, const Watcher& watcher);

  // Rules that are read and compiled. An Error lists what is wrong with them.
  Result<std::shared_ptr<const rules::Matcher>> matcher(const std::string& text);

  void forget(ClientId client);
  // Cells that wait for a next batch.
  std::size_t waiting_cells();
  // Cells that nobody has used for so long.
  void end_idle(std::chrono::duration<double> longer_than);

 private:
  using Clock = std::chrono::steady_clock;

  // One text of one client, and the cells that have it loaded and are not at work.
  struct Kept {
    ClientId client = nullptr;
    std::string raw;
    TextKind kind = TextKind::kAnswer;
    Policy policy;
    RunLimits limits;
    Vetted code;
    std::string sha256;
    std::vector<std::unique_ptr<LoadedExtractor>> idle;
    Clock::time_point last_used;
  };
  struct KeptRules {
    std::string text;
    std::shared_ptr<const rules::Matcher> matcher;
  };

  Kept* find(ClientId client, const ExtractRequest& request);
  std::unique_ptr<LoadedExtractor> take_idle(ClientId client, const ExtractRequest& request);
  std::optional<Vetted> code_of(ClientId client, const ExtractRequest& request);
  void keep_code(ClientId client, const ExtractRequest& request, const PreparedExtractor& prepared);
  void keep_cell(ClientId client, const ExtractRequest& request,
                 std::unique_ptr<LoadedExtractor> loaded);

  Supply& supply_;
  const std::string host_program_;
  std::mutex lock_;
  std::list<Kept> kept_;  // the last used first
  std::list<KeptRules> rules_;
};

}  // namespace airlock
