#include "engine/load/judged_code.h"

#include <chrono>
#include <utility>

#include "engine/load/vet_source.h"
#include "engine/policy/narrow_policy.h"

namespace airlock {

namespace {

Result<std::unique_ptr<run::Chamber>> warm(const CodeRequest& request, const Policy& policy) {
  auto chamber = run::Chamber::start(request.host_program, policy);
  if (chamber && request.first_cell) (*chamber)->request_spare_cell(*request.first_cell);
  return chamber;
}

}  // namespace

Result<JudgedCode> judge_and_warm(const CodeRequest& request) {
  const bool is_narrow = request.warmth == Warmth::kNamedInText;
  JudgedCode code;
  code.policy = is_narrow ? narrow_to(request.raw, request.policy) : request.policy;
  auto chamber = warm(request, code.policy);
  if (!chamber) return std::unexpected(std::move(chamber).error());
  auto verdict = TRY(
      vet_source(request.host_program, request.policy, request.raw, request.stages, request.kind));
  code.verdict = std::move(verdict);
  // Cleaning brought another import to light: rare enough to begin again.
  if (is_narrow && code.verdict.decision == Decision::kAccepted &&
      !is_warm_enough(code.policy, narrow_to(code.verdict.code, request.policy))) {
    code.policy = request.policy;
    chamber = warm(request, code.policy);
    if (!chamber) return std::unexpected(std::move(chamber).error());
  }
  code.chamber = std::move(*chamber);
  return code;
}

Result<LoadedCell> load_cell(run::Chamber& chamber, std::string_view compiled,
                             const RunLimits& limits) {
  auto made = TRY(chamber.make_cell());
  LoadedCell loaded{.cell = std::move(made), .loaded = {}, .walls = {}};
  auto said = loaded.cell->load(compiled, limits);
  if (loaded.cell->trouble()) return std::unexpected(*loaded.cell->trouble());
  const bool is_late = !said && std::holds_alternative<run::TimedOut>(said.error());
  loaded.loaded = read_answer(std::move(said), Wanted::kNothing, limits,
                              is_late ? static_cast<double>(limits.timeout_ms) : 0.0);
  loaded.walls = loaded.cell->walls();
  if (!loaded.loaded.success) loaded.cell.reset();
  return loaded;
}

Result<CellAnswer> ask_cell(run::Cell& cell, std::string_view question, const RunLimits& limits,
                            Wanted wanted) {
  cell.set_timeout(limits.timeout_ms);
  const auto start = std::chrono::steady_clock::now();
  auto said = cell.call(question);
  const std::chrono::duration<double, std::milli> waited = std::chrono::steady_clock::now() - start;
  if (cell.trouble()) return std::unexpected(*cell.trouble());
  return read_answer(std::move(said), wanted, limits, waited.count());
}

std::optional<CellAnswer> finish_cell(run::Cell& cell, const RunLimits& limits) {
  auto ending = cell.finish();
  if (!ending) return std::nullopt;
  return read_answer(std::unexpected(std::move(*ending)), Wanted::kNothing, limits, 0);
}

Result<CellAnswer> ask_cell_last(run::Cell& cell, std::string_view question,
                                 const RunLimits& limits, Wanted wanted) {
  auto answer = ask_cell(cell, question, limits, wanted);
  if (!answer || answer->ending) return answer;
  auto late = finish_cell(cell, limits);
  if (late && answer->success) return std::move(*late);
  return answer;
}

}  // namespace airlock
