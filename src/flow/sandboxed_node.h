// Code nodes with "sandbox": true: the same contract behind the kernel's walls, with inputs and
// result as JSON. A cell for each node, and for each try of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "flow/document.h"
#include "flow/native_nodes.h"
#include "flow/step.h"
#include "run/chamber.h"

namespace airlock::flow {

class SandboxedNodes {
 public:
  explicit SandboxedNodes(std::string host_program) : host_program_(std::move(host_program)) {}

  // `store`: who resolves the templates. An Error: this host cannot give the isolation.
  Result<Step> run(const Node& node, NativeNodes& store, const std::string& actions);
  // What the program in a fresh cell answers; inside, that it ended without.
  Result<std::expected<GuestOutcome, run::Ending>> ask(const std::string& question,
                                                       std::uint32_t timeout_ms);

 private:
  Result<void> get_ready();
  Result<Step> run_in_cell(const Node& node, const std::string& question, std::uint32_t timeout_ms);

  std::string host_program_;
  std::string compiled_;
  std::unique_ptr<run::Chamber> chamber_;
};

// The words for a cell that ended before it had answered.
Step ended_step(const Node& node, const run::Ending& ending);

}  // namespace airlock::flow
