// The screen of the drafts that wait: a list, the text of the one under the cursor, and keys to
// approve or delete it. Drawing and keys are pure functions here; drafts_loop.h acts on the store.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/draft.h"
#include "present/tui/draw/keystroke.h"
#include "present/tui/screens/scene.h"

namespace airlock::tui {

struct DraftsView {
  std::size_t row = 0;
  PaneScroll scroll = {};
  std::string message = {};  // what came of the last key
  bool is_bad = false;       // that message is of a failure
  bool asks_deletion = false;
};

// `now`: ms since 1970.
Picture draw_drafts(std::span<const Draft> drafts, const DraftsView& view, std::int64_t now,
                    Size size, Charset charset);

enum class DraftsAct : std::uint8_t { kNone, kLeave, kApprove, kDelete };

DraftsAct press(DraftsView& view, std::span<const Draft> drafts, const Picture& picture,
                const Keystroke& key);

}  // namespace airlock::tui
