#include "present/tui/screens/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "present/tui/screens/footer.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

namespace {

using wizard::Phase;

struct Screen {
  Phase phase;
  std::string_view title;
  void (*draw)(const Drawing& drawing);
  std::size_t panes;
};

// One row for each phase: title, function, and how many panes the arrow keys can be given to.
constexpr std::array<Screen, wizard::kPhaseCount> kScreens = {{
    {Phase::kAnalyzing, "AIRLOCK WIZARD", draw_analyzing, 1},
    {Phase::kConsent, "AIRLOCK WIZARD - BEFORE ANYTHING IS SENT", draw_consent, 1},
    {Phase::kRetryConsent, "AIRLOCK WIZARD - BEFORE A RETRY IS SENT", draw_retry_consent, 1},
    {Phase::kGenerating, "AIRLOCK WIZARD", draw_generating, 0},
    {Phase::kRegenerating, "AIRLOCK WIZARD", draw_generating, 0},
    {Phase::kYamlResult, "AIRLOCK WIZARD", draw_result, 3},
    {Phase::kPythonResult, "AIRLOCK WIZARD", draw_result, 3},
    {Phase::kPatterns, "AIRLOCK WIZARD - DETECTED PATTERNS", draw_patterns, 0},
    {Phase::kNaming, "AIRLOCK WIZARD - NAME", draw_naming, 0},
    {Phase::kHintInput, "AIRLOCK WIZARD - HINT", draw_hint, 0},
    {Phase::kEditing, "AIRLOCK WIZARD", draw_editing, 0},
    {Phase::kEditError, "AIRLOCK WIZARD - EDIT NOT TAKEN", draw_error, 1},
    {Phase::kAnalysisError, "AIRLOCK WIZARD - VALIDATION FAILED", draw_error, 1},
    {Phase::kYamlFallback, "AIRLOCK WIZARD - FALLBACK OPTION", draw_fallback, 1},
    {Phase::kApproving, "AIRLOCK WIZARD", draw_approving, 0},
    {Phase::kApproved, "AIRLOCK WIZARD", draw_end, 0},
    {Phase::kCanceled, "AIRLOCK WIZARD", draw_end, 0},
    {Phase::kClosed, "AIRLOCK WIZARD", draw_end, 0},
}};

const Screen& screen_of(Phase phase) {
  const auto found = std::ranges::find(kScreens, phase, &Screen::phase);
  return found == kScreens.end() ? kScreens.back() : *found;
}

// What failed decides what is above the failure.
std::string_view title_of(const wizard::WizardState& state) {
  if (state.phase == Phase::kAnalysisError && state.problem.is_transport) {
    return "AIRLOCK WIZARD - MODEL NOT REACHED";
  }
  if (state.phase == Phase::kAnalysisError && state.problem.stage.empty()) {
    return "AIRLOCK WIZARD - NO RESULT";
  }
  return screen_of(state.phase).title;
}

// Gives back what is above it.
Area draw_footer(const Scene& scene, const Glyphs& glyphs, const Area& area, Canvas& canvas) {
  std::vector<KeyLabel> labels = labels_of(scene, glyphs);
  // The machine's keys come first in the labels; the screen lists those itself.
  if (lists_options(scene.state, scene.size)) {
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

std::size_t pane_count(const wizard::WizardState& state) {
  return screen_of(state.phase).panes;
}

std::string Drawing::spinner() const {
  return std::string(glyphs.spinner[scene.view.tick % glyphs.spinner_steps]);
}

void Drawing::pane(const Area& where, const PaneText& text, std::size_t index) const {
  const Focus focus =
      pane_count(scene.state) > 1 && scene.view.focus == index ? Focus::kYes : Focus::kNo;
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
  picture.pane_count = pane_count(scene.state);
  if (scene.size.width < kSmallest.width || scene.size.height < kSmallest.height) {
    draw_too_small(picture.canvas, glyphs);
    return picture;
  }
  const Screen& screen = screen_of(scene.state.phase);
  const Area frame = draw_box(picture.canvas, picture.canvas.area(), glyphs, title_of(scene.state));
  const Area body = draw_footer(scene, glyphs, frame, picture.canvas);
  screen.draw({scene, glyphs, body, picture});
  if (scene.view.shows_help) draw_help(picture.canvas, scene, glyphs, picture.help);
  return picture;
}

}  // namespace airlock::tui
