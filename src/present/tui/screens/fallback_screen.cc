// YAML_FALLBACK: the simpler rule, and what it cannot give.
#include <fmt/format.h>

#include "present/tui/draw/paint_code.h"
#include "present/tui/draw/words.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

namespace {

std::string lost_words(const wizard::Sheet& sheet) {
  if (sheet.fallback_lost.empty()) return "YAML can extract:";
  std::string names;
  for (const std::string& name : sheet.fallback_lost) {
    names += (names.empty() ? "" : ", ") + name;
  }
  return fmt::format("YAML cannot compute derived fields ({}), but can extract:", names);
}

}  // namespace

void draw_fallback(const Drawing& drawing) {
  const wizard::Sheet& sheet = drawing.sheet();
  Flow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.gap();
  flow.paragraph(fallback_words(sheet));
  flow.gap();
  if (!sheet.hint.empty()) {
    flow.line({{"Original request:"}});
    flow.paragraph('"' + sheet.hint + '"', Ink::kMuted, 2);
    flow.gap();
  }
  flow.paragraph(lost_words(sheet));
  drawing.pane(flow.rest(), {"YAML rule", paint_code(sheet.fallback, OutputKind::kYaml)}, 0);
}

}  // namespace airlock::tui
