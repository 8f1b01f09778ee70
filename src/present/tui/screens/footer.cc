#include "present/tui/screens/footer.h"

#include <fmt/format.h>

#include "present/tui/screens/pane.h"

namespace airlock::tui {

namespace {

using wizard::Phase;

bool is_typing(Phase phase) {
  return phase == Phase::kNaming || phase == Phase::kHintInput;
}

}  // namespace

std::vector<KeyLabel> labels_of(const Scene& scene, const Glyphs& glyphs) {
  const Phase phase = scene.state.phase;
  std::vector<KeyLabel> labels;
  // Where something is typed or chosen, Enter is a key of the screen.
  if (phase == Phase::kNaming) labels.push_back({"Enter", "Use this name"});
  if (phase == Phase::kHintInput) labels.push_back({"Enter", "Try again with it"});
  if (phase == Phase::kPatterns) labels.push_back({"Enter", "Apply"});
  for (const wizard::KeyHelp& key : scene.keys) {
    labels.push_back({std::string(key.cap), in_charset(key.action, glyphs)});
  }
  if (phase == Phase::kPatterns) {
    labels.push_back({"Space", "Keep or ignore"});
    labels.push_back({std::string(glyphs.up_down), "Move"});
  } else if (pane_count(scene.state) > 0) {
    labels.push_back({std::string(glyphs.up_down), "Scroll"});
  }
  if (pane_count(scene.state) > 1) labels.push_back({"Tab", "Next pane"});
  // While something is typed, '?' is a character.
  labels.push_back({is_typing(phase) ? "F1" : "?", "Help"});
  return labels;
}

// A key and its action stay together: a row ends where the next pair does not fit.
std::vector<Line> footer_lines(const std::vector<KeyLabel>& labels, int columns, Charset charset) {
  constexpr std::size_t kGap = 3;  // columns between two keys
  std::vector<Line> lines;
  std::size_t used = 0;
  for (const KeyLabel& label : labels) {
    const Line item = {{'[' + label.cap + ']', Ink::kKey}, {' ' + label.action}};
    const std::size_t width = columns_of(item, charset);
    if (lines.empty() || used + kGap + width > static_cast<std::size_t>(columns)) {
      lines.emplace_back();
      used = 0;
    } else {
      lines.back().push_back({std::string(kGap, ' ')});
      used += kGap;
    }
    lines.back().insert(lines.back().end(), item.begin(), item.end());
    used += width;
  }
  return lines;
}

std::vector<Line> option_lines(const Scene& scene, const Glyphs& glyphs, int columns) {
  std::vector<Line> lines;
  for (const wizard::KeyHelp& key : scene.keys) {
    const std::string cap = fmt::format("[{}]", key.cap);
    const std::string text = in_charset(fmt::format("{} - {}", key.action, key.help), glyphs);
    const int indent = static_cast<int>(cap.size()) + 1;
    bool is_first = true;
    for (Line& row : wrapped(text, columns - indent, scene.charset)) {
      row.insert(row.begin(), is_first
                                  ? InkSpan{cap + ' ', Ink::kKey}
                                  : InkSpan{std::string(static_cast<std::size_t>(indent), ' ')});
      is_first = false;
      lines.push_back(std::move(row));
    }
  }
  return lines;
}

}  // namespace airlock::tui
