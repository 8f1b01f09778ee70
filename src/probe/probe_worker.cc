#include "probe/probe_worker.h"

#include <chrono>
#include <exception>
#include <utility>

namespace airlock::probe {

namespace {

// What a step of the cell gave, as what the worker says.
template <typename Said, typename T>
Said told(Answer<T> answer) {
  if (!answer) return std::move(answer).error();
  return std::move(*answer);
}

}  // namespace

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

ProbeWorker::ProbeWorker(std::size_t number, CellPlan plan, std::string source, TaskOf task,
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
  job_ = std::move(job);
  has_job_.notify_one();
}

void ProbeWorker::dismiss() {
  thread_.request_stop();
}

// An exception is our bug or no memory: it must not end the others.
ProbeWorker::Said ProbeWorker::do_job(const Job& job) {
  try {
    return job();
  } catch (const std::exception& bug) {
    return NoAnswer{.errors = {std::string("airlock could not go on: ") + bug.what()},
                    .printed = {}};
  }
}

// Ends when it is dismissed, and takes the chamber along: it was started on this thread.
void ProbeWorker::work(const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  for (;;) {
    std::optional<Job> job;
    {
      std::unique_lock lock(mutex_);
      if (!has_job_.wait(lock, stop, [&] { return job_.has_value(); })) break;
      job = std::exchange(job_, std::nullopt);
    }
    const auto start = Clock::now();
    WorkerAnswer answer{.worker = number_, .said = do_job(*job)};
    answer.milliseconds =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
    mailbox_.put(std::move(answer));
  }
  cell_.reset();
}

ProbeWorker::Said ProbeWorker::describe() {
  auto started = ProbeCell::start(plan_, source_);
  if (!started) return std::move(started).error();
  cell_ = std::move(*started);
  return told<Said>(cell_->describe(task_));
}

ProbeWorker::Said ProbeWorker::run(const Snapshot& snapshot, std::uint32_t timeout_ms) {
  const auto document = cell_->run(snapshot, task_, timeout_ms);
  if (!document) return document.error();
  auto passed = InnerDoor(scrub_).pass(*document, cell_->output_folder());
  if (!passed) return NoAnswer{std::move(passed).error(), cell_->printed()};
  return RunSaid{std::move(*passed), cell_->printed()};
}

void ProbeWorker::ask_description() {
  post([this] { return describe(); });
}

void ProbeWorker::ask_applies(const Snapshot& snapshot) {
  post([this, snapshot] { return told<Said>(cell_->applies(snapshot, task_)); });
}

void ProbeWorker::ask_run(const Snapshot& snapshot, std::uint32_t timeout_ms) {
  post([this, snapshot, timeout_ms] { return run(snapshot, timeout_ms); });
}

}  // namespace airlock::probe
