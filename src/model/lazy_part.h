// Modules that the standard library loads in the middle of other work. A cell has no files to load
// them from, so the zygote loads them before; those that a text cannot lead to are left out.
#pragma once

#include <span>
#include <string_view>

namespace airlock {

struct LazyPart {
  std::string_view name;
  std::string_view needed_by;  // a module; empty: text can be encoded without any
  std::string_view words;      // one of these stands in every text that leads to it: "a|b"
};

std::span<const LazyPart> lazy_parts();

// Pure. Letters count as they are written.
bool may_need(const LazyPart& part, std::string_view text);

}  // namespace airlock
