// What is said on the normal screen after the wizard has been left: what was approved, or which
// draft waits, for how long, and the command that goes on. The same words after screens and after
// lines. Pure.
#pragma once

#include <optional>
#include <string>

#include "present/tui/draw/glyphs.h"
#include "wizard/wizard_state.h"

namespace airlock::tui {

// `signal`: what ended the wizard, when it was not a key. With line ends.
std::string summary_of(const wizard::WizardState& state, std::optional<int> signal,
                       const Glyphs& glyphs);

// 0: approved; 1: nothing was; 128 + the signal.
int exit_code_of(const wizard::WizardState& state, std::optional<int> signal);

}  // namespace airlock::tui
