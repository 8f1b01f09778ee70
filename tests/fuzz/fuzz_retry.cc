// What guest code says about its failure, as a retry may tell it: any bytes, no crash, and a word
// that stands neither in the code nor in the path never comes out. Input: code, path, type and
// message, each with a NUL after it; the place of the word in each is the byte before it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/retry/interpreter_messages.h"

namespace {

constexpr std::string_view kWord = "Zq7Zq7";  // in no sentence and no name of the tables

std::string_view take(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\0'), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

// The text with the word in it, where its own first byte says.
std::string with_word(std::string_view text) {
  if (text.empty()) return std::string(kWord);
  const auto at = static_cast<unsigned char>(text.front());
  std::string out(text.substr(1));
  out.insert(std::min<std::size_t>(at, out.size()), kWord);
  return out;
}

void check(bool is_right) {
  if (!is_right) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view code = take(rest);
  const std::string_view path = take(rest);
  const std::string_view type = take(rest);
  const std::string_view message = take(rest);
  const airlock::KnownText known{.code = code, .path = path};
  const auto told = airlock::known_message(type, message, known);
  check(!told || told->size() <= 3 * message.size() + 3);  // "…" has three bytes
  if (code.contains("Zq7") || path.contains("Zq7")) return 0;
  const auto secret = airlock::known_message(type, with_word(message), known);
  check(!secret || !secret->contains(kWord));
  check(!airlock::known_type(with_word(type), code));
  check(!airlock::known_function(with_word(type), code));
  return 0;
}
