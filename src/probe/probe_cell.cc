#include "probe/probe_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "admit/limits.h"
#include "base/utf8.h"
#include "engine/load/judged_code.h"
#include "engine/load/read_answer.h"
#include "model/rule.h"

namespace airlock::probe {

namespace {

// The longest that a probe may ask for itself; the kernel's limit of processor time is made for it.
constexpr std::uint32_t kLongestMs = 86'400'000;
// Memory behind the two folders that a probe may write to; /output and /workspace.
constexpr std::uint32_t kOutputFolderBytes = 128U * 1024 * 1024;
constexpr std::uint32_t kWorkspaceBytes = 256U * 1024 * 1024;
// Bytes of what it printed, of one error, and how many errors: for a person who reads them.
constexpr std::size_t kMostPrinted = 2000;
constexpr std::size_t kLongestError = 1000;
constexpr std::size_t kMostErrors = 20;

RunLimits limits_for(const ProbeCellPlan& plan) {
  const AdmitLimits door;
  RunLimits limits;
  limits.timeout_ms = kLongestMs;
  limits.memory_bytes = plan.memory_bytes;
  limits.result_bytes = static_cast<std::uint32_t>(door.document_bytes);
  limits.result_depth = static_cast<std::uint32_t>(door.depth) + 2;  // the answer around it
  return limits;
}

Policy with_folders(const ProbeCellPlan& plan) {
  Policy policy = plan.policy;
  policy.folders = {
      {.place = std::string(kRepositoryPlace), .source = plan.repository},
      {.place = std::string(kOutputPlace), .source = {}, .memory_bytes = kOutputFolderBytes},
      {.place = std::string(kWorkspacePlace), .source = {}, .memory_bytes = kWorkspaceBytes}};
  return policy;
}

NoAnswer our_trouble(Error error) {
  return {.errors = {error.message}, .printed = {}, .trouble = std::move(error)};
}

std::string cut(std::string_view text) {
  const std::string_view kept = cut_utf8(text, kLongestError);
  return std::string(kept) + (kept.size() < text.size() ? "…" : "");
}

// The end of a program's output says more about its failure than the beginning.
std::string end_of(std::string text) {
  if (text.size() <= kMostPrinted) return text;
  return "…" + replace_invalid_utf8(text.substr(text.size() - kMostPrinted));
}

NoAnswer refused_by(const Verdict& verdict) {
  NoAnswer answer;
  for (const Finding& finding : verdict.findings) {
    if (finding.severity != Severity::kError || answer.errors.size() == kMostErrors) continue;
    answer.errors.push_back(cut(
        fmt::format("{}: {} (line {})", finding.rule->name, finding.message, finding.place.line)));
  }
  if (answer.errors.empty()) answer.errors.emplace_back("the file is refused");
  return answer;
}

// "ValueError: what it says", or the type alone.
std::string words_of(const Failure& failure) {
  return cut(failure.type + (failure.message.empty() ? "" : ": ") + failure.message);
}

NoAnswer wrong_contract(const Error& error) {
  return {.errors = {cut("ContractError: " + error.message)}, .printed = {}};
}

}  // namespace

ProbeAnswer<std::unique_ptr<ProbeCell>> ProbeCell::start(const ProbeCellPlan& plan,
                                                         std::string_view raw) {
  const RunLimits limits = limits_for(plan);
  const Policy policy = with_folders(plan);
  ColdSupply supply(plan.host_program);
  auto judged = judge_and_warm({.supply = supply,
                                .policy = policy,
                                .raw = raw,
                                .kind = plan.source_kind,
                                .screening = run::Screening::of_programs(),
                                .first_cell = limits});
  // Our trouble, the probe's refusal, and a probe that does not load are three different answers.
  if (!judged) return std::unexpected(our_trouble(std::move(judged).error()));
  if (!judged->code) return std::unexpected(refused_by(judged->verdict));
  if (auto ready = judged->chamber->await_ready(); !ready)
    return std::unexpected(our_trouble(std::move(ready).error()));
  std::unique_ptr<ProbeCell> cell(new ProbeCell(std::move(judged->chamber), plan.question_ms));
  TRY(cell->load(*judged->code, limits));
  return cell;
}

ProbeAnswer<void> ProbeCell::load(const Vetted& code, const RunLimits& limits) {
  limits_ = limits;
  limits_.timeout_ms = question_ms_;
  auto loaded = load_cell(*chamber_, code, limits_);
  if (!loaded) return std::unexpected(our_trouble(std::move(loaded).error()));
  if (!loaded->cell) return std::unexpected(refuse(loaded->loaded));
  cell_ = std::move(loaded->cell);
  return {};
}

// A line is only told of an exception; a denied call or an ending has its own words.
NoAnswer ProbeCell::refuse(const CellAnswer& answer) const {
  Failure failure = answer.failure;
  if (answer.denials.empty() && !answer.ending && answer.line > 0) {
    failure.message = cut(failure.message);
    failure.message += fmt::format("{}(line {})", failure.message.empty() ? "" : " ", answer.line);
  }
  return {.errors = {words_of(failure)},
          .printed = end_of(answer.output + answer.error_output),
          .has_timed_out = is_timeout(failure.type)};
}

ProbeAnswer<CellAnswer> ProbeCell::ask(const std::string& question, std::uint32_t timeout_ms,
                                       Wanted wanted) {
  limits_.timeout_ms = timeout_ms;
  auto answer = wanted == Wanted::kDocument ? ask_cell_last(*cell_, question, limits_, wanted)
                                            : ask_cell(*cell_, question, limits_, wanted);
  // When the chamber dies the cell dies with it. The code was running already, so that is reported
  // as a crash of the probe.
  if (!answer)
    return std::unexpected(
        NoAnswer{{words_of({"CrashError", answer.error().message})}, std::string()});
  if (!answer->success) return std::unexpected(refuse(*answer));
  printed_ = end_of(answer->output + answer->error_output);
  return *std::move(answer);
}

ProbeAnswer<ProbeInfo> ProbeCell::describe(const ProbeTask& task) {
  const auto said = TRY(ask(ask_describe(task), question_ms_, Wanted::kObject));
  auto info = read_description(said.value);
  if (!info) return std::unexpected(wrong_contract(info.error()));
  return std::move(*info);
}

ProbeAnswer<Applies> ProbeCell::applies(const Snapshot& snapshot, const ProbeTask& task) {
  const auto said = TRY(ask(ask_applies(snapshot, task), question_ms_, Wanted::kObject));
  auto applies = read_applies(said.value);
  if (!applies) return std::unexpected(wrong_contract(applies.error()));
  return std::move(*applies);
}

ProbeAnswer<RawDocument> ProbeCell::run(const Snapshot& snapshot, const ProbeTask& task,
                                        std::uint32_t timeout_ms) {
  auto answer = ask(ask_run(snapshot, task), timeout_ms, Wanted::kDocument);
  // Only now is the writer of the output folder gone: what is read from it cannot change any more.
  cell_->await_gone();
  const CellAnswer said = TRY(std::move(answer));
  auto output = read_output(said.document);
  if (!output) return std::unexpected(wrong_contract(output.error()));
  if (!output->refused.empty())
    return std::unexpected(NoAnswer{std::move(output->refused), printed_});
  return std::move(output->document);
}

const Fd& ProbeCell::output_folder() const {
  return chamber_->own_folders().at(std::string(kOutputPlace));
}

}  // namespace airlock::probe
