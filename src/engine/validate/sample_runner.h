// Runs vetted code on paths, one after the other, in one cell; after a cell died the next path gets
// a fresh one. A path that kills its cell loses only its own result.
//
// Owns its current cell; the chamber may be shared with others (engine/load/supply.h). Not
// thread-safe: one thread uses it. The code is loaded once for each cell; if loading fails, every
// path gets that failure as its result, because the outcome would be the same each time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/load/read_answer.h"
#include "engine/load/supply.h"
#include "model/guest_outcome.h"
#include "model/policy.h"
#include "model/validation.h"
#include "model/vetted.h"
#include "run/chamber.h"

namespace airlock {

// start() or the constructor, then load(), then run() for each path.
class SampleRunner {
 public:
  // In a chamber that was made with the policy, and may still be warming up (judged_code.h).
  // `policy`, and `supply`, where it came from, must outlive the runner.
  SampleRunner(Supply& supply, const Policy& policy, std::shared_ptr<run::Chamber> chamber,
               HashOrder order = HashOrder::kUsual);
  // The same in a chamber of its own, which warms up and makes a first cell while others work.
  static Result<SampleRunner> start(Supply& supply, const Policy& policy, const RunLimits& limits,
                                    HashOrder order);

  // The cells that it took are replaced when it is done: until then its own have the processors.
  ~SampleRunner();
  SampleRunner(SampleRunner&&) = default;
  SampleRunner& operator=(SampleRunner&&) = delete;
  SampleRunner(const SampleRunner&) = delete;
  SampleRunner& operator=(const SampleRunner&) = delete;

  // What to run, and how much it may use (no other memory than the chamber's first cell was made
  // with). Before the first run(). `stop` ends a run() that is under way, with an Error.
  void load(Vetted code, const RunLimits& limits, std::stop_token stop = {});
  // After this cell another one will be wanted: it may be made ready, and load the code, while this
  // one works. Until renew_cell().
  void expect_another_cell();

  // These paths are run next, in this order: a cell is asked for several of them at once. Each must
  // then be given to run(). They must outlive the runs.
  void expect_paths(std::span<const std::string> paths) { expected_ = paths; }

  // An Error is our own trouble: no walls, no zygote. A zygote or cell that somebody killed is
  // replaced once and the path tried again; the second time it is told as it is.
  Result<SampleResult> run(const std::string& path);

  // The path that run() is to be given first after renew_cell(): a cell that is ready by now works
  // on it already.
  void ask_next_cell(const std::string& path);
  // The next run() gets a fresh cell with these limits. Returns what the old cell did after its
  // last answer (a failure without a path), or nothing, as it should be.
  std::optional<SampleResult> renew_cell(const RunLimits& limits);

  // Whether the last run() ended because the cell said what was no answer to it.
  bool was_garbled() const { return was_garbled_; }
  const std::vector<std::string>& walls() const { return walls_; }

 private:
  Result<void> ensure_cell();
  void begin_next();
  Result<SampleResult> run_or_recover(const std::string& path);
  Result<SampleResult> try_once(const std::string& path);
  Result<void> replace_chamber();

  Supply* supply_;
  const Policy* policy_;
  HashOrder order_;
  std::shared_ptr<run::Chamber> chamber_;
  std::unique_ptr<run::Cell> cell_;  // after the chamber: it goes first
  std::unique_ptr<run::Cell> next_;  // is loading the code; null: none yet
  bool expects_another_ = false;
  bool has_taken_cells_ = false;
  std::span<const std::string> expected_;
  std::optional<Vetted> code_;
  RunLimits limits_;
  std::stop_token stop_;
  bool is_ready_ = false;
  bool has_recovered_ = false;
  bool was_garbled_ = false;
  bool was_killed_ = false;  // the last try ended with a cell that somebody killed
  std::optional<SampleResult> load_failure_;
  std::vector<std::string> walls_;
};

}  // namespace airlock
