// The `?` overlay: every key that works now with its sentence, and how to move; and what a terminal
// shows that is too small for anything else.
#include <fmt/format.h>

#include <algorithm>

#include "present/tui/screens/footer.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

namespace {

struct HelpEntry {
  std::string cap;
  std::string text;
};

// In the order of use: what the screen itself does with keys, the machine's keys, moving, the
// terminal.
std::vector<HelpEntry> entries_of(const Scene& scene, const Glyphs& glyphs) {
  using wizard::Phase;
  const Phase phase = scene.state.phase;
  const bool is_typing = phase == Phase::kNaming || phase == Phase::kHintInput;
  std::vector<HelpEntry> entries;
  if (is_typing) {
    entries.push_back({"Enter", "Take what was typed."});
    entries.push_back({std::string(glyphs.left_right), "Move the cursor; Home and End too."});
    entries.push_back({"Ctrl-W", "Erase the word before the cursor."});
    entries.push_back({"Ctrl-U", "Erase everything before the cursor; Ctrl-K what follows it."});
  }
  if (phase == Phase::kPatterns) {
    entries.push_back({"Enter", "Make the rule again from the fields that are kept."});
    entries.push_back({"Space", "Keep or ignore the field under the cursor."});
    entries.push_back({std::string(glyphs.up_down), "Move to another field."});
  }
  for (const wizard::KeyHelp& key : scene.keys) {
    entries.push_back({std::string(key.cap), in_charset(key.help, glyphs)});
  }
  if (pane_count(scene.state) > 0) {
    entries.push_back({std::string(glyphs.up_down), "Scroll a line; PgUp and PgDn a page."});
    entries.push_back({std::string(glyphs.left_right), "Scroll sideways."});
    entries.push_back({"Home, End", "To the beginning, to the end."});
  }
  if (pane_count(scene.state) > 1) {
    entries.push_back({"Tab", "Give the arrow keys to the next pane."});
  }
  entries.push_back({"Ctrl-L", "Draw the screen anew."});
  entries.push_back({"Ctrl-Z", "Put the wizard aside; `fg` brings it back."});
  entries.push_back({"Ctrl-C", "Leave at once; a draft that was made is kept."});
  entries.push_back({is_typing ? "F1" : "?", "Show and hide this help."});
  return entries;
}

}  // namespace

void draw_help(Canvas& canvas, const Scene& scene, const Glyphs& glyphs, Extent& extent) {
  // Columns for the names of keys; the sentences stand behind them.
  constexpr int kCapColumns = 12;
  // Four columns of the screen stay visible on each side, and the lines stay short enough to read.
  const int width = std::min(canvas.size().width - 8, 76);
  std::vector<Line> lines;
  for (const HelpEntry& entry : entries_of(scene, glyphs)) {
    bool is_first = true;
    for (Line& row : wrapped(entry.text, width - 4 - kCapColumns, scene.charset)) {
      const std::size_t used = is_first ? columns_of(entry.cap, scene.charset) : 0;
      const std::string padding(kCapColumns - std::min<std::size_t>(used, kCapColumns - 1), ' ');
      row.insert(row.begin(), InkSpan{(is_first ? entry.cap : "") + padding, Ink::kKey});
      is_first = false;
      lines.push_back(std::move(row));
    }
  }
  const int height = std::min(canvas.size().height - 4, static_cast<int>(lines.size()) + 2);
  const Area box = {(canvas.size().width - width) / 2, (canvas.size().height - height) / 2, width,
                    height};
  canvas.clear(box);
  extent = draw_pane(canvas, box, glyphs, {"Keys (Esc closes this)", lines}, scene.view.help_scroll,
                     Focus::kYes);
}

void draw_too_small(Canvas& canvas, const Glyphs& glyphs) {
  const std::string text = fmt::format("make the window larger (now {}{}{}, needs {}{}{})",
                                       canvas.size().width, glyphs.times, canvas.size().height,
                                       kSmallest.width, glyphs.times, kSmallest.height);
  ScreenFlow flow(canvas, canvas.area(), glyphs);
  flow.paragraph(text);
  flow.paragraph("[Esc] works", Ink::kMuted);
}

}  // namespace airlock::tui
