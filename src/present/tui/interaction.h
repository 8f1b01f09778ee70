// What a key does: to the view (scrolling, focus, typing, help), or as an event for the wizard's
// machine. Pure, so that every key can be tried without a terminal. wizard_screen.cc calls it for
// each key.
#pragma once

#include <optional>
#include <span>

#include "present/tui/draw/keystroke.h"
#include "present/tui/screens/scene.h"

namespace airlock::tui {

// A fresh view for a state that was entered: the field holds the hint or the name, the patterns are
// as the state has them.
ScreenView view_of(const wizard::WizardState& state);

// `picture`: what is on the screen now; it bounds the scrolling. What is pasted goes into a field
// or nowhere: it cannot approve anything.
std::optional<wizard::Event> press(ScreenView& view, const wizard::WizardState& state,
                                   std::span<const wizard::KeyHelp> keys, const Picture& picture,
                                   const Keystroke& key);

}  // namespace airlock::tui
