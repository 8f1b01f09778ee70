// The supervisor's side of a vetter process: starts one, asks it about one text at a time, notices
// when it dies. Its answers are decoded as hostile input, because its parser has read hostile text.
// After a loss (death, timeout, nonsense) the process is killed and the client is of no more use;
// whoever owns it starts another. Used by one thread at a time.
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/policy.h"
#include "model/text_kind.h"
#include "model/verdict.h"
#include "model/vetted.h"
#include "os/channel.h"
#include "os/process.h"
#include "run/grant/our_own_program.h"
#include "run/grant/unscanned.h"

namespace airlock::run {

// Why there is no verdict: the vetter is gone (and this client with it).
struct VetterLost {
  std::string why;  // "it was ended by signal 9 (Killed)", "it gave no answer within 10 s"
};

// How far code is judged before a cell may load it. Past the scan only with a grant.
class Screening {
 public:
  static Screening of_extractors() { return Screening({.security = true, .signature = true}); }
  static Screening of_programs() { return Screening({.security = true, .signature = false}); }
  static Screening of_extractors(grant::Unscanned) {
    return Screening({.security = false, .signature = true});
  }
  // The nth of a session, from 1: as a program whose last value counts.
  static Screening of_piece(std::uint32_t number) {
    return Screening({.security = true, .signature = false, .compile = true, .piece = number});
  }
  static Screening of(grant::OurOwnProgram) {
    return Screening({.security = false, .signature = false});
  }

  Stages stages() const { return stages_; }

 private:
  explicit Screening(Stages stages) : stages_(stages) {}
  Stages stages_;
};

// A verdict, and the code that a cell may load: when, and only when, it was accepted.
struct Screened {
  Verdict verdict;
  std::optional<Vetted> code;
};

class VetterClient {
 public:
  // `program` is airlock-host. Returns when the vetter says that its walls stand; an Error when
  // they do not.
  static Result<VetterClient> start(const std::string& program, const Policy& policy);

  std::expected<Verdict, VetterLost> vet(std::string_view raw, Stages stages, TextKind kind,
                                         std::chrono::milliseconds patience);
  std::expected<Screened, VetterLost> screen(std::string_view raw, Screening screening,
                                             TextKind kind, std::chrono::milliseconds patience);

  const std::vector<std::string>& walls() const { return walls_; }
  pid_t process_id() const { return process_.id(); }

 private:
  VetterClient(os::Process process, os::Channel channel, std::vector<std::string> walls)
      : process_(std::move(process)), channel_(std::move(channel)), walls_(std::move(walls)) {}

  std::expected<Verdict, VetterLost> ask(const std::string& question,
                                         std::chrono::milliseconds patience);
  VetterLost lost(std::string why);

  os::Process process_;
  os::Channel channel_;
  std::vector<std::string> walls_;
};

}  // namespace airlock::run
