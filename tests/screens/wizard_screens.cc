// Looks at the wizard's screens without anything behind them; for developers and for
// tests/screens/screens_test.py.
//   wizard_screens [--lines] [--ascii] [--light] WORD…
//   WORD: model python fail2 fail4 fail9 down endless warnings refused crash, or show NAME
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "present/tui/wizard_lines.h"
#include "present/tui/wizard_screen.h"
#include "support/fake_session.h"

namespace {

using namespace airlock::tui;

// Dies in the middle of the screen, as a bug of ours would make it.
class CrashingSession : public FakeSession {
 public:
  using FakeSession::FakeSession;
  bool take_events() override {
    if (++turns_ == 5) std::abort();
    return false;
  }

 private:
  int turns_ = 0;
};

std::unique_ptr<airlock::wizard::Session> still(std::string_view name) {
  for (const NamedState& state : test_states()) {
    if (state.name == name) return std::make_unique<StillSession>(state.state);
  }
  return nullptr;
}

}  // namespace

int main(int count, char** words) {
  Script script;
  ScreenOptions options = options_from_environment();
  bool has_lines = false;
  bool crashes = false;
  std::unique_ptr<airlock::wizard::Session> session;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--lines") has_lines = true;
    if (word == "--ascii") options.terminal.charset = Charset::kAscii;
    if (word == "--light") options.terminal.background = Background::kLight;
    if (word == "model") script.has_model = true;
    if (word == "python") script.wants_python = true;
    if (word == "fail2") script.failures = 2;
    if (word == "fail4") script.failures = 4;
    if (word == "fail9") script.failures = 9;
    if (word == "down") script.is_model_down = true;
    if (word == "endless") script.is_endless = true;
    if (word == "warnings") script.has_warnings = true;
    if (word == "refused") script.is_approval_refused = true;
    if (word == "crash") crashes = true;
    if (word == "show" && i + 1 < count) session = still(words[i + 1]);
  }
  if (crashes) {
    const rlimit no_core = {0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    session = std::make_unique<CrashingSession>(script);
  }
  if (!session) session = std::make_unique<FakeSession>(script);
  return has_lines ? run_wizard_lines(*session, stdin, stdout, options)
                   : run_wizard_screen(*session, options);
}
