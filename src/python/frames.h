/* Where in the guest's code are we? Asked from a signal handler, so: no allocation, no locks, no
 * exceptions, and it works while the GIL is released. In C, because CPython's frame headers do not
 * compile as C++. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The line of the innermost frame whose code is from the file named by `filename` (a str object,
 * compared by identity first, then by text); 0 when there is none. */
int airlock_guest_line(void* filename);

/* Whether the innermost Python frame is the guest's own, and not a library's. */
int airlock_guest_is_innermost(void* filename);

#ifdef __cplusplus
}
#endif
