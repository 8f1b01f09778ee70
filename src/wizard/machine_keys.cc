// Which keys mean something in which state: one table, from which footers, help and the machine's
// own guards are made.
#include <vector>

#include "wizard/machine.h"

namespace airlock::wizard {

namespace {

// Keys that mean the same in several phases; those of one phase stand in keys_of(). The texts are
// shown in footers (`action`) and on the help screen (`help`).
constexpr KeyHelp kApprove{WizardKey::kEnter, "Enter", "Approve",
                           "Approve it under the name shown; `airlock extract NAME` runs it then."};
constexpr KeyHelp kEdit{WizardKey::kEdit, "e", "Edit",
                        "Open it in $VISUAL or $EDITOR; what comes back is validated again."};
constexpr KeyHelp kRegenerate{WizardKey::kRegenerate, "r", "Regenerate",
                              "Begin again from the paths, with all retries."};
constexpr KeyHelp kHint{WizardKey::kHint, "h", "Hint",
                        "Say what you know about the paths, in at most 500 characters."};
constexpr KeyHelp kName{WizardKey::kName, "n", "Name", "Choose another name for the extractor."};
constexpr KeyHelp kPatterns{WizardKey::kPatterns, "p", "Patterns",
                            "See what was detected, and keep or ignore each field."};
constexpr KeyHelp kCancel{WizardKey::kEscape, "Esc", "Cancel",
                          "Leave; a draft that was made waits for 24 hours."};
constexpr KeyHelp kBack{WizardKey::kEscape, "Esc", "Back",
                        "Back to where you were; nothing changes."};
constexpr KeyHelp kStop{WizardKey::kEscape, "Esc", "Stop", "Stop what is going on."};

// A key is listed only where it can do something: patterns where there are some, the fallback where
// it is offered.
std::vector<KeyHelp> result_keys(const WizardState& state) {
  std::vector<KeyHelp> keys = {kApprove, kName, kEdit, kRegenerate, kHint};
  if (!state.patterns.empty()) keys.push_back(kPatterns);
  keys.push_back(kCancel);
  return keys;
}

std::vector<KeyHelp> error_keys(const WizardState& state) {
  std::vector<KeyHelp> keys = {
      {WizardKey::kHint, "h", "Add hint", "Say more about the paths, and try once more."},
      {WizardKey::kEdit, "e", "Edit manually", "Open the code in $VISUAL or $EDITOR."},
      {WizardKey::kRegenerate, "r", "Retry fresh", "Start over with the full retry budget."}};
  if (!state.patterns.empty()) keys.push_back(kPatterns);
  if (state.offers_fallback)
    keys.push_back({WizardKey::kYaml, "y", "YAML fallback", "Look at a simpler rule instead."});
  if (state.problem.is_transport && !state.model.empty())
    keys.push_back({WizardKey::kWithoutModel, "w", "Without model",
                    "Go on with what airlock can put together itself."});
  keys.push_back({WizardKey::kEscape, "Esc", "Close", "Give up."});
  return keys;
}

}  // namespace

std::vector<KeyHelp> keys_of(const WizardState& state) {
  switch (state.phase) {
    case Phase::kAnalyzing:
    case Phase::kGenerating:
    case Phase::kRegenerating:
      return {kStop};
    case Phase::kConsent:
      return {{WizardKey::kEnter, "Enter", "Send",
               "Send this to the model, and what a retry adds when its answer fails."},
              {WizardKey::kShow, "s", "Send, show retries",
               "Send this; each retry is shown before it goes."},
              {WizardKey::kWithoutModel, "w", "Without model",
               "Send nothing; go on with what airlock can put together itself."},
              kCancel};
    case Phase::kRetryConsent:
      return {
          {WizardKey::kEnter, "Enter", "Send", "Send this retry; the next one is shown too."},
          {WizardKey::kAll, "a", "Send all", "Send this one and the others without asking again."},
          {WizardKey::kWithoutModel, "w", "Without model",
           "Send nothing more; go on with what airlock can put together itself."},
          {WizardKey::kEscape, "Esc", "Send nothing", "Stop here; hint, edit or begin again."}};
    case Phase::kYamlResult:
    case Phase::kPythonResult:
      return result_keys(state);
    case Phase::kPatterns:
    case Phase::kNaming:
    case Phase::kHintInput:
      return {kBack};
    case Phase::kEditError:
      return {{WizardKey::kEdit, "e", "Edit again", "Open the editor once more."},
              {WizardKey::kEscape, "Esc", "Discard", "Back to what was there before the edit."}};
    case Phase::kAnalysisError:
      return error_keys(state);
    case Phase::kYamlFallback:
      return {
          {WizardKey::kYaml, "y", "Use YAML", "Take the simpler rule."},
          state.output == OutputKind::kYaml
              ? KeyHelp{WizardKey::kEdit, "e", "Edit it", "Open the rule in $VISUAL or $EDITOR."}
              : KeyHelp{WizardKey::kEdit, "e", "Edit Python manually",
                        "Open the program that failed."},
          kCancel};
    // No key at all: an editor has the terminal, the approval is being stored, or the wizard has
    // ended.
    case Phase::kEditing:
    case Phase::kApproving:
    case Phase::kApproved:
    case Phase::kCanceled:
    case Phase::kClosed:
      break;
  }
  return {};
}

}  // namespace airlock::wizard
