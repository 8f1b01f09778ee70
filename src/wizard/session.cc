// How an effect goes: the machine asks for it on the owner's thread (start), the worker takes it as
// a task with a copy of the state (work), EffectRunner does it and posts events, the owner is woken
// through an eventfd and hands them to the machine (take_events). Progress is thrown away when
// nobody has looked.
#include "wizard/session.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "base/fd.h"
#include "engine/approve/drafts.h"
#include "wizard/analysis.h"
#include "wizard/judge_attempt.h"
#include "wizard/prompts.h"

namespace airlock::wizard {

namespace {

// What an effect needs to know, taken when it is asked for: the state goes on changing.
struct EffectTask {
  std::size_t number = 0;
  Effect effect;
  WizardState state;
};

// "Attempt 1, by a model, was refused: line 3: …".
std::string attempt_sentence(const GenerationAttempt& attempt) {
  std::string text =
      "Attempt " + std::to_string(attempt.number) + ", by " + to_string(attempt.author) + ", ";
  if (attempt.valid) return text + "passed.";
  return text + "was refused in the " + std::string(to_string(attempt.stage)) +
         " stage: " + attempt.error;
}

// What was sent counts where a model wrote the text, or was asked on the way to it.
Authorship authorship_of(const WizardState& state) {
  Authorship written{.author = to_string(state.author)};
  bool was_asked = state.author == Author::kModel;
  for (const GenerationAttempt& attempt : state.attempts) {
    was_asked = was_asked || attempt.author == Author::kModel;
    written.attempts.push_back(attempt_sentence(attempt));
  }
  if (was_asked) {
    written.model = state.model;
    written.prompt = state.outgoing;
  }
  return written;
}

// Does effects, one after the other, on the session's thread.
class EffectRunner {
 public:
  using Post = std::function<void(Event)>;

  explicit EffectRunner(const SessionRequest& request) : request_(request) {}

  void work(const EffectTask& task, const std::stop_token& stop, const Post& post) {
    std::visit([&](const auto& effect) { on(effect, task.state, stop, post); }, task.effect);
  }

 private:
  void on(const Analyze&, const WizardState& state, const std::stop_token&, const Post& post) {
    auto analysis = analyze(
        {.samples = state.samples, .hint = state.hint, .name = {}, .patterns = state.patterns},
        request_.policy);
    if (!analysis)
      return post(AnalysisFailed{analysis.error().message,
                                 "Give three or more paths that have something in common."});
    analysis_ = std::move(*analysis);
    post(analysis_.event);
  }

  void on(const WriteProgram& question, const WizardState&, const std::stop_token& stop,
          const Post& post) {
    if (question.author == Author::kModel) return ask_model(question, stop, post);
    const bool wants_computed = analysis_.event.choice == OutputKind::kPython;
    auto text = assemble_program(analysis_, wants_computed);
    if (!text)
      return post(
          ProgramNotWritten{text.error().message,
                            request_.model == nullptr
                                ? "Write the program yourself, take the rule without it, or set up "
                                  "a model (airlock ai status)."
                                : "Write the program yourself, or take the rule without it."});
    post(ProgramWritten{std::move(*text), Author::kTemplates});
  }

  // One event a second while waiting, so that the screen can count down.
  void ask_model(const WriteProgram& question, const std::stop_token& stop, const Post& post) {
    for (auto left = question.wait; left.count() > 0; --left) {
      WizardProgress waiting;
      waiting.is_asking = true;
      waiting.note = "asking again in " + std::to_string(left.count()) + " s";
      post(Progressed{waiting});
      if (!wait_unless_stopped(std::chrono::seconds(1), stop)) return;
    }
    if (stop.stop_requested() || request_.model == nullptr) return;
    llm::Prompt prompt = analysis_.prompt;
    prompt.user += question.retry;
    prompt.retry = question.retry;
    WizardProgress progress;
    progress.is_asking = true;
    const llm::AskControl control{.stop = stop, .on_progress = [&](std::size_t characters) {
                                    progress.characters = characters;
                                    post(Progressed{progress});
                                  }};
    post(Progressed{progress});
    auto answer = request_.model->ask(prompt, control);
    if (!answer) return post(ModelFailed{std::move(answer).error()});
    post(ProgramWritten{std::move(answer->text), Author::kModel,
                        answer->usage.prompt_tokens + answer->usage.answer_tokens});
  }

  // False: it was stopped meanwhile.
  static bool wait_unless_stopped(std::chrono::seconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any signal;
    std::unique_lock lock(mutex);
    signal.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
  }

  void on(const JudgeText& effect, const WizardState& state, const std::stop_token& stop,
          const Post& post) {
    auto judged =
        judge_text({.kind = effect.kind,
                    .text = effect.text,
                    .samples = state.samples,
                    .policy = request_.policy,
                    .host_program = request_.host_program,
                    .author = effect.author,
                    .set_aside = state.set_aside,
                    .sent = effect.author == Author::kModel ? sent_paths(state.samples)
                                                            : std::vector<std::string>(),
                    .on_progress = [&](const WizardProgress& now) { post(Progressed{now}); },
                    .stop = stop});
    if (!judged)
      return post(
          JudgeFailed{judged.error().message, judged.error().kind == ErrorKind::kIsolation});
    post(std::move(*judged));
  }

  void on(const KeepDraft&, const WizardState& state, const std::stop_token&, const Post& post) {
    Draft draft;
    draft.kind = state.output;
    draft.name = state.name;
    draft.text = state.text;
    draft.samples = tried_samples(state.output, state.samples, state.set_aside);
    draft.hint = state.hint;
    draft.written = authorship_of(state);
    if (state.output == OutputKind::kPython) draft.policy = request_.policy_name;
    auto kept = keep_draft(request_.user_dirs, std::move(draft));
    if (!kept) return post(DraftNotKept{kept.error().message});
    // One draft for one wizard: each new one takes the place of the one before, else a few tries
    // would push out what others wait for.
    if (!last_draft_.empty()) [[maybe_unused]]
      const auto deleted = delete_drafts(request_.user_dirs, {last_draft_});
    last_draft_ = kept->id;
    post(DraftKept{kept->id});
  }

  void on(const Approve&, const WizardState& state, const std::stop_token&, const Post& post) {
    const auto drafts = list_drafts(request_.user_dirs);
    if (!drafts) return post(ApprovalFailed{drafts.error().message, false});
    if (std::ranges::find(*drafts, state.draft, &Draft::id) == drafts->end())
      return post(ApprovalFailed{
          "The draft " + state.draft + " is gone: it expired after 24 hours, or was deleted.",
          true});
    auto approved = approve_draft(
        request_.user_dirs,
        {.draft = state.draft, .approval = {state.name}, .host_program = request_.host_program});
    if (!approved) return post(ApprovalFailed{approved.error().message, false});
    post(ApprovalDone{approved->version});
  }

  // Never reach the worker: the session handles both on the owner's thread (start).
  void on(const OpenEditor&, const WizardState&, const std::stop_token&, const Post&) {}
  void on(const StopWork&, const WizardState&, const std::stop_token&, const Post&) {}

  const SessionRequest& request_;
  // The last one: programs are written from it, and prompts continue it. Touched by the worker
  // alone.
  Analysis analysis_;
  std::string last_draft_;
};

// The event that says that this piece of work was not done: each has one, so that no state waits
// for something that will not come.
Event failure_of(const Effect& effect, const std::string& what) {
  const std::string message = "It ended with an error of our own: " + what;
  if (std::holds_alternative<Analyze>(effect)) return AnalysisFailed{message, ""};
  if (const auto* question = std::get_if<WriteProgram>(&effect)) {
    if (question->author != Author::kModel) return ProgramNotWritten{message, ""};
    llm::ModelFailure failure;
    failure.trouble = llm::Trouble::kBadSettings;
    failure.message = message;
    return ModelFailed{std::move(failure)};
  }
  if (std::holds_alternative<KeepDraft>(effect)) return DraftNotKept{message};
  if (std::holds_alternative<Approve>(effect)) return ApprovalFailed{message, false};
  return JudgeFailed{message, false};
}

// Two threads: the owner's, which alone touches machine_ and edit_request_, and worker_. They share
// what stands below mutex_, the wake-up descriptor and is_out_of_memory_.
class RealSession : public Session {
 public:
  RealSession(SessionRequest request, Fd wake)
      : request_(std::move(request)),
        machine_(request_.samples, request_.hint, request_.name, request_.settings),
        wake_(std::move(wake)),
        worker_([this](const std::stop_token& end) { work(end); }) {
    start(machine_.begin());
  }

  RealSession(const RealSession&) = delete;
  RealSession& operator=(const RealSession&) = delete;
  ~RealSession() override {
    // First no new task, then the end of the current one; the destructor of worker_ joins it.
    worker_.request_stop();
    stop_work();
  }

  const WizardState& state() const override { return machine_.state(); }

  void handle(const Event& event) override { start(machine_.handle(event)); }

  bool take_events() override {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t read = ::read(wake_.get(), &count, sizeof(count));
    // An event that has no meaning in the current phase is ignored, so both can be given.
    bool has_changed = is_out_of_memory_.exchange(false);
    if (has_changed) {  // whichever of the two the state waits for
      handle(JudgeFailed{"There is no memory left.", false});
      handle(ApprovalFailed{"There is no memory left.", false});
    }
    while (true) {
      std::optional<Event> event = next_event();
      if (!event) return has_changed;
      has_changed = true;
      handle(*event);
    }
  }

  int wake_descriptor() const override { return wake_.get(); }

  std::optional<EditRequest> take_edit_request() override {
    return std::exchange(edit_request_, std::nullopt);
  }

  void wait_until_idle() override {
    take_events();
    while (waits_for_event()) take_events();
  }

 private:
  // True when there is one; false: nothing is at work, and none will come.
  bool waits_for_event() {
    std::unique_lock lock(mutex_);
    signal_.wait(lock, [this] { return !events_.empty() || (tasks_.empty() && !is_working_); });
    return !events_.empty();
  }

  void start(const std::vector<Effect>& effects) {
    for (const Effect& effect : effects) {
      if (std::holds_alternative<StopWork>(effect)) {
        stop_work();
      } else if (const auto* edit = std::get_if<OpenEditor>(&effect)) {
        edit_request_ = EditRequest{edit->kind, edit->text};
      } else {
        add_task(effect);
      }
    }
  }

  void add_task(const Effect& effect) {
    {
      const std::scoped_lock lock(mutex_);
      // A copy of the state: the machine goes on while the task waits or runs.
      tasks_.push_back({++last_number_, effect, machine_.state()});
    }
    signal_.notify_all();
  }

  // What is at work ends as soon as it can; what it still says is not heard.
  void stop_work() {
    {
      const std::scoped_lock lock(mutex_);
      first_wanted_ = last_number_ + 1;
      tasks_.clear();
      events_.clear();
      current_stop_.request_stop();
    }
    signal_.notify_all();
  }

  std::optional<Event> next_event() {
    const std::scoped_lock lock(mutex_);
    if (events_.empty()) return {};
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

  void post(std::size_t number, Event event) {
    {
      const std::scoped_lock lock(mutex_);
      if (number < first_wanted_) return;
      // Of a row of progress only the last one matters.
      const bool is_progress = std::holds_alternative<Progressed>(event);
      if (is_progress && !events_.empty() && std::holds_alternative<Progressed>(events_.back())) {
        events_.back() = std::move(event);
      } else {
        events_.push_back(std::move(event));
      }
    }
    wake();
    signal_.notify_all();
  }

  void wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof(one));
  }

  // What a library throws (no memory, mostly) ends this piece of work with a word, not the program.
  void work_safely(EffectRunner& runner, const EffectTask& task, const std::stop_token& stop) {
    try {
      runner.work(task, stop, [&](Event event) { post(task.number, std::move(event)); });
    } catch (const std::exception& error) {
      post_failure(task, error.what());
    } catch (...) {
      post_failure(task, "an exception without a name");
    }
  }

  void post_failure(const EffectTask& task, const char* what) {
    try {
      post(task.number, failure_of(task.effect, what));
    } catch (const std::bad_alloc&) {  // not even for a word: who shows the wizard says it
      is_out_of_memory_ = true;
      wake();
    }
  }

  // On the worker's thread.
  void work(const std::stop_token& end) {
    EffectRunner runner(request_);
    while (true) {
      EffectTask task;
      std::stop_token stop;
      {
        std::unique_lock lock(mutex_);
        if (!signal_.wait(lock, end, [this] { return !tasks_.empty(); })) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
        is_working_ = true;
        current_stop_ = std::stop_source();
        stop = current_stop_.get_token();
      }
      work_safely(runner, task, stop);
      {
        const std::scoped_lock lock(mutex_);
        is_working_ = false;
      }
      signal_.notify_all();
    }
  }

  const SessionRequest request_;
  Machine machine_;
  Fd wake_;
  std::optional<EditRequest> edit_request_;
  std::atomic<bool> is_out_of_memory_ = false;

  std::mutex mutex_;  // for everything below
  std::condition_variable_any signal_;
  std::deque<EffectTask> tasks_;
  std::deque<Event> events_;
  std::stop_source current_stop_;
  // Tasks are numbered from 1. Events of tasks before first_wanted_ are dropped: their work was
  // stopped, but may say something before it notices.
  std::size_t last_number_ = 0;
  std::size_t first_wanted_ = 0;
  bool is_working_ = false;

  std::jthread worker_;  // last: it uses all of the above
};

}  // namespace

Result<std::unique_ptr<Session>> Session::begin(SessionRequest request) {
  if (request.samples.empty()) return fail("there are no sample paths");
  Fd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.is_open()) return fail_errno("make an event descriptor");
  return std::make_unique<RealSession>(std::move(request), std::move(wake));
}

}  // namespace airlock::wizard
