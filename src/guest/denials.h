// The cell's half of counting what the kernel denied to it. Runs in the guest's own process, inside
// signal handlers: no allocation, no locks, statics only.
//
// Without native code (Counting::kByNotes) the filter turns a forbidden call into SIGSYS. The
// handler writes call number and guest line into the shared notes and lets the call return EPERM.
// The guest has no way to write to the notes, so the supervisor takes them as facts. With native
// code (Counting::kBySupervisor) the notes could be forged. The kernel then holds each denied call
// until the supervisor has counted it; the handler only supplies the line, as a hint. Either way
// the supervisor reads the notes itself: no answer of the cell mentions denials.
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
// From now on the guest's code is called this: of a session, the piece that runs.
void rename_guest_code(void* filename);

}  // namespace airlock::guest
