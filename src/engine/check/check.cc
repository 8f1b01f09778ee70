// Several threads take files in order, each with a vetter of its own. The thread that has the next
// file in line hands it on, together with those after it that are ready. No thread runs ahead
// further than a window, so that one slow file does not pile up the others in memory.
#include "engine/check/check.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "base/sha256.h"
#include "engine/load/vet_source.h"
#include "model/rule.h"
#include "os/files.h"
#include "os/python_walk.h"
#include "run/vetter_client.h"

namespace airlock {

namespace {

// Parsing takes microseconds for each line; a file that is not done by then never will be.
constexpr auto kVetTimeout = std::chrono::seconds(10);
// A second vetter costs about 10 ms to start: worth it from about this many files on.
constexpr std::size_t kFilesPerVetter = 24;
// The vetter refuses longer inputs anyway; more than this is not even read.
constexpr std::size_t kRawPerSource = 4;
// Files that were judged and wait for one before them.
constexpr std::size_t kWindow = 64;

struct FileTask {
  std::string name;
  bool is_standard_input = false;
  std::optional<os::FoundFile> found;  // in a folder

  Result<os::FileBytes> read(std::size_t limit) const {
    if (is_standard_input) return os::read_standard_input(limit);
    return found ? found->read(limit) : os::read_file(name, limit);
  }
};

// The inputs one file at a time.
class FileTasks {
 public:
  FileTasks(const std::vector<std::string>& inputs, const CheckListener& listener)
      : inputs_(inputs), listener_(listener) {}

  std::optional<FileTask> next() {
    while (true) {
      if (walk_) {
        if (auto found = next_in_folder()) return found;
        walk_.reset();
      }
      if (at_ == inputs_.size()) return std::nullopt;
      if (auto task = open(inputs_[at_++])) return task;
    }
  }

 private:
  // Nothing for a folder, which is walked from here on, and for what cannot be read.
  std::optional<FileTask> open(const std::string& input) {
    if (input == "-") return FileTask{"<stdin>", true, {}};
    const auto kind = os::kind_of_path(input);
    if (!kind) {
      listener_.on_unreadable(kind.error());
    } else if (*kind != os::PathKind::kFolder) {
      return FileTask{input, false, {}};
    } else if (auto walk = os::PythonWalk::start(input)) {
      walk_.emplace(std::move(*walk));
      found_ = 0;
    } else {
      listener_.on_unreadable(walk.error());
    }
    return std::nullopt;
  }

  std::optional<FileTask> next_in_folder() {
    os::PythonWalk::Passed passed;
    auto file = walk_->next(passed);
    for (const Error& error : passed.unreadable) listener_.on_unreadable(error);
    for (const std::string& skipped : passed.skipped) listener_.on_skipped(skipped);
    if (!file) {
      if (found_ == 0)
        listener_.on_unreadable(
            {"check " + inputs_[at_ - 1] + ": there is no *.py file in this folder"});
      return std::nullopt;
    }
    ++found_;
    return FileTask{file->name(), false, std::move(file)};
  }

  const std::vector<std::string>& inputs_;
  const CheckListener& listener_;
  std::size_t at_ = 0;
  std::optional<os::PythonWalk> walk_;
  std::size_t found_ = 0;  // in the folder that is walked
};

// A verdict of our own, for what no vetter gets to see.
Verdict refuse(RuleCode code, std::string item, std::string message, std::string suggestion) {
  const Rule& row = rule(code);
  Verdict verdict;
  verdict.findings.push_back({&row, row.severity, Place{1, 0, 1, 0}, std::move(item),
                              std::move(message), std::move(suggestion)});
  return verdict;
}

// One vetter and its replacements, used by one thread.
class VetterWorker {
 public:
  explicit VetterWorker(const CheckRequest& request) : request_(request) {}

  // An Error when no vetter can be had.
  Result<Verdict> vet(std::string_view raw, TextKind kind) {
    if (!client_) {
      auto started = run::VetterClient::start(request_.host_program, request_.policy);
      // It may have been killed while it started. One retry; a second failure is this host's.
      if (!started) started = run::VetterClient::start(request_.host_program, request_.policy);
      client_ = TRY(std::move(started));
    }
    auto verdict = client_->vet(raw, request_.stages, kind, kVetTimeout);
    if (verdict) return require_same_text(raw, kind, std::move(*verdict));
    client_.reset();
    return refuse_unfinished(verdict.error().why);
  }

 private:
  const CheckRequest& request_;
  std::optional<run::VetterClient> client_;
};

// An answer of a model may have text around its code, so it may be longer than the code alone.
std::size_t most_raw_bytes(const Policy& policy) {
  return std::size_t{policy.limits.source_bytes} * kRawPerSource;
}

CheckedFile refuse_too_large(std::string name, const os::FileBytes& bytes, const Policy& policy) {
  const std::size_t limit = most_raw_bytes(policy);
  CheckedFile file;
  file.file = std::move(name);
  file.verdict =
      refuse(RuleCode::kTooLarge, "input",
             "The input has " +
                 (bytes.size > limit + 1 ? std::to_string(bytes.size)
                                         : "more than " + std::to_string(limit)) +
                 " bytes; the limit is " + std::to_string(limit) + " for an answer and " +
                 std::to_string(policy.limits.source_bytes) + " for the code in it",
             "Send only the code; the limit is 'source_bytes' in the policy.");
  file.sha256 = sha256_hex(bytes.bytes);
  return file;
}

CheckedFile with_verdict(std::string name, std::string raw, Verdict verdict) {
  CheckedFile file;
  file.file = std::move(name);
  file.verdict = std::move(verdict);
  file.sha256 = sha256_hex(file.verdict.code.empty() ? raw : file.verdict.code);
  file.raw = std::move(raw);
  return file;
}

// What becomes of a task: a file, or that it could not be read.
using Checked = std::expected<CheckedFile, Error>;

Result<Checked> check_one(const FileTask& task, const CheckRequest& request, VetterWorker& worker) {
  const std::size_t limit = most_raw_bytes(request.policy);
  auto bytes = task.read(limit);
  if (!bytes) return Checked(std::unexpected(std::move(bytes).error()));
  if (bytes->size > limit) return Checked(refuse_too_large(task.name, *bytes, request.policy));
  const TextKind kind = request.take_as == TakeAs::kAnswers || task.is_standard_input
                            ? TextKind::kAnswer
                            : text_kind_of(task.name);
  auto verdict = TRY(worker.vet(bytes->bytes, kind));
  return Checked(with_verdict(task.name, std::move(bytes->bytes), std::move(verdict)));
}

// What the threads share.
class FileQueue {
 public:
  FileQueue(const CheckRequest& request, const CheckListener& listener)
      : request_(request), listener_(listener), tasks_(request.inputs, listener) {}

  // Takes tasks until there is none; `start_threads` is called, unlocked, when another thread is
  // worth its vetter. Throws nothing.
  template <typename StartThreads>
  void work(const StartThreads& start_threads) noexcept {
    try {
      VetterWorker worker(request_);
      while (const auto task = take()) {
        if (task->second >= kFilesPerVetter) start_threads(task->second / kFilesPerVetter);
        put(task->second, check_one(task->first, request_, worker));
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
      end();
    }
  }

  Result<void> result() {
    if (thrown_) std::rethrow_exception(thrown_);
    if (trouble_) return std::unexpected(std::move(*trouble_));
    return {};
  }

 private:
  using Numbered = std::pair<FileTask, std::size_t>;

  std::optional<Numbered> take() {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [&] { return is_over_ || taken_ < delivered_ + kWindow; });
    if (is_over_) return std::nullopt;
    auto task = tasks_.next();
    if (!task) return std::nullopt;
    return Numbered{std::move(*task), taken_++};
  }

  void put(std::size_t number, Result<Checked> checked) {
    const std::scoped_lock lock(mutex_);
    if (is_over_) return;
    if (!checked) {
      trouble_ = std::move(checked).error();
      return end();
    }
    ready_.emplace(number, std::move(*checked));
    while (!ready_.empty() && ready_.begin()->first == delivered_ && !is_over_) {
      deliver(ready_.begin()->second);
      ready_.erase(ready_.begin());
      ++delivered_;
    }
    has_room_.notify_all();
  }

  // An exception of the listener ends everything at once: no later file is delivered.
  void deliver(const Checked& checked) {
    try {
      if (!checked) {
        listener_.on_unreadable(checked.error());
      } else if (!listener_.on_file(*checked)) {
        end();
      }
    } catch (...) {
      thrown_ = std::current_exception();
      end();
    }
  }

  void end() {
    is_over_ = true;
    has_room_.notify_all();
  }

  const CheckRequest& request_;
  const CheckListener& listener_;
  std::mutex mutex_;  // guards all below, and the listener
  std::condition_variable has_room_;
  FileTasks tasks_;
  std::size_t taken_ = 0;
  std::size_t delivered_ = 0;
  std::map<std::size_t, Checked> ready_;
  bool is_over_ = false;
  std::optional<Error> trouble_;
  std::exception_ptr thrown_;
};

}  // namespace

Result<void> check(const CheckRequest& request, const CheckListener& listener) {
  FileQueue queue(request, listener);
  {
    std::size_t most = std::max(1U, std::thread::hardware_concurrency()) - 1;
    std::vector<std::jthread> threads;
    threads.reserve(most);
    queue.work([&](std::size_t worth) {
      while (threads.size() < std::min(worth, most)) {
        try {
          threads.emplace_back([&queue] { queue.work([](std::size_t) {}); });
        } catch (const std::system_error&) {
          most = threads.size();  // no more threads for us: these do it too
        }
      }
    });
  }
  return queue.result();
}

Result<CheckedFile> check_text(TextToCheck text, const Policy& policy, Stages stages,
                               Supply& supply) {
  if (text.raw.size() > most_raw_bytes(policy)) {
    const std::size_t size = text.raw.size();
    text.raw.resize(most_raw_bytes(policy));
    return refuse_too_large(std::move(text.name), {std::move(text.raw), size}, policy);
  }
  auto verdict = TRY(supply.vet(policy, text.raw, stages, text.kind));
  return with_verdict(std::move(text.name), std::move(text.raw), std::move(verdict));
}

}  // namespace airlock
