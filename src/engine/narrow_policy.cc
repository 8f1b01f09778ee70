#include "engine/narrow_policy.h"

#include <algorithm>

namespace airlock {

namespace {

bool is_plain(std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  return std::ranges::all_of(text, is_ascii) && text.find("\\u") == std::string_view::npos;
}

}  // namespace

Policy narrow_to(std::string_view raw, Policy policy) {
  if (!is_plain(raw)) return policy;
  std::erase_if(policy.modules, [&](const Surface& surface) {
    const std::string_view name = surface.name;
    return raw.find(name.substr(0, name.find('.'))) == std::string_view::npos;
  });
  return policy;
}

}  // namespace airlock
