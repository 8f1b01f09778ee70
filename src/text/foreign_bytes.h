// Bytes that are no UTF-8 text: other encodings, known file formats, control bytes. decode() asks
// this first: a user who sent a PNG image by mistake is told so, not that line 1 has a syntax
// error.
#pragma once

#include <optional>
#include <string_view>

#include "text/cleaning.h"

namespace airlock::text {

// What the bytes are instead of text, with where and how to fix it; nothing when they are UTF-8
// without NUL bytes. Looks behind a UTF-8 byte-order mark.
std::optional<Unrecoverable> find_foreign_bytes(std::string_view raw);

}  // namespace airlock::text
