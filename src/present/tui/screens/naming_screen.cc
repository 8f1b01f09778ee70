// NAMING: the name under which `airlock extract` will know it.
#include "engine/approve/drafts.h"
#include "present/tui/screens/field.h"

namespace airlock::tui {

void draw_naming(const Drawing& drawing) {
  ScreenFlow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.gap();
  flow.paragraph("Under which name shall it be approved? `airlock extract NAME` runs it then.");
  flow.gap();
  draw_field(drawing, flow.rest().first_rows(3), "Extractor name");
  flow.skip(3);
  // Of what stands there now, not of what was given last.
  if (const std::string trouble = name_trouble(drawing.scene.view.editor.text());
      !trouble.empty()) {
    flow.item({std::string(drawing.glyphs.warning) + ' ', Ink::kWarning}, trouble);
  }
  flow.gap();
  draw_samples(drawing, flow.rest().without_last(1));
}

}  // namespace airlock::tui
