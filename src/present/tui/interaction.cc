// A key goes to the first that wants it; nothing here touches the terminal or the session. What
// changes only the view is done here, what concerns the wizard is returned as an event.
#include "present/tui/interaction.h"

#include <algorithm>

#include "base/ascii.h"

namespace airlock::tui {

namespace {

using wizard::Event;
using wizard::KeyHelp;
using wizard::KeyPressed;
using wizard::Phase;
using wizard::WizardKey;
using wizard::WizardState;

constexpr std::size_t kLongestName =
    100;  // characters; longer than a name may be, so the screen can say so
constexpr std::size_t kMostComments = 40;  // lines
constexpr std::size_t kSideways = 8;       // columns that an arrow key scrolls

bool is_typing(Phase phase) {
  return phase == Phase::kNaming || phase == Phase::kHintInput;
}

std::size_t last_top(const Extent& extent) {
  return extent.rows > extent.page_rows ? extent.rows - extent.page_rows : 0;
}

std::size_t last_left(const Extent& extent) {
  return extent.columns > extent.page_columns ? extent.columns - extent.page_columns : 0;
}

// Subtraction that stops at 0.
std::size_t less(std::size_t value, std::size_t by) {
  return value > by ? value - by : 0;
}

// The extents are those of the picture on the screen; a window that became larger may have left the
// place behind the end, so it is brought back first and last. A page keeps one line of the page
// before.
void scroll(PaneScroll& place, const Extent& extent, Stroke stroke) {
  const std::size_t page = std::max<std::size_t>(1, less(extent.page_rows, 1));
  place.top = std::min(place.top, last_top(extent));
  switch (stroke) {
    case Stroke::kUp:
      place.top = less(place.top, 1);
      break;
    case Stroke::kDown:
      place.top += 1;
      break;
    case Stroke::kPageUp:
      place.top = less(place.top, page);
      break;
    case Stroke::kPageDown:
      place.top += page;
      break;
    case Stroke::kHome:
      place = {};
      break;
    case Stroke::kEnd:
      place.top = last_top(extent);
      break;
    case Stroke::kLeft:
      place.left = less(place.left, kSideways);
      break;
    case Stroke::kRight:
      place.left += kSideways;
      break;
    default:
      break;
  }
  place.top = std::min(place.top, last_top(extent));
  place.left = std::min(place.left, last_left(extent));
}

void press_in_help(ScreenView& view, const Picture& picture, const Keystroke& key) {
  const bool closes =
      key.stroke == Stroke::kEscape || key.stroke == Stroke::kEnter ||
      key.stroke == Stroke::kHelp ||
      (key.stroke == Stroke::kCharacter && (key.character == U'?' || key.character == U'q'));
  if (closes) view.shows_help = false;
  scroll(view.help_scroll, picture.help, key.stroke);
}

std::optional<Event> press_in_field(ScreenView& view, const WizardState& state,
                                    const Keystroke& key) {
  if (key.stroke == Stroke::kEnter) {
    if (state.phase == Phase::kNaming) return wizard::NameGiven{view.editor.text()};
    return wizard::HintGiven{view.editor.text()};
  }
  if (key.stroke == Stroke::kEscape) return KeyPressed{WizardKey::kEscape};
  view.editor.press(key);
  return {};
}

std::optional<Event> press_in_patterns(ScreenView& view, const WizardState& state,
                                       const Keystroke& key) {
  view.keep.resize(state.patterns.size(), true);
  const std::size_t last = less(view.keep.size(), 1);
  switch (key.stroke) {
    case Stroke::kEnter:
      return wizard::PatternsChosen{view.keep};
    case Stroke::kEscape:
      return KeyPressed{WizardKey::kEscape};
    case Stroke::kUp:
      view.row = less(view.row, 1);
      break;
    case Stroke::kDown:
      view.row = std::min(view.row + 1, last);
      break;
    case Stroke::kHome:
      view.row = 0;
      break;
    case Stroke::kEnd:
      view.row = last;
      break;
    case Stroke::kCharacter:
      if (key.character == U' ' && view.row < view.keep.size()) {
        view.keep[view.row] = !view.keep[view.row];
      }
      break;
    default:
      break;
  }
  return {};
}

// A letter counts in either case: Caps Lock must not make the keys dead.
std::optional<Event> machine_key(std::span<const KeyHelp> keys, const Keystroke& key) {
  const auto offers = [&](WizardKey wanted) {
    return std::ranges::find(keys, wanted, &KeyHelp::key) != keys.end();
  };
  if (key.stroke == Stroke::kEnter && offers(WizardKey::kEnter))
    return KeyPressed{WizardKey::kEnter};
  if (key.stroke == Stroke::kEscape && offers(WizardKey::kEscape))
    return KeyPressed{WizardKey::kEscape};
  if (key.stroke != Stroke::kCharacter || key.character >= 0x7F) return {};
  const char letter = lower(static_cast<char>(key.character));
  for (const KeyHelp& help : keys) {
    if (help.cap.size() == 1 && help.cap[0] == letter) return KeyPressed{help.key};
  }
  return {};
}

void press_in_panes(ScreenView& view, const WizardState& state, const Picture& picture,
                    const Keystroke& key) {
  const std::size_t panes = pane_count(state);
  if (panes == 0) return;
  if (key.stroke == Stroke::kTab) {
    view.focus = (view.focus + 1) % panes;
  } else if (key.stroke == Stroke::kBackTab) {
    view.focus = (view.focus + panes - 1) % panes;
  } else if (view.focus < kMostPanes) {
    scroll(view.scroll[view.focus], picture.panes[view.focus], key.stroke);
  }
}

// What a paste holds is text, whatever keys it looks like: its line breaks must not press Enter.
Keystroke as_text(const Keystroke& key) {
  if (key.stroke == Stroke::kEnter || key.stroke == Stroke::kTab) {
    return {Stroke::kCharacter, U' '};
  }
  return key.stroke == Stroke::kCharacter ? key : Keystroke{};
}

}  // namespace

ScreenView view_of(const WizardState& state) {
  ScreenView view;
  if (state.phase == Phase::kHintInput) {
    view.editor = LineEditor(state.hint, wizard::kLongestHint);
  } else if (state.phase == Phase::kNaming) {
    view.editor = LineEditor(state.name, kLongestName);
  }
  // An inferred rule begins with comments that the screen says itself; they are above.
  if (state.phase == Phase::kYamlResult) {
    for (const std::string& line : lines_of(state.text, kMostComments)) {
      if (!line.starts_with('#')) break;
      ++view.scroll[0].top;
    }
  }
  for (const wizard::PatternRow& row : state.patterns) view.keep.push_back(row.keep);
  return view;
}

std::optional<Event> press(ScreenView& view, const WizardState& state,
                           std::span<const KeyHelp> keys, const Picture& picture,
                           const Keystroke& key) {
  if (key.stroke == Stroke::kPasteBegin || key.stroke == Stroke::kPasteEnd) {
    view.is_pasting = key.stroke == Stroke::kPasteBegin;
    return {};
  }
  // The order decides who gets a key: a paste, the help overlay, the key that opens it, a field,
  // the list of patterns, the machine, and last the panes.
  if (view.is_pasting) {
    if (is_typing(state.phase) && !view.shows_help) view.editor.press(as_text(key));
    return {};
  }
  if (view.shows_help) {
    press_in_help(view, picture, key);
    return {};
  }
  const bool asks_help =
      key.stroke == Stroke::kHelp ||
      (key.stroke == Stroke::kCharacter && key.character == U'?' && !is_typing(state.phase));
  if (asks_help) {
    view.shows_help = true;
    view.help_scroll = {};
    return {};
  }
  if (is_typing(state.phase)) return press_in_field(view, state, key);
  if (state.phase == Phase::kPatterns) return press_in_patterns(view, state, key);
  if (auto event = machine_key(keys, key)) return event;
  press_in_panes(view, state, picture, key);
  return {};
}

}  // namespace airlock::tui
