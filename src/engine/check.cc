#include "engine/check.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

#include "base/sha256.h"
#include "engine/vet_source.h"
#include "model/rule.h"
#include "os/files.h"
#include "run/vetter_client.h"

namespace airlock {

namespace {

// Parsing takes microseconds for each line; a file that is not done by then never will be.
constexpr auto kPatience = std::chrono::seconds(10);
// A second vetter costs about 10 ms to start: worth it from about this many files on.
constexpr std::size_t kFilesPerVetter = 24;
// The vetter refuses longer inputs anyway; more than this is not even read.
constexpr std::size_t kRawPerSource = 4;

struct Task {
  std::string name;
  bool is_standard_input = false;
};

std::vector<Task> list_tasks(const std::vector<std::string>& inputs,
                             std::vector<Error>& unreadable) {
  std::vector<Task> tasks;
  for (const std::string& input : inputs) {
    if (input == "-") {
      tasks.push_back({"<stdin>", true});
      continue;
    }
    const auto kind = os::kind_of_path(input);
    if (!kind) {
      unreadable.push_back(kind.error());
    } else if (*kind == os::PathKind::kFolder) {
      auto files = os::python_files_below(input, unreadable);
      if (files.empty())
        unreadable.push_back({"check " + input + ": there is no *.py file in this folder"});
      for (std::string& file : files) tasks.push_back({std::move(file)});
    } else {
      tasks.push_back({input});
    }
  }
  return tasks;
}

Verdict refuse(RuleCode code, std::string item, std::string message, std::string suggestion) {
  const Rule& row = rule(code);
  Verdict verdict;
  verdict.findings.push_back({&row, row.severity, Place{1, 0, 1, 0}, std::move(item),
                              std::move(message), std::move(suggestion)});
  return verdict;
}

// One vetter and its replacements, used by one thread.
class Worker {
 public:
  explicit Worker(const CheckRequest& request) : request_(request) {}

  // An Error when no vetter can be had.
  Result<Verdict> vet(std::string_view raw) {
    if (!client_) {
      auto started = run::VetterClient::start(request_.host_program, request_.policy);
      // Someone may have killed it while it started; once is bad luck, twice is this host.
      if (!started) started = run::VetterClient::start(request_.host_program, request_.policy);
      if (!started) return std::unexpected(std::move(started).error());
      client_.emplace(std::move(*started));
    }
    auto verdict = client_->vet(raw, request_.stages, kPatience);
    if (verdict) return std::move(*verdict);
    client_.reset();
    return refuse_unfinished(verdict.error().why);
  }

 private:
  const CheckRequest& request_;
  std::optional<run::VetterClient> client_;
};

// What the threads share. Each file's result goes to its own place, so their order is that of the
// tasks.
struct Shared {
  const CheckRequest& request;
  const std::vector<Task>& tasks;
  std::vector<std::optional<CheckedFile>> files;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // guards the two below
  std::vector<Error> unreadable;
  std::optional<Error> trouble;
};

Result<CheckedFile> check_one(const Task& task, const CheckRequest& request, Worker& worker,
                              std::vector<Error>& unreadable) {
  const std::size_t limit = std::size_t{request.policy.limits.source_bytes} * kRawPerSource;
  auto bytes =
      task.is_standard_input ? os::read_standard_input(limit) : os::read_file(task.name, limit);
  CheckedFile file;
  file.file = task.name;
  if (!bytes) {
    unreadable.push_back(bytes.error());
    return file;
  }
  if (bytes->size > limit) {
    file.verdict =
        refuse(RuleCode::kTooLarge, "input",
               "The input has " +
                   (bytes->size > limit + 1 ? std::to_string(bytes->size)
                                            : "more than " + std::to_string(limit)) +
                   " bytes; the limit is " + std::to_string(limit) + " for an answer and " +
                   std::to_string(request.policy.limits.source_bytes) + " for the code in it",
               "Send only the code; the limit is 'source_bytes' in the policy.");
    file.sha256 = sha256_hex(bytes->bytes);
    return file;
  }
  auto verdict = worker.vet(bytes->bytes);
  if (!verdict) return std::unexpected(std::move(verdict).error());
  file.verdict = std::move(*verdict);
  file.sha256 = sha256_hex(file.verdict.code.empty() ? bytes->bytes : file.verdict.code);
  file.raw = std::move(bytes->bytes);
  return file;
}

void work(Shared& shared) {
  Worker worker(shared.request);
  while (true) {
    const std::size_t index = shared.next.fetch_add(1);
    if (index >= shared.tasks.size()) return;
    std::vector<Error> unreadable;
    auto file = check_one(shared.tasks[index], shared.request, worker, unreadable);
    if (!unreadable.empty() || !file) {
      const std::scoped_lock lock(shared.mutex);
      if (!file) {
        if (!shared.trouble) shared.trouble = file.error();
        return;
      }
      std::ranges::move(unreadable, std::back_inserter(shared.unreadable));
      continue;
    }
    shared.files[index] = std::move(*file);
  }
}

}  // namespace

Result<CheckOutcome> check(const CheckRequest& request) {
  CheckOutcome outcome;
  outcome.report.policy = request.policy.name;
  const std::vector<Task> tasks = list_tasks(request.inputs, outcome.unreadable);
  Shared shared{.request = request,
                .tasks = tasks,
                .files = {},
                .mutex = {},
                .unreadable = {},
                .trouble = {}};
  shared.files.resize(tasks.size());
  const std::size_t useful = tasks.size() / kFilesPerVetter + 1;
  const std::size_t count =
      std::min<std::size_t>(useful, std::max(1U, std::thread::hardware_concurrency()));
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back([&shared] { work(shared); });
    work(shared);
  }
  if (shared.trouble) return std::unexpected(std::move(*shared.trouble));
  for (auto& file : shared.files) {
    if (file) outcome.report.files.push_back(std::move(*file));
  }
  std::ranges::move(shared.unreadable, std::back_inserter(outcome.unreadable));
  return outcome;
}

}  // namespace airlock
