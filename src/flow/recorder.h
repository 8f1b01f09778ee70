// Runs of nodes and flows as they are kept, and what of an earlier flow can be taken over
// (--resume).
//
// Only what loses nothing by being kept is kept: a step's result must be JSON and pass the inner
// door unchanged, without a secret or a path of this host. A step is taken over only if its node,
// its inputs' store and all steps before it are what they were. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "flow/document.h"
#include "flow/step.h"
#include "model/user_dirs.h"

namespace airlock::flow {

class Recorder {
 public:
  // A new run, of what is in `file`. Only the last part of the name is kept.
  static Result<Recorder> begin(const UserDirs& user_dirs, std::string_view file, const Flow& flow,
                                const Json& shared);
  ~Recorder();
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  const std::string& run_id() const;
  // At once, so that a run that is killed shows how far it came.
  Result<void> add(const Step& step);
  Result<void> finish();
  // Ends a run that was stopped: `node` was running, or was the next to run.
  Result<void> stop(std::string_view node, std::string_view why);

 private:
  struct Parts;
  explicit Recorder(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// What need not run again.
struct Resumption {
  std::string run_id;
  std::vector<Step> kept;
  std::string why_no_more;  // why the step after these runs again; empty when there is none
};

// `run`: its name, or a beginning that only one has. Steps are taken over from the first on, as
// long as each went well, was kept whole, and its node is still what it was. An Error: there is no
// such run, or the store that the flow begins with is another.
Result<Resumption> find_resumption(const UserDirs& user_dirs, std::string_view run,
                                   const Flow& flow, const Json& shared);

}  // namespace airlock::flow
