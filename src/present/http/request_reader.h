// Bytes of a stranger → one request, a piece at a time. What could be read in two ways is refused,
// never repaired: whoever stands between us and the client (a proxy) must see the same requests in
// the same bytes.
//
// The grammar is Boost.Beast's, whose parser is included in the .cc alone; what it lets pass and we
// do not (docs/decisions/0037-http.md has the table): a length said twice, a Transfer-Encoding that
// is not exactly "chunked", values over several lines, any version but 1.1.
//
// Memory is bounded by the limits below. Pure; by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "present/http/message.h"

namespace airlock::http {

// Of the request line and all headers: ours have a few hundred bytes, browsers' a few thousand.
inline constexpr std::size_t kMostHeadBytes = 16UL * 1024;
inline constexpr std::size_t kMostHeaders = 64;
inline constexpr std::size_t kMostTarget = 4096;
// The line with the size of a chunk, with its extensions; and all trailers.
inline constexpr std::size_t kMostChunkLine = 4096;

// Why it is no request that we take: the status and the words for the client.
struct Unreadable {
  int status = 400;
  std::string message;
};

class RequestReader {
 public:
  RequestReader();
  ~RequestReader();
  RequestReader(RequestReader&&) noexcept;
  RequestReader& operator=(RequestReader&&) noexcept;
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  // How many of `bytes` were taken. The rest has to be given again with what comes behind it. It
  // stops behind the head, and behind the body: what follows is the next request's.
  std::expected<std::size_t, Unreadable> read(std::string_view bytes);

  bool has_begun() const;  // a byte of it was seen
  bool has_head() const;
  bool is_done() const;

  // After has_head(). More than that in the body is refused (413).
  void limit_body(std::uint64_t most);
  const RequestHead& head() const;
  std::size_t body_bytes() const;
  // After is_done().
  Request take();

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace airlock::http
