// The token that every request but a few must carry: made at the start, in a file that only this
// user can read, or read from a file of the user's own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/user_dirs.h"

namespace airlock::http {

class Token {
 public:
  // From a file that nobody else can read. An Error says what is wrong with it.
  static Result<Token> read(const std::string& path);
  // A new one, in a new file (0600) in the state folder; the file is for this run: forget() it.
  static Result<Token> make(const UserDirs& user_dirs, std::uint16_t port);
  // As it stands: for tests.
  explicit Token(std::string text) : text_(std::move(text)) {}

  // In a time that says nothing about the token.
  bool is(std::string_view said) const;
  // "Bearer TOKEN" → TOKEN; empty: it is none.
  static std::string_view in_header(std::string_view authorization);

  const std::string& file() const { return file_; }
  // Takes the file away that make() has made, if it is still that one.
  void forget() const;

 private:
  std::string text_;
  std::string file_;
  bool is_ours_ = false;
};

}  // namespace airlock::http
