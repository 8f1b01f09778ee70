#include "admit/cell_door.h"

#include <utility>

namespace airlock {

namespace {

constexpr std::size_t kMaxError = 16 * 1024;  // bytes of a traceback or message
constexpr std::size_t kMaxName = 256;         // bytes of an exception's name
constexpr std::size_t kDepthSlack = 6;        // a little deeper than a cell writes a result

constexpr std::string_view kCrash = "CrashError";
constexpr std::string_view kNoResult = "What the process sent is not a result";

// A cell that ended instead of answering. What it left in shared memory (line, output, denied
// calls) is all there is.
CellAnswer answer_of_ended_cell(Ending ending) {
  CellAnswer answer;
  const FinalNotes& notes = final_notes(ending);
  answer.line = notes.denials.empty() ? notes.line : notes.denials[0].line;
  answer.output = notes.output;
  answer.error_output = notes.error_output;
  answer.denials = notes.denials;
  answer.ending = std::move(ending);
  return answer;
}

}  // namespace

CellDoor::CellDoor(const RunLimits& limits)
    : limits_(limits), json_(limits.result_depth + kDepthSlack) {}

// A cell enforces these limits on itself before it answers; an answer beyond them means that the
// guest has taken the cell over.
bool CellDoor::is_within_limits(const GuestOutcome& outcome) const {
  return outcome.value.size() <= limits_.result_bytes &&
         outcome.output.size() <= limits_.output_bytes &&
         outcome.error_output.size() <= limits_.output_bytes && outcome.error.size() <= kMaxError &&
         outcome.error_type.size() <= kMaxName && !(outcome.success && !outcome.error.empty());
}

bool CellDoor::is_what_was_wanted(const GuestOutcome& outcome, Wanted wanted) {
  if (wanted == Wanted::kNothing || !outcome.success) return outcome.value.empty();
  return wanted == Wanted::kDocument || json_.is_object(outcome.value);
}

CellAnswer CellDoor::judge(RawOutcome raw, Wanted wanted) {
  if (!raw.said_) return answer_of_ended_cell(std::move(raw.said_).error());
  GuestOutcome& said = *raw.said_;
  CellAnswer answer;
  answer.denials = std::move(said.denials);
  answer.import_denials = std::move(said.import_denials);
  if (is_within_limits(said) && is_what_was_wanted(said, wanted)) {
    answer.success = said.success;
    if (wanted == Wanted::kDocument) {
      answer.document = RawDocument(std::move(said.value));
    } else {
      answer.value = std::move(said.value);
    }
    answer.failure = {std::move(said.error_type), std::move(said.error)};
    answer.line = said.error_line;
    answer.trace = std::move(said.trace);
    answer.output = std::move(said.output);
    answer.error_output = std::move(said.error_output);
    if (said.output_was_cut) answer.error_output += "[output cut off at the limit]\n";
    answer.milliseconds = static_cast<double>(said.microseconds) / 1000.0;
  } else {
    answer.failure = {std::string(kCrash), std::string(kNoResult)};
  }
  // A denied system call outweighs whatever the program says about itself: it may have caught the
  // error.
  if (answer.denials.empty()) return answer;
  answer.success = false;
  answer.value.clear();
  answer.document = {};
  if (answer.denials[0].line != 0) answer.line = answer.denials[0].line;
  return answer;
}

// Limits of size were held by the reader of the stream; views stay valid as long as its buffer.
RowAnswer CellDoor::judge(const RawRow& said) {
  RowAnswer answer{.success = false,
                   .value = {},
                   .error_type = said.error_type_,
                   .error = said.error_,
                   .denials = said.denials_};
  if (!said.claims_success_ || !said.denials_.empty()) return answer;
  if (json_.is_object(said.value_)) {
    answer.success = true;
    answer.value = said.value_;
  } else {
    answer.error_type = kCrash;
    answer.error = kNoResult;
  }
  return answer;
}

}  // namespace airlock
