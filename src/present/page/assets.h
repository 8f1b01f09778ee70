// The style, the script and the sign of the page, inside of the program. The build writes the table
// from assets/* (tools/embed_assets.py).
#pragma once

#include <span>
#include <string_view>

namespace airlock::page {

struct Asset {
  std::string_view name;  // "page.css"
  std::string_view content_type;
  std::string_view bytes;
};

std::span<const Asset> assets();
// Of all of them: another one with every change, so that a browser may keep them for ever.
std::string_view asset_version();

}  // namespace airlock::page
