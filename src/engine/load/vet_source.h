// One source, judged by a vetter of its own; and what becomes of a vetter's answer, wherever the
// vetter comes from (supply.h).
#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/policy.h"
#include "model/text_kind.h"
#include "model/verdict.h"
#include "run/vetter_client.h"

namespace airlock {

// How long a vetter may take. Parsing takes microseconds for each line.
inline constexpr auto kVetPatience = std::chrono::seconds(10);

// A vetter that dies on the source gives a refusal that says so (AL110); one that died at once is
// replaced and asked again. An Error: no vetter can be had on this host.
Result<Verdict> vet_source(const std::string& host_program, const Policy& policy,
                           std::string_view raw, Stages stages, TextKind kind);

// The same for code that a cell is to load.
Result<run::Screened> screen_source(const std::string& host_program, const Policy& policy,
                                    std::string_view raw, run::Screening screening, TextKind kind);

// What a vetter answered, as it counts: a vetter that was lost has refused, and a program is
// refused if the verdict is about another text.
Verdict finish_vetting(std::string_view raw, TextKind kind,
                       std::expected<Verdict, run::VetterLost> answer);
run::Screened finish_screening(std::string_view raw, TextKind kind,
                               std::expected<run::Screened, run::VetterLost> answer);

// The refusal of a source that its vetter could not finish with.
Verdict refuse_unfinished(const std::string& why);

// Whether `code` is anything else than `raw` without a byte-order mark and with LF line ends. No
// code is not cleaned.
bool was_cleaned(std::string_view raw, std::string_view code);

// The verdict, or a refusal if it is about another text than the program that was sent.
Verdict require_same_text(std::string_view raw, TextKind kind, Verdict verdict);

}  // namespace airlock
