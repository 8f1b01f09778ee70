// From source text to answers of a cell: the only way in which a command runs guest code.
//
//   Supply::chamber()  an interpreter starts behind walls and knows nothing yet (supply.h)
//   Supply::screen()   the text is judged meanwhile; what is accepted becomes a Vetted
//   load_cell()        a cell of the chamber loads a Vetted, and nothing else
//   ask_cell()         one question, one answer, judged by the inner door before anyone reads it
//
// judge_and_warm() is the first two at once, for one text. One chamber serves any number of texts
// and cells, and a cell any number of questions.
//
// Three processes take part. A vetter judges the text and runs nothing. A chamber's zygote (a warm
// interpreter with the policy's modules imported) starts at the same time, because importing is
// most of a cold start. A cell, forked from the zygote and locked down, is loaded with the code
// that was accepted. Where they come from, started for this text or kept warm, is the Supply's
// affair. An Error is always our own failure (no isolation on this host, no process);
// code that misbehaves is a CellAnswer without success.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/load/read_answer.h"
#include "engine/load/supply.h"
#include "model/policy.h"
#include "model/text_kind.h"
#include "model/verdict.h"
#include "model/vetted.h"
#include "run/chamber.h"
#include "run/vetter_client.h"

namespace airlock {

// Which of the policy's modules the chamber loads before there is code for it.
enum class Warmth : std::uint8_t {
  kWholePolicy,
  kNamedInText,  // only for code that was scanned: what is not named there is not needed. A warm
                 // chamber has the whole policy anyway
};

// References must live until judge_and_warm() returns.
struct CodeRequest {
  Supply& supply;
  const Policy& policy;
  std::string_view raw;
  TextKind kind = TextKind::kAnswer;
  run::Screening screening = run::Screening::of_extractors();
  Warmth warmth = Warmth::kWholePolicy;
  // A first cell is made ready meanwhile, with these limits; nothing: none is.
  std::optional<RunLimits> first_cell = std::nullopt;
};

struct JudgedCode {
  Verdict verdict;             // refused, too: then there is no code, and the chamber runs nothing
  std::optional<Vetted> code;  // of an accepted text
  std::optional<Policy> less;  // what the chamber was made with; nothing: the request's policy
  std::shared_ptr<run::Chamber> chamber;
};

// An Error: this host cannot give the isolation. Nothing untrusted was run then.
Result<JudgedCode> judge_and_warm(const CodeRequest& request);

struct LoadedCell {
  std::unique_ptr<run::Cell> cell;  // null when the code could not be loaded
  CellAnswer loaded;                // why not, or what it printed meanwhile
  std::vector<std::string> walls;
};

// A cell of a chamber that is ready, with the code in it. `stop` ends it as if somebody had killed
// it. An Error is our own trouble.
Result<LoadedCell> load_cell(run::Chamber& chamber, const Vetted& code, const RunLimits& limits,
                             const std::stop_token& stop = {});

// The same in two steps: between them the cell loads while others work.
std::unique_ptr<run::Cell> begin_load(std::unique_ptr<run::Cell> cell, const Vetted& code,
                                      const RunLimits& limits);
Result<LoadedCell> finish_load(std::unique_ptr<run::Cell> cell, const RunLimits& limits,
                               const std::stop_token& stop = {});

// One question to it. `stop`, as for load_cell. An Error is our own trouble. When the answer has an
// ending, the cell is gone.
Result<CellAnswer> ask_cell(run::Cell& cell, std::string_view question, const RunLimits& limits,
                            Wanted wanted = Wanted::kObject, const std::stop_token& stop = {});

// The same, when it is the last one: the cell is gone afterwards, and what it did behind its answer
// makes a failure of it.
Result<CellAnswer> ask_cell_last(run::Cell& cell, std::string_view question,
                                 const RunLimits& limits, Wanted wanted = Wanted::kObject);

// Ends a cell that nobody will ask again. Nothing: it did nothing behind its last answer.
std::optional<CellAnswer> finish_cell(run::Cell& cell, const RunLimits& limits);

}  // namespace airlock
