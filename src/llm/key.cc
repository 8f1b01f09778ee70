#include "llm/key.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/fd.h"
#include "base/printable.h"

namespace airlock::llm {

namespace {

constexpr std::size_t kLongestKey = 8192;  // bytes; the longest known keys have a few hundred

// A key becomes a header: nothing in it may end that header's line.
Result<std::shared_ptr<const Secret>> checked(std::string text, const std::string& where) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  const bool is_plain = std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
  const bool is_empty = text.empty();
  const bool is_long = text.size() > kLongestKey;
  // Made before anything is refused: a Secret wipes the text on every way out.
  auto key = std::make_shared<const Secret>(std::move(text));
  if (is_empty) return bad_request("the key in " + where + " is empty");
  if (is_long) return bad_request("the key in " + where + " is longer than 8 KiB");
  if (!is_plain)
    return bad_request("the key in " + where +
                       " has characters that no key has: blanks or others than "
                       "plain ASCII");
  return key;
}

// Asked of the open descriptor, not of the path: between two looks at a path it can be replaced.
Result<void> refuse_unless_private(int descriptor, const std::string& shown) {
  struct stat facts{};
  if (::fstat(descriptor, &facts) != 0) return bad_request_errno("read the key file " + shown);
  if (!S_ISREG(facts.st_mode)) return bad_request("the key file " + shown + " is not a plain file");
  if (facts.st_uid != ::geteuid())
    return bad_request("the key file " + shown + " belongs to another user");
  // Everything but reading and writing by the owner.
  if ((facts.st_mode & 0177) != 0)
    return bad_request(
        fmt::format("the key file {} has mode {:04o}, others may read it: chmod 600 {}", shown,
                    facts.st_mode & 07777, shown));
  return {};
}

}  // namespace

Result<std::shared_ptr<const Secret>> key_from_variable(const std::string& name,
                                                        os::Variables& environment) {
  auto value = environment.get(name);
  if (!value)
    return bad_request("the variable " + name + " is not set: export " + name +
                       "=…, with the key in it");
  environment.forget(name);
  return checked(*std::move(value), "the variable " + name);
}

Result<std::shared_ptr<const Secret>> key_from_file(const std::string& path) {
  const std::string shown = printable(path);
  // O_NONBLOCK: opening a FIFO without a writer would wait for ever; it is refused afterwards.
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open()) {
    if (errno == ELOOP)
      return bad_request("the key file " + shown + " is a symbolic link: name the file itself");
    return bad_request_errno("read the key file " + shown);
  }
  TRY(refuse_unless_private(file.get(), shown));
  // Two bytes more, for "\r\n": what fills the buffer is too long, and checked() says so.
  std::string text(kLongestKey + 2, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const auto why = bad_request_errno("read the key file " + shown);
      Secret::wipe(text);
      return why;
    }
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return checked(std::move(text), "the file " + shown);
}

}  // namespace airlock::llm
