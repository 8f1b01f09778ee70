/* Where in the guest's code are we? Asked from a signal handler, so: no allocation, no locks, no
 * exceptions, and it works while the GIL is released. In C, because CPython's frame headers do not
 * compile as C++. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The line of the innermost frame of a sandboxed node's own code (library/airlock_node names it
 * "<node …>" or "<code>"); else of the innermost one whose code is from the file named by
 * `filename` (a str object, compared by identity first, then by text); 0 when there is none. */
int airlock_guest_line(void* filename);

/* Whether the code at work belongs to a module that is being imported, and is not the guest's own
 * (as above). A hint: code that may run anything can make it look so. */
int airlock_is_importing(void* filename);

/* The code object of the innermost Python frame and the builtins that it sees, both borrowed; null
 * when no Python runs. Needs the GIL. */
void airlock_innermost(void** code, void** builtins);

#ifdef __cplusplus
}
#endif
