#include "engine/load/vet_source.h"

#include <chrono>
#include <utility>

#include "model/rule.h"
#include "run/vetter_client.h"
#include "text/cleaning.h"

namespace airlock {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::seconds(10);

Result<std::expected<Verdict, run::VetterLost>> ask(const std::string& host_program,
                                                    const Policy& policy, std::string_view raw,
                                                    Stages stages, TextKind kind) {
  auto vetter = TRY(run::VetterClient::start(host_program, policy));
  return vetter.vet(raw, stages, kind, kPatience);
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

Result<Verdict> vet_source(const std::string& host_program, const Policy& policy,
                           std::string_view raw, Stages stages, TextKind kind) {
  const auto start = Clock::now();
  auto answer = ask(host_program, policy, raw, stages, kind);
  // Killed from outside rather than by the source: that is worth another try, a source that takes
  // all the time is not.
  if (answer && !*answer && Clock::now() - start < kPatience / 2)
    answer = ask(host_program, policy, raw, stages, kind);
  if (!answer) return std::unexpected(std::move(answer).error());
  if (*answer) return require_same_text(raw, kind, std::move(**answer));
  return refuse_unfinished(answer->error().why);
}

}  // namespace airlock
