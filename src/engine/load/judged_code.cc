#include "engine/load/judged_code.h"

#include <chrono>
#include <utility>

#include "engine/policy/narrow_policy.h"

namespace airlock {

Result<JudgedCode> judge_and_warm(const CodeRequest& request) {
  const bool is_narrow = request.warmth == Warmth::kNamedInText && !request.supply.is_warm();
  std::optional<Policy> less;
  if (is_narrow) less = narrow_to(request.raw, request.policy);
  auto chamber = TRY(
      request.supply.chamber(less ? *less : request.policy, request.first_cell, HashOrder::kUsual));
  auto screened =
      TRY(request.supply.screen(request.policy, request.raw, request.screening, request.kind));
  // The cleaned code imports a module that the raw text did not show. Rare enough to begin again.
  if (less && screened.code &&
      !is_warm_enough(*less, narrow_to(screened.verdict.code, request.policy))) {
    less.reset();
    chamber = TRY(request.supply.chamber(request.policy, request.first_cell, HashOrder::kUsual));
  }
  return JudgedCode{.verdict = std::move(screened.verdict),
                    .code = std::move(screened.code),
                    .less = std::move(less),
                    .chamber = std::move(chamber)};
}

Result<LoadedCell> load_cell(run::Chamber& chamber, const Vetted& code, const RunLimits& limits,
                             const std::stop_token& stop) {
  return finish_load(begin_load(TRY(chamber.make_cell(limits)), code, limits), limits, stop);
}

std::unique_ptr<run::Cell> begin_load(std::unique_ptr<run::Cell> cell, const Vetted& code,
                                      const RunLimits& limits) {
  cell->begin_load(code, limits);
  return cell;
}

Result<LoadedCell> finish_load(std::unique_ptr<run::Cell> cell, const RunLimits& limits,
                               const std::stop_token& stop) {
  LoadedCell loaded{.cell = std::move(cell), .loaded = {}, .walls = {}};
  loaded.cell->set_timeout(limits.timeout_ms);
  auto said = [&] {
    const std::stop_callback interrupting(stop, [&] { loaded.cell->interrupt(); });
    return loaded.cell->finish_load();
  }();
  if (loaded.cell->trouble()) return std::unexpected(*loaded.cell->trouble());
  const bool is_late = said.timed_out();
  loaded.loaded = read_answer(std::move(said), Wanted::kNothing, limits,
                              is_late ? static_cast<double>(limits.timeout_ms) : 0.0);
  loaded.walls = loaded.cell->walls();
  if (!loaded.loaded.success) loaded.cell.reset();
  return loaded;
}

Result<CellAnswer> ask_cell(run::Cell& cell, std::string_view question, const RunLimits& limits,
                            Wanted wanted, const std::stop_token& stop) {
  const std::stop_callback interrupting(stop, [&] { cell.interrupt(); });
  cell.set_timeout(limits.timeout_ms);
  const auto start = std::chrono::steady_clock::now();
  auto said = cell.call(question);
  const std::chrono::duration<double, std::milli> waited = std::chrono::steady_clock::now() - start;
  if (cell.trouble()) return std::unexpected(*cell.trouble());
  return read_answer(std::move(said), wanted, limits, waited.count());
}

std::optional<CellAnswer> finish_cell(run::Cell& cell, const RunLimits& limits) {
  auto late = cell.finish();
  if (!late) return std::nullopt;
  return read_answer(*std::move(late), Wanted::kNothing, limits, 0);
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
