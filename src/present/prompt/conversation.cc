#include "present/prompt/conversation.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/printable.h"
#include "os/write_all.h"
#include "present/prompt/cancel_watch.h"
#include "present/prompt/questions.h"

namespace airlock::prompt {

namespace {

constexpr std::string_view kFirst = ">>> ";
constexpr std::string_view kNext = "... ";
constexpr std::array<std::string_view, 4> kLeaving = {"exit", "quit", "exit()", "quit()"};

std::string_view trimmed(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  return line.substr(start, line.find_last_not_of(" \t") - start + 1);
}

}  // namespace

Conversation::Conversation(const Setting& setting, PieceRunner& runner, tui::Signals& signals,
                           int screen)
    : setting_(setting),
      runner_(runner),
      signals_(signals),
      screen_(screen),
      terminal_(STDIN_FILENO, screen, signals) {}

Result<int> Conversation::hold() {
  while (true) {
    terminal_.take();
    InputLine line = terminal_.read_line(piece_.is_empty() ? kFirst : kNext);
    switch (line.end) {
      case InputEnd::kEndKey:
        if (piece_.is_empty()) return 0;
        piece_.clear();  // what was begun, not the session
        continue;
      case InputEnd::kClosed:
        return 0;
      case InputEnd::kToldToEnd:
        return line.signal;
      case InputEnd::kInterrupted:
        piece_.clear();
        os::write_all(screen_, "KeyboardInterrupt\n");
        continue;
      case InputEnd::kLine:
      case InputEnd::kPastedLine:
        break;
    }
    LineKind kind = terminal_.has_more() ? LineKind::kFollowed : LineKind::kTyped;
    if (line.end == InputEnd::kPastedLine) kind = LineKind::kPasted;
    const bool goes_on = TRY(take_line(line.text, kind));
    if (signal_ != 0) return signal_;
    if (!goes_on) return 0;
  }
}

// False: the conversation is over. So are those below.
Result<bool> Conversation::take_line(std::string_view line, LineKind kind) {
  if (piece_.is_empty() && kind != LineKind::kPasted) {
    const std::string_view words = trimmed(line);
    if (std::ranges::find(kLeaving, words) != kLeaving.end()) return false;
    if (words == "?" || asked_name(words)) return answer(words);
  }
  const bool is_whole = TRY(piece_.add(line, kind, [&](std::string_view code) {
    return find_completeness(setting_.rooms, setting_.policy, code);
  }));
  return is_whole ? run(piece_.take()) : Result<bool>(true);
}

Result<void> Conversation::while_watching(const std::function<Result<void>()>& work) {
  terminal_.give_back();
  const auto watch = TRY(CancelWatch::start(setting_.session, signals_));
  auto done = work();
  signal_ = watch->told_to_end();
  return done;
}

Result<bool> Conversation::run(std::string_view code) {
  PieceCame came = PieceCame::kDone;
  TRY(while_watching([&]() -> Result<void> {
    came = TRY(runner_.run(code));
    return {};
  }));
  if (runner_.is_unread()) return false;
  was_asked_to_fail_ = came == PieceCame::kAskedToFail;
  return came != PieceCame::kAskedToEnd && came != PieceCame::kAskedToFail;
}

Result<void> Conversation::show_answer(std::string_view code) {
  return while_watching([&]() -> Result<void> {
    const auto said = TRY(runner_.ask(code));
    os::write_all(screen_, said ? printable_output(*said) : "the session does not say\n");
    return {};
  });
}

Result<bool> Conversation::answer(std::string_view line) {
  if (const auto name = asked_name(line)) {
    TRY(show_answer(code_that_explains(*name)));
    return true;
  }
  TRY(show_answer(code_that_lists_names()));
  os::write_all(screen_, setting_.facts);
  return true;
}

}  // namespace airlock::prompt
