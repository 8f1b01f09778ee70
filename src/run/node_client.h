// The supervisor's side of a node host: one process that runs code nodes one after the other and
// holds the store of a flow as native objects. The supervisor holds the clock, keeps what a node
// prints in memory files of its own, and can keep a checkpoint of the host to go on with after it
// had to kill one. Used by one thread, which must outlive it.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/channel.h"
#include "os/memory_file.h"
#include "os/process.h"
#include "os/shared_progress.h"
#include "wire/node_messages.h"

namespace airlock::run {

// A node whose host is gone: killed by us, or ended by what the node did.
struct LostNode {
  enum class Why {
    kTimedOut,     // it went on after its time was up
    kEnded,        // the process has ended; `status` says how
    kGarbled,      // the host said something that is no answer, or closed its end and went on
    kHostDamaged,  // the host cannot go on, and says why in `trouble`: the node has changed it
    kGone,         // it had ended before the node began: something that an earlier one left did it
    kInterrupted,  // airlock itself was told to stop (os/interrupts.h)
    kTrouble,      // our own: `trouble` says what
  };
  Why why = Why::kEnded;
  os::SharedProgress::Stage stage = {};  // in which it was lost
  os::ExitStatus status = {};
  std::uint32_t attempts = 0;  // that were begun
  std::string trouble = {};
  std::string output = {};  // what it had printed
  std::string error_output = {};
};

class NodeClient {
 public:
  // `program` is airlock-host, `shared` the store to begin with (a JSON object). Returns at once.
  static Result<std::unique_ptr<NodeClient>> start(const std::string& program,
                                                   std::string_view shared);
  ~NodeClient();  // nothing of it is left afterwards, and nothing in its process group
  NodeClient(const NodeClient&) = delete;
  NodeClient& operator=(const NodeClient&) = delete;

  // Waits until code can be run.
  Result<void> await_ready();

  // `timeout` is for each attempt. After a loss this is of no more use, unless restore_checkpoint()
  // says otherwise.
  std::expected<wire::NodeDone, LostNode> run(const wire::NodeRequest& request,
                                              std::chrono::milliseconds timeout);
  // Makes a copy of the host as it is now, to go back to. False: there is none.
  bool make_checkpoint();
  // After a loss: the copy takes the place of what is gone. It is used up.
  bool restore_checkpoint();

  Result<void> put(std::string_view name, std::string_view entry);
  Result<wire::ResolvedValue> resolve(std::string_view value);

 private:
  // One process with its socket.
  struct Host {
    os::Process process;
    os::Channel channel;
  };
  struct Output {
    os::MemoryFile output;
    os::MemoryFile error_output;
  };
  NodeClient(Host host, os::SharedProgress progress)
      : host_(std::move(host)), progress_(std::move(progress)) {}

  Result<std::string> ask(std::string_view message, std::string_view doing);
  static Result<Output> make_output();
  std::expected<void, LostNode> send_node(const wire::NodeRequest& request);
  std::expected<wire::NodeDone, LostNode::Why> await_done(const Output& output,
                                                          std::chrono::milliseconds timeout,
                                                          std::chrono::milliseconds rest);
  std::expected<wire::NodeDone, LostNode::Why> receive_done();
  bool has_unsolicited_message();
  LostNode end_lost_host(LostNode::Why why, const Output* output);
  static void end(std::optional<Host>& host);

  std::optional<Host> host_;
  std::optional<Host> checkpoint_;
  std::optional<Output> last_output_;  // of the node that ran last
  std::optional<Output>
      spare_output_;             // for the next: made while one is at work, when time costs nothing
  std::string trouble_;          // what the host said went wrong with itself
  os::SharedProgress progress_;  // of whichever of the two is at work
};

// What a stream holds, as text, with a note when it was cut.
std::string text_of_output(const os::MemoryFile& file);

}  // namespace airlock::run
