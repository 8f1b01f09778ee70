// A bundle comes from anywhere:
// (1) a refusal says something, in UTF-8;
// (2) what is read was signed by the key that it names, so nothing here is read but the seeds;
// (3) behind the signature the reader holds as well: the same bytes with a signature that fits are
//     refused in words, or are exactly what would be written.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "engine/approve/bundle.h"
#include "engine/approve/ed25519.h"
#include "require.h"

namespace {

const std::string kSeed(32, 's');

void look_at(std::string_view bytes) {
  const auto bundle = airlock::read_bundle(bytes);
  if (!bundle) {
    airlock::fuzz::require(bundle.error().kind == airlock::ErrorKind::kRefused);
    airlock::fuzz::require(!bundle.error().message.empty());
    airlock::fuzz::require(!airlock::find_invalid_utf8(bundle.error().message));
  } else if (bundle->public_key == airlock::public_key_of(kSeed)) {
    airlock::fuzz::require(airlock::write_bundle(*bundle, kSeed) == bytes);
  }
}

// With the key and the signature of somebody who is trusted: what a hostile owner of a key sends.
std::string signed_again(std::string_view text) {
  constexpr std::string_view kKey = "  \"key\": ";
  const std::string key = airlock::public_key_of(kSeed);
  std::string out(text.substr(0, text.rfind(kKey)));
  out += std::string(kKey) + "\"" + airlock::key_word(key) + "\",\n  \"fingerprint\": \"" +
         airlock::fingerprint_of(key) + "\",\n";
  const std::string signature = airlock::signature_of(kSeed, out);
  return out + "  \"signature\": \"" + signature + "\"\n}\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  look_at(text);
  look_at(signed_again(text));
  return 0;
}
