#include "engine/retry/outgoing_text.h"

#include <algorithm>
#include <array>

#include "admit/scrub_text.h"
#include "admit/secrets.h"
#include "base/ascii.h"
#include "base/sha256.h"

namespace airlock {

namespace {

constexpr std::size_t kFingerprint = 8;  // hex digits

// Behind these stands the name of a user, after one separator or, in JSON, two.
constexpr std::array<std::string_view, 4> kHomes = {"/home", "/Users", "\\Users", "\\home"};
// Homes of nobody in particular: their names are told.
constexpr std::array<std::string_view, 6> kNobody = {"user",   "Shared",  "Public",
                                                     "shared", "Default", "public"};
constexpr std::size_t kShortestName = 2;  // shorter ones would take letters out of every word

bool is_separator(char c) {
  return c == '/' || c == '\\';
}

// The name that stands behind a home which begins at `at`; empty when there is none.
std::string_view user_at(std::string_view text, std::size_t at) {
  for (const std::string_view home : kHomes) {
    if (!text.substr(at).starts_with(home)) continue;
    const std::size_t separator = at + home.size();
    const std::size_t begin = text.find_first_not_of("/\\", separator);
    if (begin == separator || begin == std::string_view::npos) continue;
    const std::size_t end = std::min(text.find_first_of("/\\\"\n", begin), text.size());
    // At the root /home/ann is a user's home. In the middle of a path, something must follow the
    // name.
    const bool is_root = at == 0 || std::string_view("\" \n:").contains(text[at - 1]);
    const bool is_followed = end < text.size() && is_separator(text[end]);
    if (is_root || is_followed) return text.substr(begin, end - begin);
  }
  const bool is_tilde = text[at] == '~' && (at == 0 || is_separator(text[at - 1]));
  if (!is_tilde) return {};
  const std::size_t end = text.find_first_of("/\\\"\n", at);
  return end == std::string_view::npos ? std::string_view() : text.substr(at + 1, end - at - 1);
}

void add_users(std::set<std::string>& users, std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view name = user_at(text, at);
    if (name.size() >= kShortestName && std::ranges::find(kNobody, name) == kNobody.end())
      users.emplace(name);
  }
}

bool is_part_of_word(char c) {
  return is_alnum(c) || !is_ascii(c);
}

// The text with "user" wherever `word` stands as a word of its own. `count` goes up by the places.
std::string without_word(std::string_view text, std::string_view word, std::size_t& count) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at)) {
    const std::size_t end = at + word.size();
    const bool is_inside = (at > 0 && is_part_of_word(text[at - 1])) ||
                           (end < text.size() && is_part_of_word(text[end]));
    if (!is_inside) {
      out += text.substr(done, at - done);
      out += "user";
      done = end;
      ++count;
    }
    at = end;
  }
  out += text.substr(done);
  return out;
}

}  // namespace

OutgoingRedactor::OutgoingRedactor(std::span<const std::string> paths) {
  for (const std::string& path : paths) add_users(users_, path);
}

OutgoingText OutgoingRedactor::redact(std::string_view text) const {
  OutgoingText outgoing;
  SecretFinder finder;
  std::size_t done = 0;
  for (const FoundSecret& secret : finder.find(text, {})) {
    outgoing.text += text.substr(done, secret.begin - done);
    const std::string hash = sha256_hex(text.substr(secret.begin, secret.end - secret.begin));
    outgoing.text += redaction_mark(std::string_view(hash).substr(0, kFingerprint));
    done = secret.end;
    ++outgoing.redactions;
  }
  outgoing.text += text.substr(done);
  // Users whose homes stand in this very text, too; secrets are gone by now, so none is taken for a
  // name.
  std::set<std::string> users = users_;
  add_users(users, outgoing.text);
  for (const std::string& user : users)
    outgoing.text = without_word(outgoing.text, user, outgoing.redactions);
  return outgoing;
}

}  // namespace airlock
