// Requests and responses of HTTP/1.1 as plain values, and the one form in which a response is
// written. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::http {

enum class Method : std::uint8_t { kGet, kHead, kPost, kDelete, kOptions, kOther };

Method method_of(std::string_view word);
std::string_view word_of(Method method);

struct Header {
  std::string name;  // in small letters, in what was read
  std::string value;
};

// What comes before the body. Read by request_reader.h alone, so it is well formed: one way to read
// its length, one Host.
struct RequestHead {
  Method method = Method::kOther;
  std::string method_word;  // as it was sent
  std::string path;         // "/v1/check": begins with a slash, or is "*"
  std::string query;        // what stands behind the question mark, as it was sent
  std::string host;         // "localhost:8080", as it was sent
  std::vector<Header> headers;
  std::optional<std::uint64_t> length;  // of the body, when it was said
  bool is_chunked = false;
  bool wants_close = false;  // no request follows

  // The first of that name (in small letters); null: there is none.
  const std::string* header(std::string_view name) const;
  std::size_t count(std::string_view name) const;
  bool has_body() const { return is_chunked || length.value_or(0) > 0; }
};

struct Request {
  RequestHead head;
  std::string body;
  std::vector<std::string> captured;  // what stands in the path where its route has {…}
  std::string peer;                   // the client's address, for people
};

struct Response {
  int status = 200;
  std::string content_type;  // empty: there is no body
  std::string body;
  std::vector<Header> more = {};  // Allow, Retry-After, Set-Cookie, …
};

inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kNdjsonType = "application/x-ndjson";

Response json_response(std::string json, int status = 200);
// {"error": {"type", "message"}}
Response error_response(int status, std::string_view type, std::string_view message);

// "Not Found"; empty for a number that we never send.
std::string_view reason_of(int status);

enum class BodyForm : std::uint8_t {
  kWhole,    // with its length
  kChunked,  // in chunks, as they come
};
enum class AfterThis : std::uint8_t { kKeepAlive, kClose };

// The status line and all headers, with the empty line. `date`: milliseconds since 1970.
std::string head_text(const Response& response, BodyForm form, AfterThis after, std::int64_t date);

// One chunk, framed; `bytes` is not empty: an empty one would be the end.
void append_chunk(std::string& out, std::string_view bytes);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

// JSON whose line ends between values have become blanks: bodies are written for people, too, and
// our reader takes one line. What is in strings stays, so that what was no JSON is none.
std::string json_on_one_line(std::string json);

}  // namespace airlock::http
