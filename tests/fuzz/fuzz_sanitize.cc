// The scrubber for any text: scrubbing twice changes nothing, and a secret that is planted anywhere
// in the text, as its row of the table makes one, does not survive.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "admit/credentials.h"
#include "admit/scrub_text.h"
#include "support/example_secrets.h"

namespace {

void require(bool is_so) {
  if (!is_so) std::abort();
}

// The longest run of the example: what must not be read anywhere afterwards.
std::string heart_of(std::string_view recipe, std::uint64_t number) {
  const std::string example = airlock::make_example(recipe, number);
  return example.size() > 24 ? example.substr(example.size() - 20) : std::string();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static airlock::TextScrubber scrubber({{"/srv/repo", "C:\\work\\repo"}, {}});
  if (size < 3) return 0;
  const auto kinds = airlock::all_credential_kinds();
  const airlock::CredentialKind& kind = kinds[data[0] % kinds.size()];
  const std::string text(reinterpret_cast<const char*>(data + 2), size - 2);

  const std::string once = scrubber.scrubbed(text);
  require(scrubber.scrubbed(once) == once);

  // Between blanks, so that it is whole whatever stands around it.
  const std::string example = airlock::make_example(kind.example, data[1]);
  const std::size_t at = data[1] % (text.size() + 1);
  const std::string planted = text.substr(0, at) + " " + example + " " + text.substr(at);
  const std::string scrubbed = scrubber.scrubbed(planted);
  require(scrubber.scrubbed(scrubbed) == scrubbed);
  const std::string heart = heart_of(kind.example, data[1]);
  if (kind.guess == airlock::Guess::kUnguessable && !heart.empty() && kind.example.ends_with('}') &&
      text.find(heart) == std::string::npos)
    require(scrubbed.find(heart) == std::string::npos);
  return 0;
}
