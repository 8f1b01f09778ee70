// Code nodes with "sandbox": true: the same contract behind the kernel's walls, with inputs and
// result as JSON. A cell for each node, and for each try of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/load/read_answer.h"
#include "flow/document.h"
#include "flow/native_nodes.h"
#include "flow/step.h"
#include "run/chamber.h"

namespace airlock::flow {

// One chamber for all nodes, warm with our own library (library/airlock_node); a fresh cell for
// each question, so no node sees another. What a node's code does to the library inside the cell is
// not to be trusted.
class SandboxedNodes {
 public:
  explicit SandboxedNodes(std::string host_program) : host_program_(std::move(host_program)) {}

  // `store`: who resolves the templates. An Error: this host cannot give the isolation.
  Result<Step> run(const Node& node, NativeNodes& store, const std::string& actions);
  // What the program in a fresh cell answers.
  Result<CellAnswer> ask(const std::string& question, std::uint32_t timeout_ms);

 private:
  Result<void> get_ready();

  std::string host_program_;
  std::optional<Vetted> program_;
  std::shared_ptr<run::Chamber> chamber_;
};

// What an answer says of the node.
Step step_of(const Node& node, CellAnswer answer);

}  // namespace airlock::flow
