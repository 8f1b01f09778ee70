#include "present/http/token.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "engine/records/state_file.h"
#include "os/files.h"
#include "os/open_file.h"
#include "os/random.h"

namespace airlock::http {

namespace {

constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kShortestToken = 16;
constexpr std::size_t kLongestToken = 4096;

// What may stand behind "Bearer" (RFC 6750).
bool is_token_byte(char c) {
  return is_alnum(c) || std::string_view("-._~+/=").contains(c);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  return text;
}

Result<void> refuse_readable_by_others(const Fd& file, const std::string& path) {
  struct stat about{};
  if (::fstat(file.get(), &about) != 0) return bad_request_errno("read " + path);
  if ((about.st_mode & 077) != 0)
    return bad_request("read " + path +
                       ": others can read or write this file; chmod 600 makes it yours alone");
  return {};
}

}  // namespace

Result<Token> Token::read(const std::string& path) {
  const Fd file = TRY(os::open_to_read(path));
  TRY(refuse_readable_by_others(file, path));
  const auto bytes = TRY(os::read_opened(file, kLongestToken + 2, path));
  const std::string_view text = trimmed(bytes.bytes);
  if (text.size() < kShortestToken || text.size() > kLongestToken ||
      !std::ranges::all_of(text, is_token_byte))
    return bad_request("read " + path +
                       ": a token is one line of 16 to 4096 letters, digits and -._~+/= (openssl "
                       "rand -hex 32 makes one)");
  Token token{std::string(text)};
  token.file_ = path;
  return token;
}

Result<Token> Token::make(const UserDirs& user_dirs, std::uint16_t port) {
  Token token(hex_of(os::random_bytes(kTokenBytes)));
  token.file_ = TRY(within(
      "keep the token",
      place_state_file(user_dirs, "http-" + std::to_string(port) + ".token", token.text_ + "\n")));
  token.is_ours_ = true;
  return token;
}

// Both are hashed first: what is compared has one length, and is not what was said.
bool Token::is(std::string_view said) const {
  const std::string mine = sha256_hex(text_);
  const std::string theirs = sha256_hex(said);
  unsigned difference = 0;
  for (std::size_t i = 0; i < mine.size(); ++i)
    difference |= static_cast<unsigned char>(mine[i]) ^ static_cast<unsigned char>(theirs[i]);
  return difference == 0;
}

std::string_view Token::in_header(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (!equal_ignoring_case(authorization.substr(0, kScheme.size()), kScheme)) return {};
  std::string_view token = authorization.substr(kScheme.size());
  while (token.starts_with(' ')) token.remove_prefix(1);
  return std::ranges::all_of(token, is_token_byte) ? token : std::string_view();
}

void Token::forget() const {
  if (!is_ours_) return;
  const auto there = os::read_file(file_, kLongestToken);
  if (there && trimmed(there->bytes) == text_) ::unlink(file_.c_str());
}

}  // namespace airlock::http
