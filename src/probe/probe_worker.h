// One probe on a thread of its own. It is asked one thing at a time and puts each answer into the
// mailbox that all workers share; the chamber lives and dies with the thread.
//
// All members may be called from the coordinator's thread only; what runs on the worker's own
// thread is private. An exception there becomes a NoAnswer: it never ends the program.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "probe/inner_door.h"
#include "probe/probe_cell.h"

namespace airlock::probe {

// Which of the four it is depends on the question; NoAnswer may come to any.
struct WorkerAnswer {
  std::size_t worker = 0;
  std::variant<ProbeInfo, Applies, PassedOutput, NoAnswer> said;
};

// Answers of all workers, in the order in which they came.
class Mailbox {
 public:
  void put(WorkerAnswer answer);
  WorkerAnswer take();  // waits

 private:
  std::mutex mutex_;
  std::condition_variable has_come_;
  std::deque<WorkerAnswer> answers_;
};

// An exception in words, with the limit of this process (ulimit) that may have caused it.
std::string words_of_exception(const std::exception& why);

// Owns its thread; the cell belongs to that thread alone.
class ProbeWorker {
 public:
  // `mailbox` must outlive it. Nothing happens before the first question.
  ProbeWorker(std::size_t number, ProbeCellPlan plan, std::string source, ProbeTask task,
              const ScrubOptions& scrub, Mailbox& mailbox);
  ~ProbeWorker();  // waits for an answer that is due
  ProbeWorker(const ProbeWorker&) = delete;
  ProbeWorker& operator=(const ProbeWorker&) = delete;

  // Each is answered exactly once. The first one also judges and loads the probe.
  void ask_description();
  void ask_applies(const Snapshot& snapshot, std::uint32_t timeout_ms);
  void ask_run(const Snapshot& snapshot, std::uint32_t timeout_ms);
  // Gives the chamber up, without an answer; the next question makes another.
  void release_chamber();
  // No more questions: the chamber can go.
  void close();

 private:
  using Reply = std::variant<ProbeInfo, Applies, PassedOutput, NoAnswer>;
  using Job = std::function<std::optional<Reply>()>;

  void post(Job job);
  void work(const std::stop_token& stop);
  static std::optional<Reply> do_job(const Job& job);
  ProbeAnswer<void> ensure_cell();
  Reply describe();
  Reply applies(const Snapshot& snapshot, std::uint32_t timeout_ms);
  Reply run(const Snapshot& snapshot, std::uint32_t timeout_ms);

  std::size_t number_;
  ProbeCellPlan plan_;
  std::string source_;
  ProbeTask task_;
  ScrubOptions scrub_;
  Mailbox& mailbox_;
  std::unique_ptr<ProbeCell> cell_;  // made and used on the thread

  std::mutex mutex_;
  std::condition_variable_any has_job_;
  std::deque<Job> jobs_;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace airlock::probe
