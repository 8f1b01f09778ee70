// The one way to open a file that somebody named. A name can lead to anything, and opening some of
// it waits for ever (a pipe that nobody writes to) or does something (a device). Taken: a file,
// /dev/null, and a descriptor that this program was given, by its name (/dev/stdin, /dev/stdout,
// /dev/fd/N, /proc/self/fd/N: what a shell makes of <(…)), whatever that is; to write, /dev/full
// too. A pipe, socket or device with a name of its own, and a folder, are Errors at once: nothing
// here waits.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::os {

// Whether the name is one of those by which a program's own descriptors go.
bool names_own_descriptor(std::string_view path);

// "a folder", "a pipe", …; empty for a file and for /dev/null.
std::string_view what_instead_of_file(const struct stat& about);

// An Error begins with "read PATH: " or "write PATH: ".
Result<Fd> open_to_read(const std::string& path);
// The same; "-" is standard input, read on from where it stands.
Result<Fd> open_input(const std::string& path);
// The file is made if it is missing, with the mode that the user's mask leaves.
Result<Fd> open_to_append(const std::string& path);
// What is there already and is no file: a descriptor of ours, or /dev/null.
Result<Fd> open_stream_to_write(const std::string& path);

// The file `name` in `folder`, if it is this user's own work: a file and no link, with one name, of
// this user, that nobody else can write to. An Error says which of these it is not; `shown` is its
// whole name.
Result<Fd> open_own_file(int folder, const std::string& name, const std::string& shown, int flags);

// What a new file gets: 0666 less the user's mask.
mode_t usual_mode();

}  // namespace airlock::os
