#include "present/serve/pipelines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/nearest.h"
#include "engine/approve/drafts.h"
#include "engine/approve/extractors.h"
#include "engine/approve/share.h"
#include "engine/bulk/extract.h"
#include "engine/bulk/row_parts.h"
#include "engine/bulk/rule_job.h"
#include "engine/bulk/schema.h"
#include "engine/check/admit_document.h"
#include "engine/check/check.h"
#include "engine/paths/infer_paths.h"
#include "engine/policy/policy_file.h"
#include "engine/records/records.h"
#include "engine/validate/validate.h"
#include "present/report/admit_output.h"
#include "present/report/check_writer.h"
#include "present/report/drafts_output.h"
#include "present/report/infer_output.h"
#include "present/report/json_text.h"
#include "present/report/receipt_output.h"
#include "present/report/records_output.h"
#include "present/report/schema_output.h"
#include "present/report/validate_output.h"
#include "present/serve/line_stream.h"

namespace airlock::serve {

namespace {

// As the commands have them.
constexpr std::size_t kMostSamples = 10'000;
constexpr double kMostExplored = 10'000;
constexpr std::size_t kLongestPath = PathInput::kMaxPath;
constexpr std::size_t kLongestHint = 500;
// An answer of a model may be so many times as long as the code in it.
constexpr std::size_t kRawPerCode = 4;
constexpr double kUsualRuns = 20;
constexpr double kMostRuns = 1000;
// What a text that came along is called in a report.
constexpr const char* kSourceName = "<source>";

// What every pipeline is given.
struct Job {
  const Request& request;
  Resident& resident;
  KeptExtractors::ClientId client;
  const std::stop_token& stop;
  const ProgressListener& on_progress;

  void tell(std::size_t done, std::size_t total) const {
    if (on_progress) on_progress({done, total});
  }
};

Result<const Policy*> policy_of(const Job& job) {
  const auto name = TRY(maybe_text(job.request, "policy"));
  return job.resident.policy(name.value_or("extractor"));
}

Result<const Policy*> extractor_policy_of(const Job& job) {
  const Policy* policy = TRY(policy_of(job));
  TRY(require_for_extractors(*policy));
  return policy;
}

Result<void> check_paths(std::span<const std::string> paths) {
  for (const std::string& path : paths) {
    if (path.contains('\0'))
      return bad_request("'paths' has one with a NUL byte, which no path can have");
  }
  return {};
}

Result<std::vector<std::string>> paths_of(const Job& job) {
  auto paths = TRY(need_texts(job.request, "paths"));
  if (paths.empty()) return bad_request("'paths' has no path in it");
  TRY(check_paths(paths));
  return paths;
}

// More is not looked at: the vetter refuses it for its length either way.
std::string source_for(const Policy& policy, std::string source) {
  source.resize(std::min(source.size(), std::size_t{policy.limits.source_bytes} * kRawPerCode + 1));
  return source;
}

Result<Answered> check_source(const Job& job) {
  TRY(refuse_others(job.request, {"source", "policy", "signature"}));
  TextToCheck text{.name = kSourceName, .raw = TRY(need_text(job.request, "source"))};
  const Policy* policy = TRY(policy_of(job));
  Stages stages;
  stages.signature = TRY(flag_or(job.request, "signature", true));
  const auto checked = TRY(check_text(std::move(text), *policy, stages, job.resident.rooms()));
  return cli::checked_file_as_json(checked);
}

Result<RunLimits> sample_limits_of(const Job& job) {
  RunLimits limits;
  if (const auto seconds = TRY(maybe_number(job.request, "timeout", 0.01, 3600)))
    limits.timeout_ms = static_cast<std::uint32_t>(std::lround(*seconds * 1000));
  if (const auto megabytes = TRY(maybe_number(job.request, "memory_mb", 1, 4000)))
    limits.memory_bytes = static_cast<std::uint32_t>(std::lround(*megabytes * 1e6));
  return limits;
}

Result<Answered> validate_source(const Job& job) {
  TRY(refuse_others(job.request,
                    {"source", "paths", "policy", "timeout", "memory_mb", "explore", "scan"}));
  ValidateRequest work;
  const Policy* policy = TRY(extractor_policy_of(job));
  work.policy = *policy;
  work.raw = source_for(*policy, TRY(need_text(job.request, "source")));
  work.paths = TRY(paths_of(job));
  if (work.paths.size() > kMostSamples)
    return bad_request("'paths' has more than 10,000; a handful is enough to judge an extractor");
  if (std::ranges::any_of(work.paths, [](const auto& path) { return path.size() > kLongestPath; }))
    return bad_request("'paths' has one that is longer than 1 MiB, which no path is");
  work.limits = TRY(sample_limits_of(job));
  const auto explored = TRY(maybe_number(job.request, "explore", 0, kMostExplored));
  work.explore = static_cast<std::size_t>(explored.value_or(0));
  work.scan = TRY(flag_or(job.request, "scan", true));
  work.supply = &job.resident.rooms();
  work.stop = job.stop;
  work.on_progress = [&job](const ValidateProgress& now) { job.tell(now.done, now.total); };
  return cli::on_one_line(cli::validation_as_json(TRY(validate(work))));
}

Result<Answered> admit(const Job& job) {
  TRY(refuse_others(job.request, {"document", "root", "bare"}));
  if (!job.request.members.has("document"))
    return bad_request("'document' is missing: the JSON that is to be judged");
  AdmitRequest work;
  work.root = TRY(maybe_text(job.request, "root")).value_or("");
  if (TRY(flag_or(job.request, "bare", false))) work.form = Form::kBare;
  const auto outcome = admit_bytes(job.request.members.raw("document"), work);
  Answered answer(cli::on_one_line(outcome ? std::string(outcome->json())
                                           : cli::refusal_as_json(outcome.error())));
  answer.is_admitted = outcome.has_value();
  return answer;
}

Result<Answered> infer(const Job& job) {
  TRY(refuse_others(job.request, {"paths", "hint"}));
  PathList paths;
  for (const std::string& path : TRY(paths_of(job))) {
    if (path.empty()) continue;
    ++paths.seen;
    paths.add(std::string_view(path).substr(0, kLongestPath));
  }
  InferRequest work;
  work.hint = TRY(maybe_text(job.request, "hint")).value_or("");
  if (work.hint.size() > kLongestHint) return bad_request("'hint' has more than 500 bytes");
  work.on_checked = [&](std::size_t checked) { job.tell(checked, paths.size()); };
  work.stop = job.stop;
  return cli::inferred_rule_as_json(TRY(infer_from_paths(paths, work)));
}

// Rows as elements of one list. More than one line can hold is a request for too much.
class ListedRows final : public RowSink {
 public:
  explicit ListedRows(const std::stop_token& stop) : stop_(stop) {}

  Result<void> write(std::string_view rows) override {
    if (stop_.stop_requested()) return fail("write the rows: it was stopped");
    if (list_.size() + rows.size() > LineStream::kMostLine)
      return bad_request("the rows are larger than 64 MiB: ask for fewer paths at a time");
    while (!rows.empty()) {
      const std::size_t end = rows.find('\n');
      if (list_.size() > kHead.size()) list_ += ',';
      list_ += rows.substr(0, end);
      rows.remove_prefix(end == std::string_view::npos ? rows.size() : end + 1);
    }
    return {};
  }

  std::string as_json() && {
    list_ += "]}";
    return std::move(list_);
  }

 private:
  static constexpr std::string_view kHead = "{\"rows\":[";
  const std::stop_token& stop_;
  std::string list_{kHead};
};

// What is to be run on paths: rules, or a program.
struct ChosenExtractor {
  std::shared_ptr<const rules::Matcher> rules;  // null: `program`
  ExtractRequest program;
  std::vector<std::string> samples;  // of one that was approved
};

// What was approved, here or where a bundle comes from: not to be cleaned again. `policy`: a
// program's.
Result<ChosenExtractor> approved_extractor(const Job& job, ApprovedExtractor approved,
                                           Policy policy) {
  ChosenExtractor chosen;
  chosen.samples = std::move(approved.samples);
  if (approved.kind == OutputKind::kYaml) {
    chosen.rules = TRY(job.resident.extractors().matcher(approved.text));
    return chosen;
  }
  chosen.program.policy = std::move(policy);
  chosen.program.raw = std::move(approved.text);
  chosen.program.kind = TextKind::kProgram;
  return chosen;
}

// The text of a file that airlock extractors export wrote; nothing of it is kept.
Result<ChosenExtractor> bundled_extractor(const Job& job, const std::string& bundle) {
  const ServeOptions& options = job.resident.options();
  auto verified = TRY(verify_bundle(options.user_dirs, bundle, options.host_program));
  return approved_extractor(job, std::move(verified.bundle.extractor), std::move(verified.policy));
}

// A source has a line end in it; anything else is the name of what was approved here.
Result<ChosenExtractor> named_extractor(const Job& job, const std::string& extractor) {
  ChosenExtractor chosen;
  if (extractor.contains('\n')) {
    chosen.program.policy = *TRY(job.resident.policy("extractor"));
    chosen.program.raw = source_for(chosen.program.policy, extractor);
    return chosen;
  }
  if (!versioned_name(extractor))
    return bad_request("'extractor' is to be a source, or the name of an approved extractor: '" +
                       extractor + "' is neither, and no request names a file");
  const ServeOptions& options = job.resident.options();
  auto approved = TRY(find_extractor(options.user_dirs, extractor));
  TRY(cli::require_runnable(approved, options.host_program));
  Policy policy;
  if (approved.kind == OutputKind::kPython) policy = TRY(load_extractor_policy(approved.policy));
  return approved_extractor(job, std::move(approved), std::move(policy));
}

// Rules and bundles come as texts of their own members: nothing else tells them from a source.
Result<ChosenExtractor> extractor_of(const Job& job) {
  const auto rules = TRY(maybe_text(job.request, "rules"));
  const auto bundle = TRY(maybe_text(job.request, "bundle"));
  if (!rules && !bundle && !job.request.members.has("extractor"))
    return bad_request(
        "say what is to run: an 'extractor' (a source, or a name), 'rules' or a "
        "'bundle'");
  if (!rules && !bundle) return named_extractor(job, TRY(need_text(job.request, "extractor")));
  if (rules && bundle)
    return bad_request("there are both 'rules' and 'bundle': which of them is to run?");
  if (TRY(maybe_text(job.request, "extractor")))
    return bad_request("there are both 'extractor' and '" +
                       std::string(rules ? "rules" : "bundle") + "': which of them is to run?");
  if (bundle) return bundled_extractor(job, *bundle);
  ChosenExtractor chosen;
  chosen.rules = TRY(job.resident.extractors().matcher(*rules));
  return chosen;
}

// Rows go to `rows`. Code that is refused runs nothing: what `check` says about it as JSON is the
// answer then.
Result<std::optional<std::string>> run_on(const Job& job, ChosenExtractor chosen,
                                          std::span<const std::string> paths, RowSink& rows) {
  PathInput input = PathInput::of(paths);
  const Watcher watcher = [&](const JobProgress& now) { job.tell(now.rows, paths.size()); };
  if (chosen.rules) {
    TRY(run_rules(*chosen.rules, 1, input, Share{}, rows, watcher));
    if (job.stop.stop_requested()) return fail("run the rules: it was stopped");
    return std::nullopt;
  }
  chosen.program.stop = job.stop;
  const std::string raw = chosen.program.raw;
  auto refusal = TRY(
      job.resident.extractors().run(job.client, std::move(chosen.program), input, rows, watcher));
  if (!refusal) return std::nullopt;
  return cli::checked_file_as_json({kSourceName, refusal->sha256, raw, refusal->verdict});
}

Result<std::optional<std::string>> extract_to(const Job& job, RowSink& rows) {
  TRY(refuse_others(job.request, {"extractor", "rules", "bundle", "paths"}));
  auto chosen = TRY(extractor_of(job));
  const auto paths = TRY(paths_of(job));
  return run_on(job, std::move(chosen), paths, rows);
}

Result<Answered> extract(const Job& job) {
  ListedRows rows(job.stop);
  if (const auto refusal = TRY(extract_to(job, rows)))
    return std::string(kRefusedRows) + *refusal + "}";
  return std::move(rows).as_json();
}

// Rows that are looked at and let go.
class SchemaRows final : public RowSink {
 public:
  Result<void> write(std::string_view rows) override {
    while (!rows.empty()) {
      const std::size_t end = std::min(rows.find('\n'), rows.size());
      if (const auto row = take_apart(rows.substr(0, end))) finder_.see(*row);
      rows.remove_prefix(std::min(end + 1, rows.size()));
    }
    return {};
  }

  Schema schema() const { return finder_.schema(); }

 private:
  SchemaFinder finder_;
};

// Rules say it themselves. A program is run: on the samples that it was approved with, then on the
// paths of the request.
Result<Answered> schema(const Job& job) {
  TRY(refuse_others(job.request, {"extractor", "rules", "bundle", "paths"}));
  auto chosen = TRY(extractor_of(job));
  if (chosen.rules)
    return cli::schema_as_json(schema_of_rules(chosen.rules->rules()), cli::SaidBy::kRules);
  std::vector<std::string> paths = std::move(chosen.samples);
  if (job.request.members.has("paths")) {
    const auto more = TRY(need_texts(job.request, "paths"));
    TRY(check_paths(more));
    paths.insert(paths.end(), more.begin(), more.end());
  }
  if (paths.empty())
    return bad_request(
        "'paths' has no path in it: only by its rows can it be said what a program gives");
  if (paths.size() > kMostSamples)
    return bad_request("'paths' has more than 10,000; a thousand is enough for a schema");
  SchemaRows rows;
  if (const auto refusal = TRY(run_on(job, std::move(chosen), paths, rows)))
    return "{\"columns\":[],\"refused\":" + *refusal + "}";
  return cli::schema_as_json(rows.schema(), cli::SaidBy::kRows);
}

Result<Answered> drafts(const Job& job) {
  TRY(refuse_others(job.request, {}));
  return cli::on_one_line(cli::drafts_as_json(TRY(list_drafts(job.resident.options().user_dirs))));
}

Result<Answered> extractors(const Job& job) {
  TRY(refuse_others(job.request, {}));
  return cli::on_one_line(
      cli::extractors_as_json(TRY(list_extractors(job.resident.options().user_dirs))));
}

Result<Answered> runs(const Job& job) {
  TRY(refuse_others(job.request, {"last"}));
  const auto last = TRY(maybe_number(job.request, "last", 1, kMostRuns));
  const auto listed = TRY(list_runs(job.resident.options().user_dirs,
                                    static_cast<std::size_t>(last.value_or(kUsualRuns))));
  return cli::on_one_line(cli::runs_as_json(listed));
}

struct Pipeline {
  std::string_view name;
  Result<Answered> (*perform)(const Job& job);
};

constexpr std::array kPipelines{
    Pipeline{"check", check_source}, Pipeline{"validate", validate_source},
    Pipeline{"admit", admit},        Pipeline{"infer", infer},
    Pipeline{"extract", extract},    Pipeline{"schema", schema},
    Pipeline{"drafts", drafts},      Pipeline{"extractors", extractors},
    Pipeline{"runs", runs},
};

std::unexpected<Error> no_such_request(const std::string& what) {
  std::vector<std::string_view> known{"open", "run", "answer", "cancel", "close", "ping"};
  for (const Pipeline& one : kPipelines) known.push_back(one.name);
  const std::string_view near = nearest_word(what, known);
  return bad_request("there is no request '" + what + "'" +
                     (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
}

}  // namespace

Result<Answered> perform_pipeline(const Request& request, Resident& resident,
                                  KeptExtractors::ClientId client, const std::stop_token& stop,
                                  const ProgressListener& on_progress) {
  const auto* pipeline = std::ranges::find(kPipelines, request.what, &Pipeline::name);
  if (pipeline == kPipelines.end()) return no_such_request(request.what);
  const auto slot = resident.slots().take(stop);
  if (!slot) return fail(request.what + ": it was stopped");
  auto performed = pipeline->perform({request, resident, client, stop, on_progress});
  if (performed)
    resident.activity().note(Activity::Kind::kFine, request.what + " was done");
  else if (stop.stop_requested())
    resident.activity().note(Activity::Kind::kCancelled, request.what + " was cancelled");
  else
    resident.activity().note(Activity::Kind::kTrouble, request.what + " could not be done");
  auto answer = TRY(std::move(performed));
  if (answer.json.size() > LineStream::kMostLine)
    return bad_request("the answer is larger than 64 MiB: ask for less at a time");
  return answer;
}

Result<std::optional<std::string>> extract_rows(const Request& request, Resident& resident,
                                                KeptExtractors::ClientId client,
                                                const std::stop_token& stop, RowSink& rows) {
  return extract_to({request, resident, client, stop, {}}, rows);
}

}  // namespace airlock::serve
