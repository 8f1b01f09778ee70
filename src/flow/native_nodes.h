// Code nodes with native objects: a node host, replaced when a node has brought it down, with the
// store as it was before that node.
//
// A node host (run/node_client.h) is a Python process without walls: the user trusts this code as
// much as a script of their own. It holds the shared store, whose values may be objects that JSON
// cannot say. Before a node that may fail and be survived, the host forks a checkpoint of itself;
// when the node kills the host, the checkpoint goes on in its place. Without a checkpoint a new
// host gets what JSON can say of the store. One thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "flow/document.h"
#include "flow/step.h"
#include "run/node_client.h"

namespace airlock::flow {

// Whether anything can run after the node, should it fail.
enum class AfterFailure : std::uint8_t { kEnd, kGoesOn };

// Owns the host and, as JSON, everything that nodes have left in the store so far.
class NativeNodes {
 public:
  // `shared`: the store to begin with, a JSON object.
  NativeNodes(std::string host_program, std::string shared)
      : host_program_(std::move(host_program)), shared_(std::move(shared)) {}

  // Starts the host, without waiting for it.
  Result<void> warm_up();
  Result<void> await_ready();

  // An Error is our own trouble, or that airlock was told to stop (os/interrupts.h).
  Result<Step> run(const Node& node, std::string actions, AfterFailure after);
  // The entry of a node that ran elsewhere, as JSON.
  Result<void> put(const std::string& id, std::string entry);
  // JSON with its templates resolved.
  Result<wire::ResolvedValue> resolve(const std::string& value);

 private:
  Result<run::NodeClient*> host();
  // One question to the host.
  struct Attempt {
    Step step;
    bool was_lost = false;  // and the host with it
    std::uint32_t attempts_left = 0;
  };
  Result<Attempt> try_once(const Node& node, const wire::NodeRequest& request);
  void restore_checkpoint();
  // The host has ended between two nodes: the next one fails and says so, because the objects are
  // gone. Those after it find what JSON can say of them.
  void mark_host_lost();
  Result<void> remember(const Attempt& attempt);

  std::string host_program_;
  std::string shared_;
  std::unique_ptr<run::NodeClient> client_;
  bool is_ready_ = false;
  bool has_entries_ = false;
  bool is_lost_ = false;
  // The store as far as JSON can say it, should there be no copy to go back to.
  std::vector<std::pair<std::string, std::string>> entries_;
};

}  // namespace airlock::flow
