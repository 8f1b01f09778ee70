#include "present/tui/drafts_loop.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "engine/approve/drafts.h"
#include "present/tui/input_wait.h"
#include "present/tui/screens/drafts_screen.h"

namespace airlock::tui {

namespace {

// The exit code of a bad request.
constexpr int kCannot = 2;

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Draw, wait, act; everything on one thread. Approving validates the draft again, so the screen
// does not respond for a moment.
class DraftsLoop {
 public:
  DraftsLoop(const UserDirs& user_dirs, const std::string& host_program, std::vector<Draft> drafts)
      : user_dirs_(user_dirs), host_program_(host_program), drafts_(std::move(drafts)) {}

  int run(Terminal& terminal, Signals& signals, Charset charset) {
    while (true) {
      const Picture picture = draw_drafts(drafts_, view_, now_ms(), terminal.size(), charset);
      terminal.show(picture.canvas);
      const WakeReason wakened = wait_for_input(terminal, signals, -1, -1);
      if (wakened.ended_by) return 128 + *wakened.ended_by;
      if (!wakened.has_keys) continue;
      // Keys that were typed ahead act on the picture that is on the screen, not on one that nobody
      // has seen.
      while (const auto key = terminal.read_key()) {
        if (key->stroke == Stroke::kRedraw) terminal.forget();
        // A paste is no key.
        if (key->stroke == Stroke::kPasteBegin) is_pasting_ = true;
        if (key->stroke == Stroke::kPasteEnd) is_pasting_ = false;
        if (is_pasting_) continue;
        if (!act(press(view_, drafts_, picture, *key))) return 0;
      }
    }
  }

 private:
  // False: the screen is left.
  bool act(DraftsAct act) {
    switch (act) {
      case DraftsAct::kLeave:
        return false;
      case DraftsAct::kApprove:
        approve(drafts_[view_.row]);
        break;
      case DraftsAct::kDelete:
        remove(drafts_[view_.row]);
        break;
      case DraftsAct::kNone:
        break;
    }
    return true;
  }

  void say(std::string message, bool is_bad) {
    view_.message = std::move(message);
    view_.is_bad = is_bad;
  }

  void approve(const Draft& draft) {
    if (const std::string trouble = name_trouble(draft.name); !trouble.empty()) {
      say(fmt::format("It needs a name: airlock approve {} --name NAME", draft.id), true);
      return;
    }
    const auto approved = approve_draft(
        user_dirs_, {.draft = draft.id, .approval = {draft.name}, .host_program = host_program_});
    if (!approved) {
      say(approved.error().message, true);
    } else {
      say(fmt::format("Approved: {}, version {}. airlock extract {} PATHS", approved->name,
                      approved->version, approved->name),
          false);
    }
    read_again();
  }

  void remove(const Draft& draft) {
    const auto deleted = delete_drafts(user_dirs_, {draft.id});
    say(deleted ? fmt::format("Deleted: {}.", draft.id) : deleted.error().message, !deleted);
    read_again();
  }

  void read_again() {
    auto drafts = list_drafts(user_dirs_);
    if (!drafts) return say(drafts.error().message, true);
    drafts_ = std::move(*drafts);
    // The list is shorter now: the cursor stays where it was, or on the last row.
    view_.row = std::min(view_.row, drafts_.empty() ? 0 : drafts_.size() - 1);
    view_.scroll = {};
  }

  const UserDirs& user_dirs_;
  const std::string& host_program_;
  std::vector<Draft> drafts_;
  DraftsView view_ = {};
  bool is_pasting_ = false;
};

// For what happens before there is a screen; afterwards view_.message says it.
int complain(const Error& error) {
  std::fprintf(stderr, "airlock: %s\n", error.message.c_str());
  return kCannot;
}

}  // namespace

int run_drafts_screen(const UserDirs& user_dirs, const std::string& host_program,
                      const ScreenOptions& options) {
  auto drafts = list_drafts(user_dirs);
  if (!drafts) return complain(drafts.error());
  auto signals = Signals::open();
  if (!signals) return complain(signals.error());
  auto terminal = Terminal::open(options.terminal);
  if (!terminal) return complain(terminal.error());
  DraftsLoop loop(user_dirs, host_program, std::move(*drafts));
  return loop.run(**terminal, **signals, options.terminal.charset);
}

}  // namespace airlock::tui
