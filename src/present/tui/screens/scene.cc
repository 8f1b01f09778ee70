#include "present/tui/screens/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "present/tui/screens/footer.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

namespace {

using wizard::State;

struct Screen {
  State state;
  std::string_view title;
  void (*draw)(const Drawing& drawing);
  std::size_t panes;
};

constexpr std::array<Screen, wizard::kStateCount> kScreens = {{
    {State::kAnalyzing, "AIRLOCK WIZARD", draw_analyzing, 1},
    {State::kConsent, "AIRLOCK WIZARD - BEFORE ANYTHING IS SENT", draw_consent, 1},
    {State::kRetryConsent, "AIRLOCK WIZARD - BEFORE A RETRY IS SENT", draw_retry_consent, 1},
    {State::kGenerating, "AIRLOCK WIZARD", draw_generating, 0},
    {State::kRegenerating, "AIRLOCK WIZARD", draw_generating, 0},
    {State::kYamlResult, "AIRLOCK WIZARD", draw_result, 3},
    {State::kPythonResult, "AIRLOCK WIZARD", draw_result, 3},
    {State::kPatterns, "AIRLOCK WIZARD - DETECTED PATTERNS", draw_patterns, 0},
    {State::kNaming, "AIRLOCK WIZARD - NAME", draw_naming, 0},
    {State::kHintInput, "AIRLOCK WIZARD - HINT", draw_hint, 0},
    {State::kEditing, "AIRLOCK WIZARD", draw_editing, 0},
    {State::kEditError, "AIRLOCK WIZARD - EDIT NOT TAKEN", draw_error, 1},
    {State::kAnalysisError, "AIRLOCK WIZARD - VALIDATION FAILED", draw_error, 1},
    {State::kYamlFallback, "AIRLOCK WIZARD - FALLBACK OPTION", draw_fallback, 1},
    {State::kApproving, "AIRLOCK WIZARD", draw_approving, 0},
    {State::kApproved, "AIRLOCK WIZARD", draw_end, 0},
    {State::kCanceled, "AIRLOCK WIZARD", draw_end, 0},
    {State::kClosed, "AIRLOCK WIZARD", draw_end, 0},
}};

const Screen& screen_of(State state) {
  const auto found = std::ranges::find(kScreens, state, &Screen::state);
  return found == kScreens.end() ? kScreens.back() : *found;
}

// What failed decides what is above the failure.
std::string_view title_of(const wizard::Sheet& sheet) {
  if (sheet.state == State::kAnalysisError && sheet.problem.is_transport) {
    return "AIRLOCK WIZARD - MODEL NOT REACHED";
  }
  if (sheet.state == State::kAnalysisError && sheet.problem.stage.empty()) {
    return "AIRLOCK WIZARD - NO RESULT";
  }
  return screen_of(sheet.state).title;
}

// Gives back what is above it.
Area draw_footer(const Scene& scene, const Glyphs& glyphs, const Area& area, Canvas& canvas) {
  std::vector<KeyLabel> labels = labels_of(scene, glyphs);
  if (lists_options(scene.sheet, scene.size)) {
    labels.erase(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(scene.keys.size()));
  }
  const std::vector<Line> lines = footer_lines(labels, area.width, scene.charset);
  const Area foot = area.last_rows(static_cast<int>(lines.size()));
  for (int row = 0; row < foot.height; ++row) {
    canvas.put(foot, {foot.left, foot.top + row}, lines[static_cast<std::size_t>(row)]);
  }
  return area.without_last(foot.height);
}

}  // namespace

std::size_t pane_count(const wizard::Sheet& sheet) {
  return screen_of(sheet.state).panes;
}

std::string Drawing::spinner() const {
  return std::string(glyphs.spinner[scene.view.tick % glyphs.spinner_steps]);
}

void Drawing::pane(const Area& where, const PaneText& text, std::size_t index) const {
  const Focus focus =
      pane_count(scene.sheet) > 1 && scene.view.focus == index ? Focus::kYes : Focus::kNo;
  picture.panes[index] =
      draw_pane(picture.canvas, where, glyphs, text, scene.view.scroll[index], focus);
}

Line fact(std::string_view label, std::string_view text, Ink ink) {
  return {{fmt::format("{:<{}}", fmt::format("{}:", label), kFactColumns), Ink::kMuted},
          {std::string(text), ink}};
}

Picture draw(const Scene& scene) {
  const Glyphs& glyphs = glyphs_of(scene.charset);
  Picture picture{Canvas(scene.size, scene.charset)};
  picture.pane_count = pane_count(scene.sheet);
  if (scene.size.width < kSmallest.width || scene.size.height < kSmallest.height) {
    draw_too_small(picture.canvas, glyphs);
    return picture;
  }
  const Screen& screen = screen_of(scene.sheet.state);
  const Area frame = draw_box(picture.canvas, picture.canvas.area(), glyphs, title_of(scene.sheet));
  const Area body = draw_footer(scene, glyphs, frame, picture.canvas);
  screen.draw({scene, glyphs, body, picture});
  if (scene.view.shows_help) draw_help(picture.canvas, scene, glyphs, picture.help);
  return picture;
}

}  // namespace airlock::tui
