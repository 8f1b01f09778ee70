#include "engine/load/cell_answer.h"

#include <utility>

#include "admit/strict_json.h"

namespace airlock {

namespace {

constexpr std::size_t kMaxError = 16 * 1024;
constexpr std::size_t kMaxName = 256;

// The cell holds itself to these limits; one that no longer does has been taken over.
bool is_within(const RunLimits& limits, const GuestOutcome& outcome) {
  return outcome.value.size() <= limits.result_bytes &&
         outcome.output.size() <= limits.output_bytes &&
         outcome.error_output.size() <= limits.output_bytes && outcome.error.size() <= kMaxError &&
         outcome.error_type.size() <= kMaxName && !(outcome.success && !outcome.error.empty());
}

bool is_what_was_wanted(const GuestOutcome& outcome, Wanted wanted, const RunLimits& limits) {
  if (wanted == Wanted::kNothing || !outcome.success) return outcome.value.empty();
  return wanted == Wanted::kDocument || StrictJson(deepest_result(limits)).is_object(outcome.value);
}

CellAnswer lost(run::Ending ending, const RunLimits& limits, double waited) {
  CellAnswer answer;
  answer.failure = describe_ending(ending, limits);
  answer.milliseconds = waited;
  const run::FinalNotes& notes = final_notes(ending);
  answer.line = notes.denials.empty() ? notes.line : notes.denials[0].line;
  answer.output = notes.output;
  answer.error_output = notes.error_output;
  answer.denials = notes.denials;
  answer.ending = std::move(ending);
  return answer;
}

// One denial is a failure, whatever else was said.
void judge_denials(CellAnswer& answer) {
  if (answer.denials.empty()) return;
  answer.failure = describe_violation(answer.denials, answer.failure);
  answer.success = false;
  answer.value.clear();
  if (answer.denials[0].line != 0) answer.line = answer.denials[0].line;
}

}  // namespace

std::size_t deepest_result(const RunLimits& limits) {
  constexpr std::size_t kSlack = 6;
  return limits.result_depth + kSlack;
}

CellAnswer read_answer(run::RawOutcome said, Wanted wanted, const RunLimits& limits,
                       double waited) {
  if (!said) return lost(std::move(said.error()), limits, waited);
  CellAnswer answer;
  answer.denials = std::move(said->denials);
  if (!is_within(limits, *said) || !is_what_was_wanted(*said, wanted, limits)) {
    answer.failure = {"CrashError", "What the process sent is not a result"};
    judge_denials(answer);
    return answer;
  }
  answer.success = said->success;
  answer.value = std::move(said->value);
  answer.failure = {std::move(said->error_type), std::move(said->error)};
  answer.line = said->error_line;
  answer.trace = std::move(said->trace);
  answer.output = std::move(said->output);
  answer.error_output = std::move(said->error_output);
  if (said->output_was_cut) answer.error_output += "[output cut off at the limit]\n";
  answer.milliseconds = static_cast<double>(said->microseconds) / 1000.0;
  judge_denials(answer);
  return answer;
}

}  // namespace airlock
