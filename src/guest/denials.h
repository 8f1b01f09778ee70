// What the kernel refused to this cell. The filter turns a forbidden system call into SIGSYS; the
// handler here notes which call it was and which line of the guest asked, and lets the call return
// "not permitted". The note stays even when the guest swallows the error.
#pragma once

#include <vector>

#include "model/guest_outcome.h"
#include "os/shared_notes.h"

namespace airlock::guest {

// For the whole process, from now on. `filename` is the str object that names the guest's code; it
// must stay alive. `may_mask`: masking signals is no denial; it is done, but for ours. `shared`
// (may be null) gets a copy of every note, and the guest's line when the supervisor asks for it
// with kAskForLine; it must stay alive too.
void note_denials(void* filename, bool may_mask, os::SharedNotes* shared);

// The notes since the last time, at most 32, each call and line once.
std::vector<Denial> take_denials();

}  // namespace airlock::guest
