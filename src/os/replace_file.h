// Files that are whole or not there: written under another name beside their place, synced, and
// put in place at once.
// A reader, and a crash, see the old bytes or the new ones, never a half of each.
#pragma once

#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/result.h"

namespace airlock::os {

enum class ReadableBy { kUsersMask, kOwner };  // 0666 less the user's mask, or 0600

// `path` as the user named it. What was there before stays when anything fails. A link in its place
// is replaced, never followed; /dev/null and descriptors of ours (/dev/stdout, /dev/fd/N) are
// written to; anything else that is no file is an Error.
Result<void> replace_file(const std::string& path, std::string_view bytes,
                          ReadableBy readers = ReadableBy::kUsersMask);

// Whether replace_file() could begin, with the Error that it would have: for those who first do
// something that cannot be undone. Nothing is left, and what is there is not touched.
Result<void> can_replace_file(const std::string& path);

// The file `name` below `folder`; folders on the way are made (0700), links are refused. The file
// is 0600.
Result<void> place_file_beneath(const Fd& folder, const std::string& name, std::string_view bytes);

}  // namespace airlock::os
