// Facts of the wizard's state as the words that people read, the same on the screen and line by
// line. Pure. What comes from paths or models is raw in them: whoever shows it makes it printable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "present/tui/draw/glyphs.h"
#include "wizard/wizard_state.h"

namespace airlock::tui {

// "Python extractor", "YAML rule".
std::string_view output_words(OutputKind kind);
// "inferred from the paths", "written by MODEL …".
std::string author_words(const wizard::WizardState& state);
// "Passed (5/5 paths, avg 2.3ms)".
std::string validation_words(const wizard::WizardState& state, const Glyphs& glyphs);
// "recommended", "look at it closely", "give more paths".
std::string_view confidence_words(double confidence);
bool has_confidence(const wizard::WizardState& state);
// "Syntax check", …; as the stage tree names them.
std::string_view stage_words(Stage stage, OutputKind kind);
// {"client_id": "ABC"} → {client_id: "ABC"}. Any text is fine.
std::string preview_words(std::string_view json);
// The ends of paths, as short as they can be while they differ: "report.csv", "Q1/report.csv".
std::vector<std::string> short_names(const std::vector<wizard::PreviewRow>& rows);
// "5 paths", "1 path".
std::string count_words(std::size_t count, std::string_view one, std::string_view many);
// Before the offer of a rule: a program failed, or the rule itself is a guess.
std::string_view fallback_words(const wizard::WizardState& state);
inline constexpr std::string_view kKeepOne =
    "Keep at least one field: without any nothing is read.";
// What retries will hold, for a person who decides once for all of them.
std::string retry_words(const wizard::WizardState& state);
// What the next retry adds, without the blank lines before it.
std::string_view added_text(const wizard::WizardState& state);

// What was tried, one text an attempt: "1. the model: failed at the security scan: …".
std::vector<std::string> attempt_words(const wizard::WizardState& state);

}  // namespace airlock::tui
