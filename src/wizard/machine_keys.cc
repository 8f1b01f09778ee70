// Which keys mean something in which state: one table, from which footers, help and the machine's
// own guards are made.
#include <vector>

#include "wizard/machine.h"

namespace airlock::wizard {

namespace {

constexpr KeyHelp kApprove{Key::kEnter, "Enter", "Approve",
                           "Approve it under the name shown; `airlock extract NAME` runs it then."};
constexpr KeyHelp kEdit{Key::kEdit, "e", "Edit",
                        "Open it in $VISUAL or $EDITOR; what comes back is validated again."};
constexpr KeyHelp kRegenerate{Key::kRegenerate, "r", "Regenerate",
                              "Begin again from the paths, with all retries."};
constexpr KeyHelp kHint{Key::kHint, "h", "Hint",
                        "Say what you know about the paths, in at most 500 characters."};
constexpr KeyHelp kName{Key::kName, "n", "Name", "Choose another name for the extractor."};
constexpr KeyHelp kPatterns{Key::kPatterns, "p", "Patterns",
                            "See what was detected, and keep or ignore each field."};
constexpr KeyHelp kCancel{Key::kEscape, "Esc", "Cancel",
                          "Leave; a draft that was made waits for 24 hours."};
constexpr KeyHelp kBack{Key::kEscape, "Esc", "Back", "Back to where you were; nothing changes."};
constexpr KeyHelp kStop{Key::kEscape, "Esc", "Stop", "Stop what is going on."};

std::vector<KeyHelp> result_keys(const Sheet& sheet) {
  std::vector<KeyHelp> keys = {kApprove, kName, kEdit, kRegenerate, kHint};
  if (!sheet.patterns.empty()) keys.push_back(kPatterns);
  keys.push_back(kCancel);
  return keys;
}

std::vector<KeyHelp> error_keys(const Sheet& sheet) {
  std::vector<KeyHelp> keys = {
      {Key::kHint, "h", "Add hint", "Say more about the paths, and try once more."},
      {Key::kEdit, "e", "Edit manually", "Open the code in $VISUAL or $EDITOR."},
      {Key::kRegenerate, "r", "Retry fresh", "Start over with the full retry budget."}};
  if (!sheet.patterns.empty()) keys.push_back(kPatterns);
  if (sheet.offers_fallback)
    keys.push_back({Key::kYaml, "y", "YAML fallback", "Look at a simpler rule instead."});
  if (sheet.problem.is_transport && !sheet.model.empty())
    keys.push_back(
        {Key::kWithout, "w", "Without model", "Go on with what airlock can put together itself."});
  keys.push_back({Key::kEscape, "Esc", "Close", "Give up."});
  return keys;
}

}  // namespace

std::vector<KeyHelp> keys_of(const Sheet& sheet) {
  switch (sheet.state) {
    case State::kAnalyzing:
    case State::kGenerating:
    case State::kRegenerating:
      return {kStop};
    case State::kConsent:
      return {
          {Key::kEnter, "Enter", "Send",
           "Send this to the model, and what a retry adds when its answer fails."},
          {Key::kShow, "s", "Send, show retries", "Send this; each retry is shown before it goes."},
          {Key::kWithout, "w", "Without model",
           "Send nothing; go on with what airlock can put together itself."},
          kCancel};
    case State::kRetryConsent:
      return {{Key::kEnter, "Enter", "Send", "Send this retry; the next one is shown too."},
              {Key::kAll, "a", "Send all", "Send this one and the others without asking again."},
              {Key::kWithout, "w", "Without model",
               "Send nothing more; go on with what airlock can put together itself."},
              {Key::kEscape, "Esc", "Send nothing", "Stop here; hint, edit or begin again."}};
    case State::kYamlResult:
    case State::kPythonResult:
      return result_keys(sheet);
    case State::kPatterns:
    case State::kNaming:
    case State::kHintInput:
      return {kBack};
    case State::kEditError:
      return {{Key::kEdit, "e", "Edit again", "Open the editor once more."},
              {Key::kEscape, "Esc", "Discard", "Back to what was there before the edit."}};
    case State::kAnalysisError:
      return error_keys(sheet);
    case State::kYamlFallback:
      return {
          {Key::kYaml, "y", "Use YAML", "Take the simpler rule."},
          sheet.output == OutputKind::kYaml
              ? KeyHelp{Key::kEdit, "e", "Edit it", "Open the rule in $VISUAL or $EDITOR."}
              : KeyHelp{Key::kEdit, "e", "Edit Python manually", "Open the program that failed."},
          kCancel};
    case State::kEditing:
    case State::kApproving:
    case State::kApproved:
    case State::kCanceled:
    case State::kClosed:
      break;
  }
  return {};
}

}  // namespace airlock::wizard
