// A settings file is the user's own, but a typo must not crash the program:
// (1) every mistake has a place and says something, in UTF-8;
// (2) what is taken over is what its setting allows.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/utf8.h"
#include "llm/settings.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = airlock::llm::parse_settings(text, "config.toml");
  for (const airlock::llm::SettingMistake& mistake : parsed.mistakes) {
    airlock::fuzz::require(mistake.line > 0 && mistake.column > 0 && !mistake.text.empty());
    airlock::fuzz::require(!airlock::find_invalid_utf8(mistake.text));
  }
  airlock::llm::Settings settings;
  for (const airlock::llm::SettingValue& value : parsed.values) {
    airlock::fuzz::require(airlock::llm::trouble_with(*value.spec, value.text).empty());
    value.spec->apply(settings, value.text);
  }
  airlock::fuzz::require(settings.model.max_tokens > 0 && settings.log.retention_days > 0);
  return 0;
}
