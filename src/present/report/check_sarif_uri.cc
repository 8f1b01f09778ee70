#include <fmt/format.h>

#include <iterator>

#include "base/ascii.h"
#include "present/report/check_sarif_parts.h"

namespace airlock::cli {

namespace {

// RFC 3986, section 2.3.
bool is_unreserved(char c) {
  return is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

std::string percent_encoded(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (is_unreserved(c) || c == '/') {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace

nlohmann::ordered_json sarif_location(std::string_view file) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  if (file.starts_with('/')) {
    out["uri"] = "file://" + percent_encoded(file);
    return out;
  }
  while (file.starts_with("./")) {
    file.remove_prefix(2);
    while (file.starts_with('/'))
      file.remove_prefix(1);  // ".//x" names the same file, "//x" another host
  }
  out["uri"] = percent_encoded(file);
  out["uriBaseId"] = kSourceRoot;
  return out;
}

}  // namespace airlock::cli
