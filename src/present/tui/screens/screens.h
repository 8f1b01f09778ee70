// One function a screen; each stands in a file of its own. draw() (scene.h) makes the frame and the
// footer, and gives what is between them to the one for the state.
#pragma once

#include "present/tui/screens/pane.h"
#include "present/tui/screens/scene.h"

namespace airlock::tui {

// What a screen's function is given: the scene to draw, the area between frame and footer, and the
// picture to draw on.
struct Drawing {
  const Scene& scene;
  const Glyphs& glyphs;
  Area area;
  Picture& picture;

  const wizard::WizardState& state() const { return scene.state; }
  Canvas& canvas() const { return picture.canvas; }
  std::string spinner() const;
  // A pane that the arrow keys may be given to; `index` is its place in ScreenView::scroll.
  void pane(const Area& where, const PaneText& text, std::size_t index) const;
};

void draw_analyzing(const Drawing& drawing);
void draw_consent(const Drawing& drawing);
void draw_retry_consent(const Drawing& drawing);
void draw_generating(const Drawing& drawing);
void draw_result(const Drawing& drawing);
void draw_patterns(const Drawing& drawing);
void draw_naming(const Drawing& drawing);
void draw_hint(const Drawing& drawing);
void draw_editing(const Drawing& drawing);
void draw_error(const Drawing& drawing);  // EDIT_ERROR and ANALYSIS_ERROR
void draw_fallback(const Drawing& drawing);
void draw_approving(const Drawing& drawing);
void draw_end(const Drawing& drawing);

void draw_help(Canvas& canvas, const Scene& scene, const Glyphs& glyphs, Extent& extent);
void draw_too_small(Canvas& canvas, const Glyphs& glyphs);

// Whether the screen itself lists the keys, each with its sentence; then the footer does not.
bool lists_options(const wizard::WizardState& state, Size size);

// "Label:      text" with the texts of several below each other.
Line fact(std::string_view label, std::string_view text, Ink ink = Ink::kPlain);
inline constexpr std::size_t kFactColumns = 14;

}  // namespace airlock::tui
