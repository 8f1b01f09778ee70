// Modules that the standard library imports in the middle of other work: the first strptime()
// imports _strptime, the first encode("gbk") imports encodings.gbk. A cell has no files to import
// them from, so the zygote does it beforehand (python/warm_up.h). Each costs start-up time and
// memory, so those that a given text cannot lead to are left out (engine/policy/narrow_policy.h).
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
