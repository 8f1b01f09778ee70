#include "llm/http.h"

#include <string.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "llm/secret.h"

namespace airlock::llm {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPollInterval{50};  // between two looks at the clocks
constexpr std::size_t kMostHeaderBytes = 256 * 1024;    // of all headers together
constexpr std::size_t kLongestHeader = 2000;            // bytes of one value that are kept

// "Retry-After: 5\r\n" → "5" for the name "retry-after".
std::optional<std::string_view> header_value(std::string_view line, std::string_view name) {
  if (line.size() <= name.size() || line[name.size()] != ':' ||
      ::strncasecmp(line.data(), name.data(), name.size()) != 0)
    return std::nullopt;
  line.remove_prefix(name.size() + 1);
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n' || line.back() == ' '))
    line.remove_suffix(1);
  return line.substr(0, kLongestHeader);
}

// Only what a user can do something about gets an end of its own. The one timeout that libcurl
// keeps for us is that of connecting (set_address); the others are expired_timeout().
HttpEnd end_of(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return HttpEnd::kWhole;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return HttpEnd::kNoHost;
    case CURLE_COULDNT_CONNECT:
      return HttpEnd::kNoListener;
    case CURLE_OPERATION_TIMEDOUT:
      return HttpEnd::kConnectTimeout;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_USE_SSL_FAILED:
      return HttpEnd::kTls;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return HttpEnd::kNoHttp;
    case CURLE_GOT_NOTHING:
      return HttpEnd::kEmptyReply;
    case CURLE_FAILED_INIT:
    case CURLE_OUT_OF_MEMORY:
    case CURLE_URL_MALFORMAT:
      return HttpEnd::kOurs;
    default:
      return HttpEnd::kBroken;
  }
}

// One transfer on libcurl's multi interface, which returns to us between two pieces of work; the
// easy interface would block until the end and look at no stop token. Single-threaded but for the
// wake-up.
class Exchange {
 public:
  Exchange(const CurlLibrary& curl, HttpRequest& request, const BodyTaker& take)
      : curl_(curl), request_(request), take_(take) {}
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  ~Exchange() {
    // The order is libcurl's: a handle leaves the multi handle before either is freed. Its copies
    // of our headers are wiped before they are freed, since one holds the key.
    if (is_added_) curl_.multi_remove_handle(multi_, easy_);
    if (easy_ != nullptr) curl_.easy_cleanup(easy_);
    if (multi_ != nullptr) curl_.multi_cleanup(multi_);
    for (const curl_slist* one = headers_; one != nullptr; one = one->next)
      ::explicit_bzero(one->data, std::strlen(one->data));
    if (headers_ != nullptr) curl_.slist_free_all(headers_);
    for (std::string& header : request_.headers) Secret::wipe(header);
  }

  HttpResult run(const std::stop_token& stop) {
    if (!begin()) return {HttpEnd::kOurs, {}, "libcurl could not be started"};
    // From any thread: the loop below then looks at `stop` at once.
    const std::stop_callback wake(stop, [this] { curl_.multi_wakeup(multi_); });
    started_ = last_byte_ = Clock::now();
    while (true) {
      // The order of these questions decides which ending is reported when several hold: a
      // cancellation before all others, an answer that is complete before a timeout.
      int running = 0;
      if (curl_.multi_perform(multi_, &running) != CURLM_OK) return done(HttpEnd::kOurs);
      if (stop.stop_requested()) return done(HttpEnd::kCanceled);
      if (has_enough_) return done(HttpEnd::kTakerStopped);
      if (running == 0) return done(ending());
      if (const auto late = expired_timeout()) return done(*late);
      curl_.multi_poll(multi_, nullptr, 0, static_cast<int>(kPollInterval.count()), nullptr);
    }
  }

 private:
  template <typename Value>
  bool set(CURLoption option, Value value) {
    return curl_.easy_setopt(easy_, option, value) == CURLE_OK;
  }

  // False: libcurl could not be set up. What was made until then is freed by the destructor.
  bool begin() {
    easy_ = curl_.easy_init();
    multi_ = curl_.multi_init();
    if (easy_ == nullptr || multi_ == nullptr) return false;
    for (const std::string& header : request_.headers) {
      curl_slist* longer = curl_.slist_append(headers_, header.c_str());
      if (longer == nullptr) return false;
      headers_ = longer;
    }
    if (!set_address() || !set_work()) return false;
    is_added_ = curl_.multi_add_handle(multi_, easy_) == CURLM_OK;
    return is_added_;
  }

  bool set_address() {
    // Nothing but HTTP, whatever an address or an answer says.
    if (!set(CURLOPT_PROTOCOLS_STR, "http,https") || !set(CURLOPT_URL, request_.url.c_str()) ||
        !set(CURLOPT_FOLLOWLOCATION, 0L))
      return false;
    if (request_.is_loopback && !set(CURLOPT_NOPROXY, "*")) return false;
    if (!request_.ca_file.empty() && !set(CURLOPT_CAINFO, request_.ca_file.c_str())) return false;
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);  // a proxy's own head is not the server's
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
    // Giving up must not wait for a name that is still being looked up.
    set(CURLOPT_QUICK_EXIT, 1L);
    return set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.connect_timeout.count()));
  }

  bool set_work() {
    // Options whose failure would only lose comfort are not checked; those that security or the
    // result hang on are.
    set(CURLOPT_USERAGENT, "airlock/" AIRLOCK_VERSION);
    if (request_.is_post) {
      set(CURLOPT_POST, 1L);
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
      if (!set(CURLOPT_POSTFIELDS, request_.body.c_str())) return false;
    }
    set(CURLOPT_ERRORBUFFER, error_.data());
    return set(CURLOPT_NOSIGNAL, 1L) && set(CURLOPT_HTTPHEADER, headers_) &&
           set(CURLOPT_HEADERFUNCTION, &Exchange::on_header) && set(CURLOPT_HEADERDATA, this) &&
           set(CURLOPT_WRITEFUNCTION, &Exchange::on_body) && set(CURLOPT_WRITEDATA, this);
  }

  // libcurl's callbacks: the second argument is always 1, and returning another number than the
  // count ends the transfer.
  static std::size_t on_header(char* bytes, std::size_t, std::size_t count, void* self) {
    return static_cast<Exchange*>(self)->take_header({bytes, count}) ? count : 0;
  }
  static std::size_t on_body(char* bytes, std::size_t, std::size_t count, void* self) {
    return static_cast<Exchange*>(self)->take_body({bytes, count}) ? count : 0;
  }

  bool take_header(std::string_view line) {
    last_byte_ = Clock::now();
    header_bytes_ += line.size();
    if (header_bytes_ > kMostHeaderBytes) return false;
    if (line.starts_with("HTTP/")) head_ = {};  // after "100 Continue" another head comes
    if (const auto type = header_value(line, "content-type")) head_.content_type = *type;
    if (const auto after = header_value(line, "retry-after")) head_.retry_after = *after;
    if (const auto place = header_value(line, "location")) head_.location = *place;
    // The empty line ends a head; from here on libcurl knows its status.
    if (line == "\r\n" || line == "\n")
      curl_.easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &head_.status);
    return true;
  }

  bool take_body(std::string_view bytes) {
    last_byte_ = Clock::now();
    has_body_ = true;
    has_enough_ = !take_(head_, bytes);
    return !has_enough_;
  }

  // The timeouts that libcurl does not know: in total, to the first byte, between two bytes. Looked
  // at every kPollInterval, so each may be late by that much.
  std::optional<HttpEnd> expired_timeout() {
    const auto now = Clock::now();
    if (now - started_ > request_.timeout)
      return has_connected() ? HttpEnd::kTimeout : HttpEnd::kConnectTimeout;
    if (!has_connected()) return std::nullopt;  // libcurl's own clock
    if (!connected_) connected_ = now;
    if (has_body_)
      return now - last_byte_ > request_.stall_timeout ? std::optional(HttpEnd::kStalled)
                                                       : std::nullopt;
    return now - *connected_ > request_.first_byte_timeout
               ? std::optional(HttpEnd::kFirstByteTimeout)
               : std::nullopt;
  }

  // The request is on its way, or has been sent.
  bool has_connected() const {
    curl_off_t when = 0;
    return curl_.easy_getinfo(easy_, CURLINFO_PRETRANSFER_TIME_T, &when) == CURLE_OK && when > 0;
  }

  HttpEnd ending() {
    int left = 0;
    while (const CURLMsg* message = curl_.multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      code_ = message->data.result;
      return end_of(code_);
    }
    return HttpEnd::kOurs;
  }

  HttpResult done(HttpEnd end) {
    std::string detail = error_.data();
    if (detail.empty() && code_ != CURLE_OK) detail = curl_.easy_strerror(code_);
    return {end, head_, std::move(detail)};
  }

  const CurlLibrary& curl_;
  HttpRequest& request_;
  const BodyTaker& take_;
  CURL* easy_ = nullptr;
  CURLM* multi_ = nullptr;
  curl_slist* headers_ = nullptr;
  bool is_added_ = false;
  HttpHead head_;
  std::size_t header_bytes_ = 0;
  bool has_body_ = false;
  bool has_enough_ = false;
  CURLcode code_ = CURLE_OK;
  std::array<char, CURL_ERROR_SIZE> error_{};
  Clock::time_point started_;
  Clock::time_point last_byte_;
  std::optional<Clock::time_point> connected_;
};

}  // namespace

HttpResult exchange(const CurlLibrary& curl, HttpRequest& request, const std::stop_token& stop,
                    const BodyTaker& take) {
  return Exchange(curl, request, take).run(stop);
}

}  // namespace airlock::llm
