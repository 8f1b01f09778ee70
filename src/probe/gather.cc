// (1) The store is used on the calling thread only; workers touch nothing but their own chamber.
// (2) As many probes as there are jobs are at work, and hold memory: one that was asked about
// itself gives its chamber up until it is its turn, and one whose description and output are kept
// never has one. (3) Whatever a probe does costs its own execution and no other's: also what throws
// on our side of it. (4) A probe's time (its own, and --timeout) holds for what is done here for
// it, too: matching and reading its declared inputs, reading its artifacts.
#include "probe/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/ascii.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "engine/check/root_names.h"
#include "probe/cache_key.h"
#include "probe/declared_inputs.h"
#include "probe/kernel_mounts.h"
#include "probe/probe_worker.h"
#include "probe/requirements.h"
#include "probe/survey.h"
#include "store/state_folder.h"

namespace airlock::probe {

namespace {

// What a probe's cached entries are keyed by. The same text read as a model's answer may be another
// program than read as a file, so the two must not share entries.
std::string keyed_text(const ProbeSource& source) {
  return text_kind_of(source.file) == TextKind::kProgram ? source.text
                                                         : source.text + "\n# as an answer";
}

using Json = nlohmann::ordered_json;
using Timer = std::chrono::steady_clock;

constexpr std::string_view kLanguages = "language_detection";
constexpr std::string_view kRepositoryFacts = "repository";
constexpr std::array<std::string_view, 2> kBuiltIn = {kLanguages, kRepositoryFacts};
constexpr std::size_t kLongestReason = 500;  // bytes, in the record
// For describe() and applies(): questions that take no work.
constexpr std::uint32_t kLongestQuestionMs = 30'000;
// For seeing whether inputs have changed while the probe ran.
constexpr std::chrono::seconds kLongestSecondLook{10};

std::int64_t since(Timer::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Timer::now() - start).count();
}

// A name for a probe that gave none: its file's name without the ending.
std::string name_of_file(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().native();
  for (char& c : name) {
    const bool is_kept = is_alnum(c) || c == '_' || c == '-';
    c = is_kept ? lower(c) : '_';
  }
  return name.empty() ? "probe" : name.substr(0, 64);
}

// `name`, with a number behind it if it is taken. The result counts as taken from now on.
std::string free_name(const std::string& name, std::set<std::string>& taken) {
  std::string free = name;
  for (int number = 2; !taken.insert(free).second; ++number)
    free = name + "-" + std::to_string(number);
  return free;
}

bool has_any(const std::vector<std::string>& wanted, std::string_view word) {
  return std::ranges::find(wanted, word) != wanted.end();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// What a built-in probe says, in the form in which others must say it: it passes the same door.
std::string own_document(const std::string& slice, const SurveyDoubts& doubts,
                         std::int64_t duration_ms) {
  return fmt::format(
      R"({{"schema_slice":{},"raw_artifacts":[],"confidence":"{}","duration_ms":{},"warnings":{},"errors":[]}})",
      slice, doubts.confidence, duration_ms, compact_json(Json(doubts.warnings)));
}

std::string seconds(std::uint32_t milliseconds) {
  return fmt::format("{:.1f}s", milliseconds / 1000.0);
}

// What we write ourselves (store, cache, report, log) is no part of the repository: otherwise every
// run would change its own inputs.
WalkOptions walk_options(const GatherRequest& request) {
  WalkOptions options;
  if (!request.probes.empty()) options.ignored = Ignored::kShow;
  options.longest = std::min<std::chrono::milliseconds>(
      kLongestWalk, std::chrono::milliseconds(request.longest_ms));
  const auto leave_out = [&](const std::string& path) {
    if (const auto identity = identity_of(path)) options.left_out.push_back(*identity);
  };
  for (const std::string& path : request.left_out) leave_out(path);
  leave_out(request.store.cache_folder);
  if (const auto state = store::state_folder(request.store.user_dirs)) leave_out(*state);
  return options;
}

// The coordinator of one run.
class Gathering {
 public:
  Gathering(const GatherRequest& request, std::string real_root, Fd root)
      : request_(request),
        real_root_(std::move(real_root)),
        root_(std::move(root)),
        scrub_(scrub_options()),
        door_(scrub_),
        store_(request.store, door_),
        walk_(walk_options(request)) {}

  Result<GatherReport> run();

 private:
  // A probe goes through these from left to right; it may be described or done without being at
  // work.
  enum class ProbeState { kNew, kDescribed, kAtWork, kDone };
  // Everything about one probe of the request. Its number in `entries_` is its worker's number.
  struct ProbeEntry {
    ProbeSource source;
    std::unique_ptr<ProbeWorker> worker;
    ProbeState state = ProbeState::kNew;
    ProbeInfo info;
    std::optional<NoAnswer> no_description;
    std::optional<std::string> key;
    Timer::time_point start;
    std::optional<Execution> execution;
  };

  ScrubOptions scrub_options() const;
  Result<void> survey_repository();
  Result<void> describe_all();
  ProbeWorker& start_worker(std::size_t number);
  bool use_cached_description(ProbeEntry& entry);
  void ask_for_description(std::size_t number);
  void keep_description(const ProbeEntry& entry);
  std::uint32_t time_of(const ProbeEntry& entry) const {
    return std::min(entry.info.timeout_ms, request_.longest_ms);
  }
  Result<void> take_description(WorkerAnswer answer);
  template <typename Step>
  void fail_on_exception(ProbeEntry& entry, Step step);
  void make_names_unique();
  void fail_unmet_requirements();
  void run_tier(ProbeTier tier);
  bool begin(ProbeEntry& entry);
  void begin_ready(ProbeTier tier);
  std::optional<std::string> why_not(const ProbeEntry& entry) const;
  bool waits_for_others(const ProbeEntry& entry) const;
  void take_answer(WorkerAnswer answer);
  void go_on(ProbeEntry& entry, const Applies& said);
  bool find_key(ProbeEntry& entry, const Applies& said, Timer::time_point end);
  bool use_cached(ProbeEntry& entry);
  void keep(const ProbeEntry& entry, const PassedOutput& output);

  void end(ProbeEntry& entry, Execution execution);
  void end_ran(ProbeEntry& entry, PassedOutput output);
  void end_failed(ProbeEntry& entry, const NoAnswer& why);
  void end_failed(ProbeEntry& entry, std::string why);
  void end_skipped(ProbeEntry& entry, std::string_view why);
  void end_built_in(std::string_view name, const std::string& slice, std::int64_t duration_ms);
  Execution passed(const ProbeEntry& entry, ExecutionStatus status, PassedOutput output);
  // What a base probe detects, for the snapshot that the others get.
  void add_languages(const ProbeEntry& entry, const OutputFacts& facts);
  // Built-in or asked for; null while it has not ended.
  const Execution* find_execution(std::string_view name) const;
  void announce(const Execution& execution);
  std::string reason(std::string_view text);

  const GatherRequest& request_;
  std::string real_root_;
  Fd root_;
  ScrubOptions scrub_;
  InnerDoor door_;
  GatherStore store_;
  WalkOptions walk_;
  Mailbox mailbox_;
  ProbeTask task_{request_.task};
  Snapshot snapshot_;
  Survey survey_;
  std::optional<InputHasher> inputs_;
  std::vector<Execution> built_in_;
  std::vector<ProbeEntry> entries_;
  // Probes that hold a place; never more than request_.jobs.
  std::size_t at_work_ = 0;
  std::size_t artifacts_ = 0;
  // Once code ran, a chamber that cannot be had is that probe's failure, no longer this host's.
  bool has_run_code_ = false;
};

// The repository's names on this host, and the folders' names inside the cell, which mean nothing
// outside of it.
ScrubOptions Gathering::scrub_options() const {
  std::vector<std::string> roots = root_names(request_.repository);
  for (const std::string_view place : {kRepositoryPlace, kOutputPlace, kWorkspacePlace})
    roots.emplace_back(place);
  return {std::move(roots), {}};
}

std::string Gathering::reason(std::string_view text) {
  return door_.scrubbed(cut_utf8(printable(text), kLongestReason));
}

// ── How an execution ends ────────────────────────────────────────────────────────────────────

// An execution that cannot be recorded or shown has ended all the same.
void Gathering::announce(const Execution& execution) {
  try {
    store_.add(execution.record);
    if (request_.on_end) request_.on_end(execution);
  } catch (const std::exception& bug) {
    store_.lose_record(Error{bug.what()});
  }
}

void Gathering::end(ProbeEntry& entry, Execution execution) {
  if (entry.state == ProbeState::kAtWork) --at_work_;
  entry.state = ProbeState::kDone;
  entry.execution = std::move(execution);
  if (entry.worker) entry.worker->close();
  announce(*entry.execution);
}

// An exception (our bug, or no memory) while one probe is dealt with is that probe's failure.
template <typename Step>
void Gathering::fail_on_exception(ProbeEntry& entry, Step step) {
  try {
    return step();
  } catch (const std::exception& bug) {
    if (entry.execution) return;
    Execution execution;
    execution.record.probe = entry.info.name;
    execution.record.status = ExecutionStatus::kFailed;
    execution.record.reason = reason(words_of_exception(bug));
    execution.confidence = "low";
    end(entry, std::move(execution));
  }
}

void Gathering::add_languages(const ProbeEntry& entry, const OutputFacts& facts) {
  if (entry.info.tier != ProbeTier::kBase) return;
  for (const auto& [name, bytes] : facts.languages) snapshot_.detected_languages[name] = bytes;
}

// For an output that ran and for one from the cache: both have passed the door.
Execution Gathering::passed(const ProbeEntry& entry, ExecutionStatus status, PassedOutput output) {
  Execution execution;
  execution.record = {.probe = entry.info.name,
                      .status = status,
                      .key = entry.key,
                      .reason = std::nullopt,
                      .duration_ms = since(entry.start),
                      .findings = std::move(output.secrets)};
  execution.output = output.output.json();
  execution.confidence = output.facts.confidence;
  artifacts_ += output.artifacts.size();
  if (request_.on_artifact) {
    for (const RedactedFile& file : output.artifacts) request_.on_artifact(entry.info.name, file);
  }
  return execution;
}

void Gathering::end_ran(ProbeEntry& entry, PassedOutput output) {
  if (entry.key) keep(entry, output);
  add_languages(entry, output.facts);
  Execution execution = passed(entry, ExecutionStatus::kRan, std::move(output));
  end(entry, std::move(execution));
}

// An output is only kept if its inputs are still what they were: one that read files while they
// changed must not be served for the old contents.
void Gathering::keep(const ProbeEntry& entry, const PassedOutput& output) {
  const auto longest = std::min<std::chrono::milliseconds>(
      kLongestSecondLook, std::chrono::milliseconds(time_of(entry)));
  switch (inputs_->look_again(entry.info.declared_inputs, Timer::now() + longest)) {
    case InputHasher::Change::kNone:
      return store_.put(*entry.key, entry.info.name, output);
    case InputHasher::Change::kSome:
      return;
    case InputHasher::Change::kNotKnown:
      store_.note("the output of '" + entry.info.name + "' is not cached",
                  Error{"looking whether its inputs have changed took too long"});
  }
}

void Gathering::end_failed(ProbeEntry& entry, const NoAnswer& why) {
  const std::int64_t duration = since(entry.start);
  Execution execution;
  execution.record = {.probe = entry.info.name,
                      .status = ExecutionStatus::kFailed,
                      .key = entry.key,
                      .reason = reason(why.errors.empty() ? "it gave no answer" : why.errors[0]),
                      .duration_ms = duration,
                      .findings = {}};
  execution.output = door_.failed(why.errors, duration).json();
  execution.confidence = "low";
  execution.printed = door_.scrubbed(why.printed);
  end(entry, std::move(execution));
}

void Gathering::end_failed(ProbeEntry& entry, std::string why) {
  end_failed(entry, NoAnswer{.errors = {std::move(why)}, .printed = {}});
}

void Gathering::end_skipped(ProbeEntry& entry, std::string_view why) {
  Execution execution;
  execution.record = {.probe = entry.info.name,
                      .status = ExecutionStatus::kSkipped,
                      .key = std::nullopt,
                      .reason = reason(why),
                      .duration_ms = 0,
                      .findings = {}};
  end(entry, std::move(execution));
}

void Gathering::end_built_in(std::string_view name, const std::string& slice,
                             std::int64_t duration_ms) {
  ProbeEntry entry;
  entry.info.name = name;
  entry.start = Timer::now() - std::chrono::milliseconds(duration_ms);
  auto output = door_.pass_again(own_document(slice, doubts_about(survey_), duration_ms), {});
  if (output) {
    built_in_.push_back(passed(entry, ExecutionStatus::kRan, std::move(*output)));
    announce(built_in_.back());
    return;
  }
  end_failed(entry, NoAnswer{.errors = output.error(), .printed = {}});
  built_in_.push_back(std::move(*entry.execution));
}

// ── The repository, and what the probes say about themselves ─────────────────────────────────

Result<void> Gathering::survey_repository() {
  const auto start = Timer::now();
  survey_ = TRY(survey(root_, walk_));
  inputs_.emplace(root_, survey_.files, walk_);
  snapshot_.git_commit = survey_.commit;
  for (const auto& [name, share] : survey_.languages)
    snapshot_.detected_languages[name] = share.bytes;
  const std::int64_t took = since(start);
  end_built_in(kLanguages, language_slice(survey_), took);
  end_built_in(kRepositoryFacts, repository_slice(survey_), took);
  return {};
}

// Starts the probe's worker, or takes up the one it has, and counts it as at work.
ProbeWorker& Gathering::start_worker(std::size_t number) {
  ProbeEntry& entry = entries_[number];
  entry.start = Timer::now();
  entry.state = ProbeState::kAtWork;
  ++at_work_;
  if (!entry.worker) {
    const ProbeCellPlan plan{.host_program = request_.host_program,
                             .policy = request_.policy,
                             .repository = real_root_,
                             .memory_bytes = request_.memory_bytes,
                             .question_ms = std::min(kLongestQuestionMs, request_.longest_ms),
                             .source_kind = text_kind_of(entry.source.file)};
    entry.worker =
        std::make_unique<ProbeWorker>(number, plan, entry.source.text, task_, scrub_, mailbox_);
  }
  return *entry.worker;
}

// A probe that was described in an earlier run need not be started to be described.
bool Gathering::use_cached_description(ProbeEntry& entry) {
  const auto kept = store_.get_description(description_key(keyed_text(entry.source)));
  auto info = kept ? read_description(*kept) : fail("nothing is kept");
  if (!info) return false;
  entry.info = std::move(*info);
  entry.state = ProbeState::kDescribed;
  return true;
}

Result<void> Gathering::take_description(WorkerAnswer answer) {
  ProbeEntry& entry = entries_[answer.worker];
  --at_work_;
  entry.state = ProbeState::kDescribed;
  auto* why = std::get_if<NoAnswer>(&answer.said);
  if (why != nullptr && why->trouble && !has_run_code_)
    return std::unexpected(Error(*why->trouble).as(ErrorKind::kIsolation));
  has_run_code_ = has_run_code_ || why == nullptr || !why->trouble;
  if (auto* info = std::get_if<ProbeInfo>(&answer.said)) {
    entry.info = std::move(*info);
    keep_description(entry);
    // More probes than places: one that waits must not hold a chamber's memory.
    if (entries_.size() > request_.jobs) entry.worker->release_chamber();
    return {};
  }
  entry.no_description = why != nullptr ? std::move(*why) : NoAnswer{};
  entry.worker->close();
  return {};
}

// Keeping it only saves time, so trouble with that must not cost anything else.
void Gathering::keep_description(const ProbeEntry& entry) {
  try {
    if (const auto text = door_.pass_unchanged(write_description(entry.info)))
      store_.put_description(description_key(keyed_text(entry.source)), entry.info.name, *text);
  } catch (const std::exception& bug) {
    store_.note("the description of '" + entry.info.name + "' is not cached", Error{bug.what()});
  }
}

// An exception here (no thread to be had) leaves the probe without a description.
void Gathering::ask_for_description(std::size_t number) {
  ProbeEntry& entry = entries_[number];
  try {
    if (!use_cached_description(entry)) start_worker(number).ask_description();
  } catch (const std::exception& bug) {
    if (entry.state == ProbeState::kAtWork) --at_work_;
    entry.state = ProbeState::kDescribed;
    entry.no_description = NoAnswer{.errors = {words_of_exception(bug)}, .printed = {}};
  }
}

// The walk over the repository goes on while the first chambers warm up.
Result<void> Gathering::describe_all() {
  std::size_t next = 0;
  const auto describe_more = [&] {
    for (; next < entries_.size() && at_work_ < request_.jobs; ++next) ask_for_description(next);
  };
  describe_more();
  TRY(survey_repository());
  for (; at_work_ > 0; describe_more()) TRY(take_description(mailbox_.take()));
  return {};
}

// The first probe with a name keeps it. A second one with the same name fails, and so does one that
// gave no description; for the report they get a name that is free.
void Gathering::make_names_unique() {
  std::set<std::string> taken(kBuiltIn.begin(), kBuiltIn.end());
  std::vector<ProbeEntry*> nameless;
  for (ProbeEntry& entry : entries_) {
    if (entry.no_description || !taken.insert(entry.info.name).second) nameless.push_back(&entry);
  }
  for (ProbeEntry* entry : nameless) {
    entry->start = Timer::now();
    const std::string name = entry->info.name;
    entry->info.name =
        free_name(entry->no_description ? name_of_file(entry->source.file) : name, taken);
    fail_on_exception(*entry, [&] {
      if (entry->no_description) return end_failed(*entry, *entry->no_description);
      const std::string file = std::filesystem::path(entry->source.file).filename().native();
      end_failed(*entry, "ContractError: another probe is called '" + name +
                             "' already; give the one in " + file + " another name");
    });
  }
}

void Gathering::fail_unmet_requirements() {
  std::vector<ProbeInfo> infos;
  for (const ProbeEntry& entry : entries_) infos.push_back(entry.info);
  const auto unmet = unmet_requirements(infos, kBuiltIn);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!unmet[i] || entries_[i].state != ProbeState::kDescribed) continue;
    entries_[i].start = Timer::now();
    fail_on_exception(entries_[i], [&] {
      if (unmet[i]->is_mistake) return end_failed(entries_[i], "ContractError: " + unmet[i]->why);
      end_skipped(entries_[i], unmet[i]->why);
    });
  }
}

// ── One tier after the other ─────────────────────────────────────────────────────────────────

const Execution* Gathering::find_execution(std::string_view name) const {
  for (const Execution& one : built_in_) {
    if (one.record.probe == name) return &one;
  }
  for (const ProbeEntry& entry : entries_) {
    if (entry.execution && entry.info.name == name) return &*entry.execution;
  }
  return nullptr;
}

bool Gathering::waits_for_others(const ProbeEntry& entry) const {
  return std::ranges::any_of(entry.info.requires_probes, [&](const std::string& name) {
    return find_execution(name) == nullptr;
  });
}

// Why the probe does not apply, as far as that can be said without asking it.
std::optional<std::string> Gathering::why_not(const ProbeEntry& entry) const {
  for (const std::string& name : entry.info.requires_probes) {
    const ExecutionStatus status = find_execution(name)->record.status;
    if (status == ExecutionStatus::kFailed) return "requires '" + name + "', which failed";
    if (status == ExecutionStatus::kSkipped) return "requires '" + name + "', which was skipped";
  }
  const auto& tasks = entry.info.applies_to_tasks;
  if (tasks.empty()) return "its applies_to_tasks is empty: it applies to no task";
  if (!has_any(tasks, "*") && !has_any(tasks, request_.task))
    return "applies to the tasks " + joined(tasks) + "; this one is " + request_.task;
  const auto& languages = entry.info.applies_to_languages;
  if (languages.empty()) return "its applies_to_languages is empty: it applies to no language";
  if (has_any(languages, "*")) return std::nullopt;
  for (const auto& row : snapshot_.detected_languages) {
    const std::string detected = lower(row.first);
    const auto is_it = [&](const std::string& wanted) { return lower(wanted) == detected; };
    if (std::ranges::any_of(languages, is_it)) return std::nullopt;
  }
  return "applies to " + joined(languages) + "; this repository has no file of that language";
}

// False: it waits, for another probe or for a place.
bool Gathering::begin(ProbeEntry& entry) {
  if (waits_for_others(entry)) return false;
  if (const auto why = why_not(entry)) {
    end_skipped(entry, *why);
    return true;
  }
  if (at_work_ == request_.jobs) return false;
  ProbeWorker& worker = start_worker(static_cast<std::size_t>(&entry - entries_.data()));
  if (entry.info.asks) {
    worker.ask_applies(snapshot_, time_of(entry));
  } else {
    go_on(entry, {.applies = true, .cache_key = {}});
  }
  return true;
}

// Until nothing changes: a probe that is skipped may be what an earlier one in the list waits for.
void Gathering::begin_ready(ProbeTier tier) {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (ProbeEntry& entry : entries_) {
      if (entry.state != ProbeState::kDescribed || entry.info.tier != tier) continue;
      fail_on_exception(entry, [&] { has_changed = begin(entry) || has_changed; });
      has_changed = has_changed || entry.execution;
    }
  }
}

// Ends with every probe of the tier done: requirements have no cycle, so one can always begin.
void Gathering::run_tier(ProbeTier tier) {
  for (begin_ready(tier); at_work_ > 0; begin_ready(tier)) take_answer(mailbox_.take());
}

void Gathering::take_answer(WorkerAnswer answer) {
  ProbeEntry& entry = entries_[answer.worker];
  fail_on_exception(entry, [&] {
    if (const auto* applies = std::get_if<Applies>(&answer.said)) return go_on(entry, *applies);
    if (auto* said = std::get_if<PassedOutput>(&answer.said))
      return end_ran(entry, std::move(*said));
    if (const auto* why = std::get_if<NoAnswer>(&answer.said)) return end_failed(entry, *why);
    end_failed(entry, "its answer is not understood");
  });
}

// The probe applies: look for a kept output, and run it only if there is none. What the search took
// is taken off its time.
void Gathering::go_on(ProbeEntry& entry, const Applies& said) {
  if (!said.applies) return end_skipped(entry, "its applies() says that it does not apply here");
  if (const auto fits = check_declared_inputs(entry.info.declared_inputs); !fits)
    return end_failed(entry, "ContractError: " + fits.error().message);
  const auto end = Timer::now() + std::chrono::milliseconds(time_of(entry));
  if (entry.info.is_cached && store_.has_cache() && !find_key(entry, said, end)) return;
  if (entry.key && use_cached(entry)) return;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Timer::now()).count();
  entry.worker->ask_run(snapshot_, static_cast<std::uint32_t>(std::max<std::int64_t>(1, left)));
}

// False: the probe has failed. True without a key: its output will not be kept, and the reason is
// noted. Hashing that `end` cuts short is a failure, since no time is left to run; one that was cut
// short before `end` by its own bound costs the key alone.
bool Gathering::find_key(ProbeEntry& entry, const Applies& said, Timer::time_point end) {
  const auto without = [&](std::string why) {
    store_.note("the output of '" + entry.info.name + "' is not cached", Error{std::move(why)});
    return true;
  };
  // A hash over a part of the files would miss changes in the rest.
  if (survey_.walk.was_cut) return without("not all of the repository was seen");
  const auto inputs = inputs_->hash(entry.info.declared_inputs, end);
  if (!inputs) {
    end_failed(entry, "ContractError: " + inputs.error().message);
    return false;
  }
  if (!inputs->sha256.empty()) {
    entry.key =
        cache_key(entry.info, keyed_text(entry.source), inputs->sha256, said.cache_key, snapshot_);
    return true;
  }
  const std::string what = "its declared inputs were " + std::string(inputs->phase);
  if (Timer::now() < end) return without("time was up while " + what);
  end_failed(entry, "TimeoutError: Timed out after " + seconds(time_of(entry)) + " while " + what);
  return false;
}

// A kept output that no longer passes the door is as good as none: the probe runs again.
bool Gathering::use_cached(ProbeEntry& entry) {
  auto kept = store_.get(*entry.key);
  if (!kept) return false;
  auto again =
      door_.pass_again(kept->document, std::move(kept->artifacts), std::move(kept->secrets));
  if (!again) return false;
  add_languages(entry, again->facts);
  Execution execution = passed(entry, ExecutionStatus::kCacheHit, std::move(*again));
  end(entry, std::move(execution));
  return true;
}

// The table of contents: describe, settle names and requirements, two tiers, report.
Result<GatherReport> Gathering::run() {
  const std::string& run = store_.begin(request_.repository, request_.task);
  if (request_.on_begin) request_.on_begin(run);
  for (const ProbeSource& source : request_.probes) entries_.emplace_back().source = source;
  TRY(describe_all());
  make_names_unique();
  fail_unmet_requirements();
  run_tier(ProbeTier::kBase);
  run_tier(ProbeTier::kTaskSpecific);
  store_.finish();
  GatherReport report{.run_id = run,
                      .repository = std::filesystem::path(real_root_).filename().native(),
                      .task = request_.task,
                      .executions = std::move(built_in_),
                      .artifacts = artifacts_,
                      .troubles = {}};
  for (ProbeEntry& entry : entries_) {
    fail_on_exception(entry, [&] {
      if (!entry.execution) end_failed(entry, "it was never asked");
    });
    report.executions.push_back(std::move(*entry.execution));
  }
  report.troubles = store_.troubles();
  return report;
}

}  // namespace

bool has_result(const GatherReport& report, std::size_t asked_for) {
  const auto asked = std::span(report.executions).last(asked_for);
  const auto passed = [](const Execution& one) {
    return one.record.status == ExecutionStatus::kRan ||
           one.record.status == ExecutionStatus::kCacheHit;
  };
  const auto failed = [](const Execution& one) {
    return one.record.status == ExecutionStatus::kFailed;
  };
  return std::ranges::any_of(asked, passed) || std::ranges::none_of(report.executions, failed);
}

Result<GatherReport> gather(const GatherRequest& request) {
  auto root = TRY(open_folder(request.repository));
  std::error_code error;
  const auto real = std::filesystem::canonical(request.repository, error);
  if (error) return bad_request("find the folder " + request.repository + ": " + error.message());
  TRY(refuse_kernel_mounts(real.native()));
  return Gathering(request, real.native(), std::move(root)).run();
}

}  // namespace airlock::probe
