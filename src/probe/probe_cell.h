// One probe in a chamber of its own: judged, loaded, asked. Everything that it answers is hostile
// and bounded. Used by one thread, which must outlive it: the chamber dies with the thread that
// started it.
//
// start() → describe() → perhaps applies() → run(), which ends the cell.
#pragma once

#include <algorithm>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "engine/load/read_answer.h"
#include "model/policy.h"
#include "model/text_kind.h"
#include "probe/probe_info.h"
#include "run/chamber.h"

namespace airlock::probe {

// How a probe's chamber is made; the same for every probe of a run but for its kind of source.
struct ProbeCellPlan {
  std::string host_program;
  Policy policy;           // `probe`, or one that extends it; without folders
  std::string repository;  // absolute, on the host
  std::uint32_t memory_bytes = 512 * 1000 * 1000;
  std::uint32_t question_ms = 30'000;  // for loading it, and for the questions before it runs
  TextKind source_kind = TextKind::kProgram;
};

// Why a probe has no answer.
struct NoAnswer {
  std::vector<std::string> errors;  // "ValueError: … (line 3)"; not scrubbed
  std::string printed;              // what it had written to its streams, the end of it
  // Our own trouble: no walls on this host, nothing was run.
  std::optional<Error> trouble = std::nullopt;
  bool has_timed_out = false;
};

template <typename T>
using ProbeAnswer = std::expected<T, NoAnswer>;

// Owns the chamber and the cell. Not movable between threads.
class ProbeCell {
 public:
  // Judges the source and loads it. `raw` as it stands in its file.
  static ProbeAnswer<std::unique_ptr<ProbeCell>> start(const ProbeCellPlan& plan,
                                                       std::string_view raw);

  ProbeAnswer<ProbeInfo> describe(const ProbeTask& task);
  ProbeAnswer<Applies> applies(const Snapshot& snapshot, const ProbeTask& task);
  // The document, not judged yet. The probe is gone afterwards, and what it left in its output
  // folder does not change any more.
  ProbeAnswer<RawDocument> run(const Snapshot& snapshot, const ProbeTask& task,
                               std::uint32_t timeout_ms);

  const Fd& output_folder() const;
  // What it wrote to its streams while it ran, the end of it.
  const std::string& printed() const { return printed_; }
  // For applies() from now on: a probe's own time limit may be shorter than the default.
  void cap_questions(std::uint32_t milliseconds) {
    question_ms_ = std::min(question_ms_, milliseconds);
  }

 private:
  ProbeCell(std::shared_ptr<run::Chamber> chamber, std::uint32_t question_ms)
      : chamber_(std::move(chamber)), question_ms_(question_ms) {}

  ProbeAnswer<void> load(const Vetted& code, const RunLimits& limits);
  ProbeAnswer<CellAnswer> ask(const std::string& question, std::uint32_t timeout_ms, Wanted wanted);
  NoAnswer refuse(const CellAnswer& answer) const;

  std::shared_ptr<run::Chamber> chamber_;
  std::unique_ptr<run::Cell> cell_;  // after the chamber: it goes first
  std::uint32_t question_ms_;
  RunLimits limits_;
  std::string printed_;
};

}  // namespace airlock::probe
