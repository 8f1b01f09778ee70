// What comes from a probe's cell and from a stranger's repository: answers, patterns, ignore files,
// names of artifacts. The first byte says which. Properties: nothing crashes or hangs; what is read
// keeps its promises.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/glob.h"
#include "base/printable.h"
#include "probe/artifacts.h"
#include "probe/ignore_rules.h"
#include "probe/probe_info.h"

namespace {

using namespace airlock;

void require(bool holds) {
  if (!holds) std::abort();
}

void read_answers(std::string_view text) {
  if (const auto info = probe::read_description(text)) {
    require(!info->name.empty() && info->name.size() <= 64 && printable(info->name) == info->name);
    require(info->timeout_ms > 0 && info->timeout_ms <= 86'400'000);
  }
  static_cast<void>(probe::read_applies(text));
  if (const auto output = probe::read_output(RawDocument(std::string(text))))
    require(output->document == RawDocument() || output->refused.empty());
}

// A pattern, a zero byte, a path.
void match(std::string_view text) {
  const std::size_t zero = text.find('\0');
  if (zero == std::string_view::npos) return;
  const std::string_view path = text.substr(zero + 1);
  const auto glob = Glob::parse(text.substr(0, zero));
  if (!glob) return;
  const bool fits = glob->matches(path);
  // Braces are alternatives: one of the forms fits, each taken alone.
  if (zero <= 200 && path.size() <= 1000) {
    const auto forms = expand_braces(text.substr(0, zero));
    require(forms.has_value());
    bool fits_one = false;
    for (const std::string& form : *forms) {
      const auto one = Glob::parse(form);  // an empty form is no pattern, and fits no name
      fits_one = fits_one || (one ? one->matches(path) : form.empty() && path.empty());
    }
    require(fits == fits_one);
  }
  // A path without anything special is a pattern that fits itself.
  if (!path.empty() && path.find_first_of("*?[]{}\\,!^") == std::string_view::npos) {
    const auto itself = Glob::parse(path);
    require(!itself || itself->matches(path));
  }
}

void ignore(std::string_view text) {
  const std::size_t zero = text.find('\0');
  if (zero == std::string_view::npos) return;
  const auto rules = probe::IgnoreRules::parse(std::string(text.substr(0, zero)));
  static_cast<void>(rules.judge(text.substr(zero + 1), true));
  static_cast<void>(rules.judge(text.substr(zero + 1), false));
}

void name(std::string_view text) {
  if (!probe::is_inner_name(text)) return;
  require(text.front() != '/' && !text.contains("//") && text != ".." && !text.starts_with("../") &&
          !text.contains("/../") && !text.ends_with("/.."));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 4) {
    case 0:
      read_answers(text);
      break;
    case 1:
      match(text);
      break;
    case 2:
      ignore(text);
      break;
    default:
      name(text);
  }
  return 0;
}
