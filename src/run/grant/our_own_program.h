// A way past the scan, on purpose: what is loaded into a cell is a part of airlock (the program
// that runs code nodes, the attacks of the doctor), not a guest's. Whoever makes this token
// promises that no text of a guest is in it.
#pragma once

namespace airlock::run::grant {

struct OurOwnProgram {
  explicit OurOwnProgram() = default;
};

}  // namespace airlock::run::grant
