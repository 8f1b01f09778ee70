#include "present/serve/activity.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace airlock::serve {

namespace {

constexpr std::size_t kMostDenialsTold = 3;  // in one line

std::int64_t present_ms() {
  using std::chrono::duration_cast;
  return duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

void Activity::note(Kind kind, std::string words) {
  const std::scoped_lock held(lock_);
  const bool is_fine = kind == Kind::kFine || kind == Kind::kCancelled;
  std::deque<Entry>& entries = is_fine ? fine_ : troubles_;
  entries.push_back({present_ms(), kind, std::move(words)});
  if (entries.size() > (is_fine ? kMostFine : kMostTroubles)) entries.pop_front();
}

void Activity::note_piece(const PieceReport& report) {
  if (!report.denials.empty()) {
    std::string words = "a piece asked for ";
    for (std::size_t i = 0; i < std::min(report.denials.size(), kMostDenialsTold); ++i)
      words += fmt::format("{}{} at line {}", i == 0 ? "" : ", ", report.denials[i].name,
                           report.denials[i].line);
    if (report.denials.size() > kMostDenialsTold)
      words += fmt::format(" and {} more", report.denials.size() - kMostDenialsTold);
    return note(Kind::kDenied, std::move(words));
  }
  if (report.end == PieceEnd::kCancelled)
    return note(Kind::kCancelled,
                fmt::format("a piece was cancelled, {:.1f} ms", report.milliseconds));
  if (report.end != PieceEnd::kDone)
    return note(Kind::kTrouble, fmt::format("a piece ended with {}, {:.1f} ms", report.error.type,
                                            report.milliseconds));
  note(Kind::kFine, fmt::format("a piece ran, {:.1f} ms", report.milliseconds));
}

std::vector<Activity::Entry> Activity::latest() const {
  const std::scoped_lock held(lock_);
  std::vector<Entry> all(troubles_.begin(), troubles_.end());
  all.insert(all.end(), fine_.begin(), fine_.end());
  return all;
}

}  // namespace airlock::serve
