// Runs vetted code on paths, one after the other: one cell for all of them, a fresh one after a
// death. A path that kills its cell costs only its own result.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/guest_outcome.h"
#include "model/policy.h"
#include "model/validation.h"
#include "run/chamber.h"

namespace airlock {

class SampleRunner {
 public:
  // Starts the chamber, which warms up and makes a first cell while others work. Both references
  // must outlive the runner.
  static Result<SampleRunner> start(const std::string& host_program, const Policy& policy,
                                    const RunLimits& limits, HashOrder order = HashOrder::kUsual);

  // What to run, and how much it may use (no other memory than at the start). Before the first
  // run().
  void load(std::string compiled, const RunLimits& limits);
  // A next cell will be wanted: it may be made ready while this one works.
  void expect_another_cell();

  // An Error is our own trouble: no walls, no zygote. A zygote or cell that somebody killed is
  // replaced once and the path tried again; the second time it is told as it is.
  Result<SampleResult> run(const std::string& path);

  // The next run() has a cell of its own, with these limits.
  void renew_cell(const RunLimits& limits);

  const std::vector<std::string>& walls() const { return walls_; }
  const std::optional<SampleResult>& load_failure() const { return load_failure_; }

 private:
  SampleRunner(const std::string& host_program, const Policy& policy, HashOrder order,
               std::unique_ptr<run::Chamber> chamber)
      : host_program_(&host_program),
        policy_(&policy),
        order_(order),
        chamber_(std::move(chamber)) {}

  Result<void> ensure_cell();
  Result<SampleResult> try_once(const std::string& path);
  Result<void> replace_chamber();

  const std::string* host_program_;
  const Policy* policy_;
  HashOrder order_;
  std::unique_ptr<run::Chamber> chamber_;
  std::unique_ptr<run::Cell> cell_;  // after the chamber: it goes first
  std::string compiled_;
  RunLimits limits_;
  bool is_ready_ = false;
  bool has_recovered_ = false;
  bool was_killed_ = false;  // the last try ended with a cell that somebody killed
  std::optional<SampleResult> load_failure_;
  std::vector<std::string> walls_;
};

}  // namespace airlock
