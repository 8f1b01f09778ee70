// Sessions that run no effects, for looking at the wizard's screens: one that shows a state and
// does nothing, and one that is the real machine with an answer ready for everything it asks for.
// Both wake their screen by a timer.
#pragma once

#include <sys/timerfd.h>
#include <unistd.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "support/wizard_states.h"
#include "wizard/machine.h"
#include "wizard/session.h"

namespace airlock::tui {

inline Fd timer_of(int milliseconds) {
  Fd timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  const timespec step = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  const itimerspec period = {step, step};
  ::timerfd_settime(timer.get(), 0, &period, nullptr);
  return timer;
}

// One state that never changes; Esc ends it.
class StillSession : public wizard::Session {
 public:
  explicit StillSession(wizard::WizardState state)
      : state_(std::move(state)), timer_(timer_of(1000)) {}

  const wizard::WizardState& state() const override { return state_; }
  void handle(const wizard::Event& event) override {
    const auto* pressed = std::get_if<wizard::KeyPressed>(&event);
    if (pressed != nullptr && pressed->key == wizard::WizardKey::kEscape) {
      state_.phase = wizard::Phase::kCanceled;
    }
  }
  bool take_events() override {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(timer_.get(), &count, sizeof count);
    return false;
  }
  int wake_descriptor() const override { return timer_.get(); }
  std::optional<wizard::EditRequest> take_edit_request() override { return {}; }
  void wait_until_idle() override {}

 private:
  wizard::WizardState state_;
  Fd timer_;
};

struct Script {
  bool has_model = false;
  bool wants_python = false;
  std::size_t failures = 0;    // of judgements, before one passes
  bool is_model_down = false;  // it cannot be asked
  bool is_endless = false;     // work never ends
  bool has_warnings = false;
  bool is_approval_refused = false;
  int step_ms = 30;
};

class FakeSession : public wizard::Session {
 public:
  explicit FakeSession(Script script)
      : script_(script),
        machine_(
            state_in(wizard::Phase::kAnalyzing).samples,
            script.wants_python ? "Quarter folder should compute start/end month" : "", "",
            {.has_model = script.has_model, .model = "ollama llama3.2 at http://localhost:11434"}),
        timer_(timer_of(script.step_ms)) {
    schedule(machine_.begin());
  }

  const wizard::WizardState& state() const override { return machine_.state(); }
  void handle(const wizard::Event& event) override { schedule(machine_.handle(event)); }
  bool take_events() override {
    std::uint64_t count = 0;
    if (::read(timer_.get(), &count, sizeof count) <= 0 || coming_.empty()) return false;
    const wizard::Event event = std::move(coming_.front());
    coming_.pop_front();
    handle(event);
    return true;
  }
  int wake_descriptor() const override { return timer_.get(); }
  std::optional<wizard::EditRequest> take_edit_request() override {
    return std::exchange(edit_, {});
  }
  void wait_until_idle() override {
    while (!coming_.empty()) {
      const wizard::Event event = std::move(coming_.front());
      coming_.pop_front();
      handle(event);
    }
  }

 private:
  void schedule(const std::vector<wizard::Effect>& effects) {
    for (const wizard::Effect& effect : effects) {
      std::visit([this](const auto& one) { on(one); }, effect);
    }
  }

  void soon(wizard::Event event) {
    if (!script_.is_endless) coming_.push_back(std::move(event));
  }

  void progress(const wizard::WizardProgress& now) { soon(wizard::Progressed{now}); }

  void on(const wizard::Analyze&) {
    const wizard::WizardState like = state_in(wizard::Phase::kAnalyzing);
    for (int i = 0; i < 3; ++i) progress({});
    wizard::Analyzed analyzed;
    const bool is_python = script_.wants_python || !machine_.state().hint.empty();
    analyzed.choice = is_python ? OutputKind::kPython : OutputKind::kYaml;
    analyzed.yaml = like.text;
    analyzed.confidence = like.confidence;
    analyzed.evidence = like.evidence;
    analyzed.patterns =
        machine_.state().patterns.empty() ? like.patterns : machine_.state().patterns;
    if (is_python) {
      analyzed.reasons = {"the hint asks for a computed field: start/end"};
      analyzed.computed = {"start_month", "end_month"};
    }
    analyzed.suggested_name = "client_reports";
    analyzed.outgoing = test_states()[1].state.outgoing;
    analyzed.outgoing_paths = like.samples.size();
    soon(std::move(analyzed));
  }

  void on(const wizard::WriteProgram& question) {
    if (question.author == wizard::Author::kModel && script_.is_model_down) {
      soon(wizard::ModelFailed{{.trouble = llm::Trouble::kNotRunning,
                                .message = "Ollama is not running at http://localhost:11434.",
                                .fix = "ollama serve"}});
      return;
    }
    for (std::size_t characters = 0; characters < 800; characters += 100) {
      progress({.is_asking = true, .characters = characters});
    }
    soon(wizard::ProgramWritten{kTestPython, question.author, 900});
  }

  void on(const wizard::JudgeText& effect) {
    const std::size_t paths = machine_.state().samples.size();
    for (const Stage stage : {Stage::kSyntax, Stage::kSecurity, Stage::kSignature}) {
      progress({.stage = stage});
    }
    for (std::size_t done = 0; done <= paths; ++done) {
      progress({.stage = Stage::kSandbox, .done = done, .total = paths});
    }
    wizard::TextJudged judged;
    judged.text = effect.text;
    const bool is_broken = effect.text.find("BROKEN") != std::string::npos;
    if (failed_ < script_.failures || is_broken) {
      ++failed_;
      judged.stage = Stage::kSandbox;
      judged.problem = error_state().problem.detail;
      judged.retry_context = judged.problem;
    } else {
      wizard::WizardState like = state_in(wizard::Phase::kYamlResult);
      add_preview(like, effect.kind == OutputKind::kPython
                            ? R"(,"quarter":1,"start_month":1,"end_month":3)"
                            : R"(,"quarter":1)");
      judged.valid = true;
      judged.stage = Stage::kComplete;
      judged.preview = like.preview;
      judged.passed = like.passed;
      judged.mean_ms = effect.kind == OutputKind::kPython ? 2.3 : 0.004;
      if (script_.has_warnings) {
        judged.warnings = {"1 path returned empty dict (may be expected)",
                           "Field 'Q1' contains non-identifier character"};
      }
    }
    soon(std::move(judged));
  }

  void on(const wizard::KeepDraft&) { soon(wizard::DraftKept{"1a2b3c4d"}); }
  void on(const wizard::OpenEditor& effect) { edit_ = {effect.kind, effect.text}; }
  void on(const wizard::Approve&) {
    for (int i = 0; i < 5; ++i) progress({});
    if (script_.is_approval_refused) {
      soon(wizard::ApprovalFailed{"write the receipt: No space left on device", false});
    } else {
      soon(wizard::ApprovalDone{1});
    }
  }
  void on(const wizard::StopWork&) { coming_.clear(); }

  Script script_;
  wizard::Machine machine_;
  Fd timer_;
  std::deque<wizard::Event> coming_ = {};
  std::optional<wizard::EditRequest> edit_ = {};
  std::size_t failed_ = 0;
};

}  // namespace airlock::tui
