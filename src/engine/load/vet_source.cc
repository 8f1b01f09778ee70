#include "engine/load/vet_source.h"

#include <chrono>
#include <type_traits>
#include <utility>

#include "model/rule.h"
#include "text/cleaning.h"

namespace airlock {

namespace {

using Clock = std::chrono::steady_clock;

// Asks a vetter that is started for this question. If it dies early it was probably killed from
// outside, so it is asked once more; a source that uses up the time is not tried again.
template <typename Question>
auto ask_vetter(const std::string& host_program, const Policy& policy, const Question& question)
    -> Result<std::invoke_result_t<Question, run::VetterClient&>> {
  const auto ask = [&]() -> Result<std::invoke_result_t<Question, run::VetterClient&>> {
    auto vetter = TRY(run::VetterClient::start(host_program, policy));
    return question(vetter);
  };
  const auto start = Clock::now();
  auto answer = ask();
  if (answer && !*answer && Clock::now() - start < kVetPatience / 2) answer = ask();
  return answer;
}

}  // namespace

Verdict refuse_unfinished(const std::string& why) {
  const Rule& row = rule(RuleCode::kVetterFailed);
  Verdict refused;
  refused.findings.push_back({&row, row.severity, Place{1, 0, 1, 0}, "vetter",
                              "The vetter could not finish with this file: " + why,
                              "Make the code simpler; nothing of it was run."});
  return refused;
}

bool was_cleaned(std::string_view raw, std::string_view code) {
  return !code.empty() && !text::is_as_it_stands(raw, code);
}

Verdict require_same_text(std::string_view raw, TextKind kind, Verdict verdict) {
  if (kind == TextKind::kProgram && was_cleaned(raw, verdict.code))
    return refuse_unfinished("it judged another text than the one in the file");
  return verdict;
}

Verdict finish_vetting(std::string_view raw, TextKind kind,
                       std::expected<Verdict, run::VetterLost> answer) {
  if (!answer) return refuse_unfinished(answer.error().why);
  return require_same_text(raw, kind, *std::move(answer));
}

run::Screened finish_screening(std::string_view raw, TextKind kind,
                               std::expected<run::Screened, run::VetterLost> answer) {
  if (!answer) return run::Screened{refuse_unfinished(answer.error().why), std::nullopt};
  run::Screened screened = *std::move(answer);
  screened.verdict = require_same_text(raw, kind, std::move(screened.verdict));
  if (screened.verdict.decision != Decision::kAccepted) screened.code.reset();
  return screened;
}

Result<Verdict> vet_source(const std::string& host_program, const Policy& policy,
                           std::string_view raw, Stages stages, TextKind kind) {
  auto answer = TRY(ask_vetter(host_program, policy, [&](run::VetterClient& vetter) {
    return vetter.vet(raw, stages, kind, kVetPatience);
  }));
  return finish_vetting(raw, kind, std::move(answer));
}

Result<run::Screened> screen_source(const std::string& host_program, const Policy& policy,
                                    std::string_view raw, run::Screening screening, TextKind kind) {
  auto answer = TRY(ask_vetter(host_program, policy, [&](run::VetterClient& vetter) {
    return vetter.screen(raw, screening, kind, kVetPatience);
  }));
  return finish_screening(raw, kind, std::move(answer));
}

}  // namespace airlock
