// NAMING: the name under which `airlock extract` will know it.
#include "present/tui/field.h"

namespace airlock::tui {

void draw_naming(const Drawing& drawing) {
  const wizard::Sheet& sheet = drawing.sheet();
  Flow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.gap();
  flow.paragraph("Under which name shall it be approved? `airlock extract NAME` runs it then.");
  flow.gap();
  draw_field(drawing, flow.rest().first_rows(3), "Extractor name");
  flow.skip(3);
  if (!sheet.name_trouble.empty()) {
    flow.paragraph(std::string(drawing.glyphs.warning) + ' ' + sheet.name_trouble, Ink::kWarning);
  }
  flow.gap();
  draw_samples(drawing, flow.rest().without_last(1));
}

}  // namespace airlock::tui
