// Whether what was typed so far is a whole piece, as CPython's own parser sees it: the vetter is
// asked, and the words of its SyntaxError tell an end that came too early from a mistake.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "engine/resident/rooms.h"
#include "model/policy.h"
#include "model/verdict.h"

namespace airlock {

enum class Completeness : std::uint8_t {
  kWhole,
  kOpen,   // a bracket, a string of three quotes or a line joined by \ is not closed
  kBlock,  // a block has to follow: after a colon, a decorator, the body of a try
  kWrong,  // no text that follows would mend it, or it is refused for another reason
};

// `code` is what was judged.
Completeness completeness_of(const Verdict& verdict, std::string_view code);

// An Error: no vetter can be had.
Result<Completeness> find_completeness(Rooms& rooms, const Policy& policy, std::string_view code);

}  // namespace airlock
