#include "admit/piece_door.h"

#include <algorithm>
#include <utility>

namespace airlock {

namespace {

constexpr std::size_t kMostPieceError = 32 * 1024;
constexpr std::size_t kMostPieceErrorType = 256;
constexpr std::size_t kMostPieceTraceback = 64 * 1024;
// A little deeper than a cell writes a value: the arguments of a call stand in two containers.
constexpr std::size_t kPieceDepthSlack = 6;

}  // namespace

PieceDoor::PieceDoor(const PieceLimits& limits)
    : limits_(limits), json_(limits.depth + kPieceDepthSlack) {}

// The cell holds itself to these limits; one that no longer does has been taken over.
bool PieceDoor::is_within_limits(const PieceOutcome& outcome) {
  constexpr std::size_t kEllipsis = 8;
  if (outcome.success && !outcome.error_type.empty()) return false;
  if (outcome.value &&
      (outcome.value->size() > limits_.value_bytes || !json_.is_value(*outcome.value)))
    return false;
  return (!outcome.shown || outcome.shown->size() <= limits_.shown_bytes + kEllipsis) &&
         outcome.error.size() <= kMostPieceError &&
         outcome.error_type.size() <= kMostPieceErrorType &&
         outcome.traceback.size() <= kMostPieceTraceback;
}

PieceAnswer PieceDoor::judge(RawPiece raw) {
  PieceAnswer answer;
  if (!raw.said_) {
    const FinalNotes& notes = final_notes(raw.said_.error());
    answer.line = notes.line;
    answer.denials = notes.denials;
    answer.ending = std::move(raw.said_).error();
    return answer;
  }
  PieceOutcome& said = *raw.said_;
  answer.denials = std::move(raw.denials_);
  if (!is_within_limits(said)) {
    FinalNotes notes;
    notes.denials = answer.denials;
    answer.ending = Garbled{std::move(notes)};
    return answer;
  }
  answer.success = said.success;
  answer.value = std::move(said.value);
  answer.shown = std::move(said.shown);
  answer.failure = {std::move(said.error_type), std::move(said.error)};
  answer.line = said.error_line;
  answer.traceback = std::move(said.traceback);
  answer.milliseconds = static_cast<double>(said.microseconds) / 1000.0;
  return answer;
}

std::expected<HostCall, Failure> PieceDoor::judge(RawCall called,
                                                  std::span<const HostFunction> functions) {
  if (std::ranges::find(functions, called.name_, &HostFunction::name) == functions.end())
    return std::unexpected(Failure{"NameError", "there is no such host function"});
  if (called.arguments_.size() > limits_.call_bytes || !json_.is_object(called.arguments_))
    return std::unexpected(Failure{"TypeError", "the arguments are not JSON, or too large"});
  return HostCall{called.number_, std::move(called.name_), std::move(called.arguments_)};
}

bool PieceDoor::is_value(std::string_view json) {
  return json.size() <= limits_.call_bytes && json_.is_value(json);
}

bool PieceDoor::is_object(std::string_view json) {
  return json.size() <= limits_.call_bytes && json_.is_object(json);
}

}  // namespace airlock
