// The supervisor's side of a vetter process: starts one, asks it about one text at a time, notices
// when it dies. Its answers are decoded as hostile input, because its parser has read hostile text.
// After a loss (death, timeout, nonsense) the process is killed and the client is of no more use;
// whoever owns it starts another. Used by one thread at a time.
#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/policy.h"
#include "model/text_kind.h"
#include "model/verdict.h"
#include "os/channel.h"
#include "os/process.h"

namespace airlock::run {

// Why there is no verdict: the vetter is gone (and this client with it).
struct VetterLost {
  std::string why;  // "it was ended by signal 9 (Killed)", "it gave no answer within 10 s"
};

class VetterClient {
 public:
  // `program` is airlock-host. Returns when the vetter says that its walls stand; an Error when
  // they do not.
  static Result<VetterClient> start(const std::string& program, const Policy& policy);

  std::expected<Verdict, VetterLost> vet(std::string_view raw, Stages stages, TextKind kind,
                                         std::chrono::milliseconds patience);

  const std::vector<std::string>& walls() const { return walls_; }
  pid_t process_id() const { return process_.id(); }

 private:
  VetterClient(os::Process process, os::Channel channel, std::vector<std::string> walls)
      : process_(std::move(process)), channel_(std::move(channel)), walls_(std::move(walls)) {}

  VetterLost lost(std::string why);

  os::Process process_;
  os::Channel channel_;
  std::vector<std::string> walls_;
};

}  // namespace airlock::run
