// YAML_FALLBACK: the simpler rule, and what it cannot give.
#include <fmt/format.h>

#include "present/tui/draw/paint_code.h"
#include "present/tui/draw/words.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

namespace {

std::string lost_words(const wizard::WizardState& state) {
  if (state.fallback_lost.empty()) return "YAML can extract:";
  std::string names;
  for (const std::string& name : state.fallback_lost) {
    names += (names.empty() ? "" : ", ") + name;
  }
  return fmt::format("YAML cannot compute derived fields ({}), but can extract:", names);
}

}  // namespace

void draw_fallback(const Drawing& drawing) {
  const wizard::WizardState& state = drawing.state();
  ScreenFlow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.gap();
  flow.paragraph(fallback_words(state));
  flow.gap();
  if (!state.hint.empty()) {
    flow.line({{"Original request:"}});
    flow.paragraph('"' + state.hint + '"', Ink::kMuted, 2);
    flow.gap();
  }
  flow.paragraph(lost_words(state));
  drawing.pane(flow.rest(), {"YAML rule", paint_code(state.fallback, OutputKind::kYaml)}, 0);
}

}  // namespace airlock::tui
