// A hole in the jail, on purpose: a cell without the system-call filter. The doctor asks for it to
// show that the walls behind the filter stand by themselves. Whoever makes this token promises that
// no line of a guest is run in the process.
#pragma once

namespace airlock::jail::grant {

struct OnlyOurCode {
  explicit OnlyOurCode() = default;
};

}  // namespace airlock::jail::grant
