// What a text is, by where it comes from. It decides what may be cleaned before it is judged.
// The difference matters for safety: of an answer, the part that was taken out is what runs; a file
// runs whole, by whoever finds it, so judging a part of it would be a false promise
// (docs/decisions/0021).
#pragma once

#include <cstdint>
#include <string_view>

namespace airlock {

enum class TextKind : std::uint8_t {
  kAnswer,   // a model's: the code is taken out of what surrounds it
  kProgram,  // a file that somebody will run: judged as it stands, byte-order mark and line ends
             // aside
  kPiece,    // of a session: as a program, and no word about what cleaning would make of it
};

// By the name of the file: *.py is a program, everything else (and "-") an answer.
TextKind text_kind_of(std::string_view file);

}  // namespace airlock
