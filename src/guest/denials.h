// What the kernel refused to this cell, as far as this side of the wall has to do with it. Where
// the filter turns a forbidden call into SIGSYS, the handler here notes which call it was and which
// line of the guest asked, and lets the call return "not permitted". Where the call waits for the
// supervisor instead, the handler is asked for the line alone. The supervisor reads the notes for
// itself: they are in no answer, and nothing here takes one back.
#pragma once

#include <cstdint>

#include "os/shared_notes.h"

namespace airlock::guest {

// Who counts what is denied.
enum class Counting : std::uint8_t { kByNotes, kBySupervisor };

// For the whole process, from now on. `filename` is the str object that names the guest's code; it
// must stay alive. `shared` (may be null) gets the notes, and the guest's line when the supervisor
// asks for it with kLineRequestSignal; it must stay alive too. With kBySupervisor, masking signals
// is no denial; it is done, but for ours.
void install_denial_handlers(void* filename, Counting counting, os::SharedNotes* shared);

}  // namespace airlock::guest
