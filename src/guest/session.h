// A session inside a cell: pieces in, outcomes out, calls of host functions in between, on the
// cell's own socket. Runs in the process of the guest, behind all its walls; nothing here is
// trusted by the supervisor, which checks tickets, numbers and sizes for itself
// (run/session_cell.h).
#pragma once

#include "os/channel.h"
#include "os/shared_notes.h"
#include "python/guest_code.h"
#include "wire/session_messages.h"

namespace airlock::guest {

// Answers pieces until the socket closes. Returns the exit code.
int run_session(os::Channel& channel, python::GuestCode& code, os::SharedNotes& notes,
                const wire::OpenRequest& open);

}  // namespace airlock::guest
