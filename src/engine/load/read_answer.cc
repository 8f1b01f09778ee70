#include "engine/load/read_answer.h"

#include <fmt/format.h>

#include <utility>

#include "jail/cell_jail.h"
#include "os/process.h"

namespace airlock {

Failure describe_cause(const Ending& ending, const RunLimits& limits) {
  struct EndingDescriber {
    const RunLimits& limits;
    Failure operator()(const TimedOut&) const {
      return {std::string(kTimeoutError),
              fmt::format("Execution timed out after {:.{}f}s", limits.timeout_ms / 1000.0,
                          limits.timeout_ms % 100 == 0 ? 1 : 3)};
    }
    Failure operator()(const Cancelled&) const { return {"CancelledError", "It was cancelled"}; }
    Failure operator()(const Crashed& crash) const {
      const os::ExitStatus status{true, static_cast<int>(crash.signal)};
      return {"CrashError",
              "No result from subprocess (possible crash): it was ended by " + status.describe()};
    }
    Failure operator()(const Exited& exited) const {
      return {"CrashError", "No result from subprocess (possible crash): it exited with code " +
                                std::to_string(exited.code)};
    }
    Failure operator()(const Garbled&) const {
      return {"CrashError", "No result from subprocess: what it sent is not a result"};
    }
    Failure operator()(const Flooded& flood) const {
      return {"CrashError", "it was ended after " + std::to_string(flood.calls) + " denied calls"};
    }
  };
  return std::visit(EndingDescriber{limits}, ending);
}

namespace {

std::string describe_calls(std::span<const Denial> denials) {
  std::string calls;
  for (const Denial& denial : denials) {
    if (!calls.empty()) calls += ", ";
    calls += jail::call_name(denial.call);
    if (denial.line > 0) calls += " at line " + std::to_string(denial.line);
  }
  return calls;
}

}  // namespace

Failure describe_violation(std::span<const Denial> denials, const Failure& also) {
  const std::string rest = also.type.empty() ? "" : " (" + also.type + ": " + also.message + ")";
  return {"SandboxViolation", "System call denied: " + describe_calls(denials) + rest};
}

Failure describe_ending(const Ending& ending, const RunLimits& limits) {
  Failure cause = describe_cause(ending, limits);
  const std::vector<Denial>& denials = final_notes(ending).denials;
  return denials.empty() ? cause : describe_violation(denials, cause);
}

CellAnswer read_answer(RawOutcome said, Wanted wanted, const RunLimits& limits, double waited) {
  CellAnswer answer = CellDoor(limits).judge(std::move(said), wanted);
  if (answer.ending) {
    answer.failure = describe_ending(*answer.ending, limits);
    answer.milliseconds = waited;
  } else if (!answer.denials.empty()) {
    answer.failure = describe_violation(answer.denials, answer.failure);
  }
  if (!answer.import_denials.empty())
    answer.error_output +=
        "[denied while a module was imported: " + describe_calls(answer.import_denials) + "]\n";
  return answer;
}

}  // namespace airlock
