// A report for people in a file of its own, put in place at once: nobody opens half a page.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace airlock {

Result<void> write_page(const std::string& file, std::string_view page);
// The same, for its owner's eyes: mode 0600 whatever the user's mask.
Result<void> write_private_page(const std::string& file, std::string_view page);

}  // namespace airlock
