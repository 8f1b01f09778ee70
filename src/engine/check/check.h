// `airlock check` without its output: files in, verdicts out in the order of the inputs. Judges
// only; nothing is run.
//
// Processes: each working thread has a vetter process of its own, started when there is a file for
// it and replaced when it dies. A file on which its vetter dies or takes too long gets an AL110
// finding; the others are not affected. Further threads start only when there are enough files to
// repay the start of another vetter.
//
// Memory: at most a fixed window of judged files waits for an earlier one, however many inputs
// there are. The files' contents are hostile; only the vetter parses them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/load/supply.h"
#include "model/check_report.h"
#include "model/policy.h"
#include "model/text_kind.h"

namespace airlock {

// How the texts are to be taken.
enum class TakeAs : std::uint8_t { kByName, kAnswers };

struct CheckRequest {
  std::vector<std::string> inputs;  // files, folders, "-" for standard input; in the order named
  Policy policy;
  Stages stages;
  TakeAs take_as = TakeAs::kByName;
  std::string host_program;  // airlock-host
};

// Called one at a time, from any thread. Files come in the order in which they were named or found.
struct CheckListener {
  // False: nobody reads any more, and the rest is left out.
  std::function<bool(const CheckedFile&)> on_file;
  // An input that could not be read, with a full sentence.
  std::function<void(const Error&)> on_unreadable;
  // Something in a folder that was not read, such as a link.
  std::function<void(const std::string&)> on_skipped;
};

// An Error: this host cannot give the isolation that vetting needs. Throws what ran out (memory) on
// the thread that called.
Result<void> check(const CheckRequest& request, const CheckListener& listener);

// One text that is here already, under this name; `kind` says what it is.
struct TextToCheck {
  std::string name;
  std::string raw;
  TextKind kind = TextKind::kAnswer;
};
Result<CheckedFile> check_text(TextToCheck text, const Policy& policy, Stages stages,
                               Supply& supply);

}  // namespace airlock
