// A way past the scan, on purpose: the person who runs airlock has asked for it (`validate
// --no-scan`), was warned, and the walls of the cell hold alone. Whoever makes this token promises
// that a person asked, and that the report says so.
#pragma once

namespace airlock::run::grant {

struct Unscanned {
  explicit Unscanned() = default;
};

}  // namespace airlock::run::grant
