// The keys that work now, at the foot of every screen. They come from wizard::keys_of() and from
// the screen itself, so a key that is shown works, and one that works is shown.
#pragma once

#include <string>
#include <vector>

#include "present/tui/draw/canvas.h"
#include "present/tui/draw/glyphs.h"
#include "present/tui/screens/scene.h"

namespace airlock::tui {

struct KeyLabel {
  std::string cap;
  std::string action;
};

// Keys of the machine, then those of the screen itself.
std::vector<KeyLabel> labels_of(const Scene& scene, const Glyphs& glyphs);

// In as many rows as they need.
std::vector<Line> footer_lines(const std::vector<KeyLabel>& labels, int columns, Charset charset);

// "[h] Hint - Provide more context …", a key a line, for screens that ask what to do now.
std::vector<Line> option_lines(const Scene& scene, const Glyphs& glyphs, int columns);

}  // namespace airlock::tui
