// By Unicode's general categories, as PEP 3131 defines it; the handful of characters that Unicode
// lists by hand beside them (Other_ID_Start) is left out.
#include "base/identifier.h"

#include <utf8proc.h>

#include "base/utf8.h"

namespace airlock {

namespace {

// XID_Start: letters and letter numbers.
bool may_start(char32_t value) {
  if (value == U'_') return true;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(value))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
      return true;
    default:
      return false;
  }
}

// XID_Continue: also combining marks, decimal digits and connectors such as the low line.
bool may_follow(char32_t value) {
  if (may_start(value)) return true;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(value))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_identifier(std::string_view name) {
  for (std::size_t at = 0; at < name.size();) {
    const CodePoint point = decode_utf8(name, at);
    if (point.bytes == 0 || !(at == 0 ? may_start(point.value) : may_follow(point.value)))
      return false;
    at += point.bytes;
  }
  return !name.empty();
}

}  // namespace airlock
