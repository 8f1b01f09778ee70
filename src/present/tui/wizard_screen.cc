// One loop: draw, wait for a key, for the session or for a signal, act on it. While something is at
// work it also turns ten times a second, for the spinner.
#include "present/tui/wizard_screen.h"

#include <langinfo.h>
#include <locale.h>
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/variable.h"
#include "present/tui/draw/summary.h"
#include "present/tui/input_wait.h"
#include "present/tui/interaction.h"
#include "present/tui/screens/scene.h"
#include "present/tui/wizard_lines.h"

namespace airlock::tui {

namespace {

using wizard::Session;

constexpr std::chrono::milliseconds kTick{100};

// All on one thread: the session's worker only wakes it through wake_descriptor().
class Loop {
 public:
  Loop(Session& session, Terminal& terminal, Signals& signals, const ScreenOptions& options)
      : session_(session),
        terminal_(terminal),
        signals_(signals),
        options_(options),
        phase_(session.state().phase),
        view_(view_of(session.state())) {}

  // Until the session has ended, or the signal that ended it.
  std::optional<int> run() {
    while (!ended_by_ && !wizard::is_final(session_.state().phase)) {
      note_phase();
      edit_if_asked();
      if (ended_by_ || wizard::is_final(session_.state().phase)) break;
      const auto shown_for = std::chrono::steady_clock::now() - began_;
      view_.tick = static_cast<std::size_t>(shown_for / kTick);
      const Picture picture = draw(scene());
      terminal_.show(picture.canvas);
      wait(picture);
    }
    return ended_by_;
  }

 private:
  Scene scene() const {
    const wizard::WizardState& state = session_.state();
    return {state, wizard::keys_of(state), view_, terminal_.size(), options_.terminal.charset};
  }

  // Another state is another screen: what was scrolled or typed in the last one is gone.
  void note_phase() {
    if (session_.state().phase == phase_) return;
    phase_ = session_.state().phase;
    // A paste may span two screens: its second half is no key either.
    const bool is_pasting = view_.is_pasting;
    view_ = view_of(session_.state());
    view_.is_pasting = is_pasting;
  }

  void edit_if_asked() {
    const auto request = session_.take_edit_request();
    if (!request) return;
    // The order matters: screen off, then Ctrl-Z as usual for the editor; afterwards the other way
    // round.
    terminal_.hand_over();
    signals_.let_stop();
    auto edited = wizard::edit_text(options_.editor, request->text,
                                    request->kind == OutputKind::kPython ? ".py" : ".yaml");
    signals_.take_stop();
    // Ctrl-C was meant for the editor.
    while (const auto signal = signals_.take()) {
      if (*signal == SIGTERM || *signal == SIGHUP) ended_by_ = signal;
    }
    terminal_.take_back();
    if (edited) {
      session_.handle(wizard::EditorClosed{std::move(*edited)});
    } else {
      session_.handle(wizard::EditorFailed{std::move(edited.error().message)});
    }
    note_phase();
  }

  void wait(const Picture& picture) {
    const bool is_busy = wizard::is_busy(session_.state().phase);
    const WakeReason wakened = wait_for_input(terminal_, signals_, session_.wake_descriptor(),
                                              is_busy ? static_cast<int>(kTick.count()) : -1);
    ended_by_ = wakened.ended_by;
    if (ended_by_) return;
    if (wakened.has_wake) session_.take_events();
    if (wakened.has_keys) take_keys(picture);
  }

  // A key that changes the state leaves those after it to the next screen.
  void take_keys(const Picture& picture) {
    bool has_any = false;
    while (const auto key = terminal_.read_key()) {
      has_any = true;
      if (key->stroke == Stroke::kRedraw) terminal_.forget();
      const wizard::WizardState& state = session_.state();
      if (const auto event = press(view_, state, wizard::keys_of(state), picture, *key)) {
        session_.handle(*event);
        return;
      }
    }
    // Readable, and nothing to read: the terminal is gone.
    if (!has_any && ++empty_reads_ > 100) ended_by_ = SIGHUP;
    if (has_any) empty_reads_ = 0;
  }

  Session& session_;
  Terminal& terminal_;
  Signals& signals_;
  const ScreenOptions& options_;
  wizard::Phase phase_;
  ScreenView view_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::optional<int> ended_by_ = {};
  int empty_reads_ = 0;
};

// UTF-8 only if the locale says so: a wrong guess would fill the screen with question marks.
Charset charset_from_environment() {
  if (variable("TERM") == "linux") return Charset::kAscii;  // its font has none of our signs
  std::string codeset;
  if (const locale_t own = ::newlocale(LC_CTYPE_MASK, "", nullptr); own != nullptr) {
    codeset = ::nl_langinfo_l(CODESET, own);
    ::freelocale(own);
  } else {
    // Named but not installed; the name still says what the terminal shows.
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
      codeset = variable(name);
      if (!codeset.empty()) break;
    }
  }
  const bool is_utf8 =
      codeset.find("UTF-8") != std::string::npos || codeset.find("utf8") != std::string::npos;
  return is_utf8 ? Charset::kUtf8 : Charset::kAscii;
}

}  // namespace

ScreenOptions options_from_environment() {
  ScreenOptions options;
  options.terminal.charset = charset_from_environment();
  options.terminal.background = background_from(variable("COLORFGBG"));
  if (!variable("NO_COLOR").empty()) options.terminal.palette = Palette::kNone;
  options.editor = {variable("VISUAL"), variable("EDITOR")};
  return options;
}

int run_wizard_screen(Session& session, const ScreenOptions& options) {
  auto signals = Signals::open();
  // Before ncurses: it leaves a signal alone that somebody has taken.
  auto terminal = signals ? Terminal::open(options.terminal)
                          : Result<std::unique_ptr<Terminal>>(std::unexpected(signals.error()));
  if (!terminal) {
    std::fprintf(stderr, "airlock: %s: going on line by line\n", terminal.error().message.c_str());
    if (signals) signals->reset();
    return run_wizard_lines(session, stdin, stdout, options);
  }
  const std::optional<int> ended_by = Loop(session, **terminal, **signals, options).run();
  terminal->reset();
  signals->reset();
  const std::string words =
      summary_of(session.state(), ended_by, glyphs_of(options.terminal.charset));
  std::fputs(words.c_str(), stdout);
  std::fflush(stdout);
  return exit_code_of(session.state(), ended_by);
}

}  // namespace airlock::tui
