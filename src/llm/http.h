// One HTTP request; the body of the answer is passed on while it arrives.
//
// The server is not trusted: the size of its headers is bounded, redirects are reported and never
// followed, only http and https are spoken. The taker of the body bounds what it keeps, and ends
// the transfer by returning false. A proxy is used only if the environment names one, never for
// loopback.
//
// Four timeouts: to connect, to the first byte, between two bytes, and in total. Blocks the calling
// thread; a stop request from any thread takes effect within a tenth of a second.
//
// A header may hold a key: our copies of the headers are overwritten when the exchange ends.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "llm/curl_library.h"

namespace airlock::llm {

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers = {};  // wiped afterwards: one of them may hold a key
  std::string body = {};
  bool is_post = false;
  bool is_loopback = false;
  std::string ca_file = {};  // trusted instead of the system's authorities; empty: the system's
  std::chrono::milliseconds connect_timeout{10000};
  std::chrono::milliseconds first_byte_timeout{60000};
  std::chrono::milliseconds stall_timeout{30000};
  std::chrono::milliseconds timeout{120000};
};

// What is kept of the answer's headers; each value is cut to 2000 bytes.
struct HttpHead {
  long status = 0;  // 0: none came
  std::string content_type = {};
  std::string retry_after = {};
  std::string location = {};
};

enum class HttpEnd : std::uint8_t {
  kWhole,  // the server said all it wanted to
  kTakerStopped,
  kCanceled,
  kConnectTimeout,
  kFirstByteTimeout,
  kStalled,
  kTimeout,
  kNoHost,      // DNS
  kNoListener,  // refused, or no way there
  kTls,
  kNoHttp,      // another protocol is spoken there
  kBroken,      // reset or cut
  kEmptyReply,  // closed without a word
  kOurs,        // libcurl could not do its work
};

struct HttpResult {
  HttpEnd end = HttpEnd::kOurs;
  HttpHead head = {};
  std::string detail = {};  // libcurl's words; no key in them
};

// Takes a piece of the body; false: enough.
using BodyTaker = std::function<bool(const HttpHead& head, std::string_view bytes)>;

// Never throws and never fails otherwise than by HttpResult::end. `request` is a mutable reference
// because its headers are overwritten.
HttpResult exchange(const CurlLibrary& curl, HttpRequest& request, const std::stop_token& stop,
                    const BodyTaker& take);

}  // namespace airlock::llm
