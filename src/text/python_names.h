// Which names a piece of code binds and which it mentions: enough to see that one block needs
// another.
// Used on code that does not parse yet, before the blocks are put together; not a judgement about
// anything (vet/ has its own binder for that).
#pragma once

#include <string_view>
#include <unordered_set>

namespace airlock::text {

// The views are into the code that was read.
struct NameUse {
  std::unordered_set<std::string_view> defined;  // at column 0: def, class, import, assignment
  std::unordered_set<std::string_view> bound;    // anywhere: also parameters, loop variables, `as`
  std::unordered_set<std::string_view> mentioned;  // everywhere but in comments and plain strings

  // Whether this code mentions, and does not bind, a name that `other` defines.
  bool needs(const NameUse& other) const;
};

NameUse collect_names(std::string_view code);

}  // namespace airlock::text
