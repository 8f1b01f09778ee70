// Two threads, two queues, each with its own lock: the coordinator posts jobs, the worker puts
// answers into the mailbox. No lock is held while a job runs, and never both at once, so a probe
// that hangs keeps nobody waiting but its own worker. A job may have no answer (the release of a
// chamber); every question has one.
#include "probe/probe_worker.h"

#include <chrono>
#include <utility>

#include "engine/doctor/installation.h"

namespace airlock::probe {

namespace {

// The cell's answer as the worker's reply; `question` continues "timed out while".
template <typename Reply, typename T>
Reply reply_from(ProbeAnswer<T> answer, std::string_view question) {
  if (answer) return std::move(*answer);
  NoAnswer why = std::move(answer).error();
  // The error says that the time was up; this adds during which question.
  if (why.has_timed_out) why.errors[0] += " while " + std::string(question);
  return why;
}

}  // namespace

// Running out of memory or threads is often a limit of this process, which the user can raise.
std::string words_of_exception(const std::exception& why) {
  const auto low = limits_trouble(why.what());
  return std::string("airlock could not go on: ") + why.what() + (low ? ". " + *low : "");
}

void Mailbox::put(WorkerAnswer answer) {
  const std::lock_guard lock(mutex_);
  answers_.push_back(std::move(answer));
  has_come_.notify_one();
}

WorkerAnswer Mailbox::take() {
  std::unique_lock lock(mutex_);
  has_come_.wait(lock, [&] { return !answers_.empty(); });
  WorkerAnswer answer = std::move(answers_.front());
  answers_.pop_front();
  return answer;
}

ProbeWorker::ProbeWorker(std::size_t number, ProbeCellPlan plan, std::string source, ProbeTask task,
                         const ScrubOptions& scrub, Mailbox& mailbox)
    : number_(number),
      plan_(std::move(plan)),
      source_(std::move(source)),
      task_(std::move(task)),
      scrub_(scrub),
      mailbox_(mailbox),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

ProbeWorker::~ProbeWorker() = default;

void ProbeWorker::post(Job job) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(job));
  has_job_.notify_one();
}

void ProbeWorker::close() {
  thread_.request_stop();
}

// An exception is our bug or no memory: it must not end the others.
std::optional<ProbeWorker::Reply> ProbeWorker::do_job(const Job& job) {
  try {
    return job();
  } catch (const std::exception& bug) {
    return NoAnswer{.errors = {words_of_exception(bug)}, .printed = {}};
  }
}

// Ends after close(). The chamber must be destroyed on this thread, which started it.
void ProbeWorker::work(const std::stop_token& stop) {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      if (!has_job_.wait(lock, stop, [&] { return !jobs_.empty(); })) break;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    if (auto said = do_job(job)) mailbox_.put({.worker = number_, .said = std::move(*said)});
  }
  cell_.reset();
}

ProbeAnswer<void> ProbeWorker::ensure_cell() {
  if (cell_) return {};
  auto started = TRY(ProbeCell::start(plan_, source_));
  cell_ = std::move(started);
  return {};
}

ProbeWorker::Reply ProbeWorker::describe() {
  if (auto ready = ensure_cell(); !ready) return std::move(ready).error();
  return reply_from<Reply>(cell_->describe(task_), "it was asked what it is");
}

ProbeWorker::Reply ProbeWorker::applies(const Snapshot& snapshot, std::uint32_t timeout_ms) {
  if (auto ready = ensure_cell(); !ready) return std::move(ready).error();
  cell_->cap_questions(timeout_ms);
  return reply_from<Reply>(cell_->applies(snapshot, task_), "it was asked whether it applies");
}

ProbeWorker::Reply ProbeWorker::run(const Snapshot& snapshot, std::uint32_t timeout_ms) {
  if (auto ready = ensure_cell(); !ready) return std::move(ready).error();
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  const auto document = cell_->run(snapshot, task_, timeout_ms);
  if (!document) return document.error();
  auto passed = InnerDoor(scrub_).pass(*document, cell_->output_folder(), end);
  if (!passed) return NoAnswer{std::move(passed).error(), cell_->printed()};
  return std::move(*passed);
}

void ProbeWorker::ask_description() {
  post([this] { return describe(); });
}

void ProbeWorker::ask_applies(const Snapshot& snapshot, std::uint32_t timeout_ms) {
  post([this, snapshot, timeout_ms] { return applies(snapshot, timeout_ms); });
}

void ProbeWorker::ask_run(const Snapshot& snapshot, std::uint32_t timeout_ms) {
  post([this, snapshot, timeout_ms] { return run(snapshot, timeout_ms); });
}

void ProbeWorker::release_chamber() {
  post([this]() -> std::optional<Reply> {
    cell_.reset();
    return std::nullopt;
  });
}

}  // namespace airlock::probe
