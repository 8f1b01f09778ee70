// Folders that belong to this user alone: mode 0700, no symbolic link, nobody else's.
// airlock's database and blobs live in such folders. What is in them decides what is run and shown,
// so whoever else can write there could make airlock believe anything.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::os {

// The folder `path`, opened; it is made if it is missing, with what is missing above it. Refused: a
// symbolic link, a folder of another user, one that others can write to. A folder that others can
// only read is made private when each entry begins with one of `ours`; with anything else in it
// (somebody's home, by mistake) it is refused too, and not touched.
Result<Fd> open_private_folder(const std::string& path, std::span<const std::string_view> ours);

// The folder `name` inside `parent`, a private one; made if it is missing, and made private
// whatever it was. Never follows a link. `shown` is its whole name, for messages.
Result<Fd> open_folder_inside(int parent, const std::string& name, const std::string& shown);

// Nothing when `path` is a plain file or does not exist; otherwise what is wrong with it.
Result<void> refuse_unless_plain_file(const std::string& path);

}  // namespace airlock::os
