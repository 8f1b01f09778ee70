// The only file with Boost in it; outside of the unity build, so that nobody else reads its
// headers.
#include "present/http/request_reader.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <limits>
#include <optional>
#include <utility>

#include "base/ascii.h"

namespace airlock::http {

namespace {

using boost::beast::error_code;
using BeastError = boost::beast::http::error;

std::string_view view_of(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

Unreadable explain(const error_code& error, std::string_view bytes) {
  if (error == BeastError::header_limit)
    return {431, "the request line and headers have more than " + std::to_string(kMostHeadBytes) +
                     " bytes"};
  if (error == BeastError::bad_version) {
    // "… HTTP/2.0": a version, and not ours. Anything else there is no request at all.
    const std::string_view line = bytes.substr(0, bytes.find("\r\n"));
    const std::size_t at = line.rfind("HTTP/");
    if (at != std::string_view::npos && line.size() == at + 8 && is_digit(line[at + 5]) &&
        line[at + 6] == '.' && is_digit(line[at + 7]))
      return {505, "this server speaks HTTP/1.1"};
  }
  return {400, "this is no HTTP request: " + error.message()};
}

constexpr std::size_t kShortestEnd = 5;

bool is_plain_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_digit(c); });
}

}  // namespace

// What the parser finds is noted here; what we refuse is noted in `refusal_`, which ends it.
class RequestReader::Parser final : public boost::beast::http::basic_parser<true> {
 public:
  Parser() {
    header_limit(kMostHeadBytes);
    // The limit of our own depends on the request. ("None" would be less than any length here.)
    body_limit(std::numeric_limits<std::uint64_t>::max());
  }

  std::expected<std::size_t, Unreadable> read(std::string_view bytes) {
    if (bytes.empty()) return 0;
    has_begun_ = true;
    const bool is_in_head = !is_header_done();
    // The parser takes it for granted that the end of a chunked body is not cut shorter than that.
    // There is always as much to come: "0" and two line ends.
    if (!is_in_head && request_.head.is_chunked && bytes.size() < kShortestEnd) return 0;
    if (is_in_head && has_folded_value(bytes))
      return std::unexpected(Unreadable{400, "a header goes on in the next line"});
    error_code error;
    const std::size_t taken = put(boost::asio::const_buffer(bytes.data(), bytes.size()), error);
    if (refusal_) return std::unexpected(std::move(*refusal_));
    // The parser takes header by header, and counts those that it has not taken.
    if (is_in_head) head_bytes_ += taken;
    if (head_bytes_ > kMostHeadBytes) error = BeastError::header_limit;
    if (error == BeastError::need_more) {
      if (taken == 0 && is_header_done() && bytes.size() > kMostChunkLine)
        return std::unexpected(Unreadable{400, "the line of a chunk has more than 4096 bytes"});
      return taken;
    }
    if (error) return std::unexpected(explain(error, bytes));
    return taken;
  }

  bool has_begun_ = false;
  std::uint64_t most_body_ = 0;
  Request request_;

 private:
  // `bytes` begin with the request line or a header, or with the empty line behind them. The parser
  // takes no header before it has seen the byte behind its line end, so a fold is never cut.
  static bool has_folded_value(std::string_view bytes) {
    if (bytes.starts_with("\r\n")) return false;
    const std::size_t end = std::min(bytes.find("\r\n\r\n"), bytes.size());
    const std::string_view head = bytes.substr(0, end);
    return head.contains("\r\n ") || head.contains("\r\n\t");
  }

  void refuse(int status, std::string message, error_code& error) {
    if (!refusal_) refusal_ = Unreadable{status, std::move(message)};
    error = BeastError::bad_value;
  }

  void on_request_impl(boost::beast::http::verb, boost::beast::string_view method,
                       boost::beast::string_view target, int version, error_code& error) override {
    RequestHead& head = request_.head;
    head.method_word = std::string(view_of(method));
    head.method = method_of(head.method_word);
    if (version != 11) return refuse(505, "this server speaks HTTP/1.1", error);
    if (target.size() > kMostTarget)
      return refuse(414, "the address has more than 4096 bytes", error);
    take_target(view_of(target), error);
  }

  // "/path?query", "http://host/path?query" (which a client of a proxy sends), "*".
  void take_target(std::string_view target, error_code& error) {
    RequestHead& head = request_.head;
    constexpr std::string_view kScheme = "http://";
    if (equal_ignoring_case(target.substr(0, kScheme.size()), kScheme)) {
      target.remove_prefix(kScheme.size());
      const std::size_t end = std::min(target.find_first_of("/?"), target.size());
      authority_ = std::string(target.substr(0, end));
      target.remove_prefix(end);
      if (target.empty()) target = "/";
    }
    target = target.substr(0, target.find('#'));
    const std::size_t question = std::min(target.find('?'), target.size());
    head.path = std::string(target.substr(0, question));
    if (question < target.size()) head.query = std::string(target.substr(question + 1));
    const bool is_for_all = head.path == "*" && head.method == Method::kOptions;
    if (!head.path.starts_with('/') && !is_for_all)
      refuse(400, "the address of a request begins with a slash", error);
  }

  void on_response_impl(int, boost::beast::string_view, int, error_code&) override {}

  void on_field_impl(boost::beast::http::field, boost::beast::string_view name,
                     boost::beast::string_view value, error_code& error) override {
    RequestHead& head = request_.head;
    // A trailer says what the head should have said: nothing of ours needs one.
    if (is_header_done()) return refuse(400, "headers behind the body are not taken", error);
    if (head.headers.size() == kMostHeaders)
      return refuse(431, "there are more than 64 headers", error);
    head.headers.push_back({lower(view_of(name)), std::string(view_of(value))});
    const Header& header = head.headers.back();
    if (header.name == "content-length") return take_length(header.value, error);
    if (header.name == "transfer-encoding") return take_encoding(header.value, error);
  }

  void take_length(std::string_view value, error_code& error) {
    RequestHead& head = request_.head;
    if (head.length || head.is_chunked)
      return refuse(400, "the length of the body is said twice", error);
    if (!is_plain_number(value) || value.size() > 18)
      return refuse(400, "Content-Length is to be a number", error);
    head.length = std::stoull(std::string(value));
  }

  void take_encoding(std::string_view value, error_code& error) {
    RequestHead& head = request_.head;
    if (head.length || head.is_chunked)
      return refuse(400, "the length of the body is said twice", error);
    if (!equal_ignoring_case(value, "chunked"))
      return refuse(501, "the only Transfer-Encoding here is 'chunked'", error);
    head.is_chunked = true;
  }

  void on_header_impl(error_code& error) override {
    RequestHead& head = request_.head;
    const std::string* host = head.header("host");
    if (head.count("host") != 1) return refuse(400, "a request has one Host", error);
    if (authority_ && !equal_ignoring_case(*authority_, *host))
      return refuse(400, "Host is not the host of the address", error);
    head.host = *host;
    head.wants_close = !keep_alive();
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}

  std::size_t on_body_impl(boost::beast::string_view bytes, error_code& error) override {
    if (request_.body.size() + bytes.size() > most_body_) {
      refuse(413, "the body has more than " + std::to_string(most_body_) + " bytes", error);
      return 0;
    }
    request_.body += view_of(bytes);
    return bytes.size();
  }

  void on_chunk_header_impl(std::uint64_t size, boost::beast::string_view extensions,
                            error_code& error) override {
    if (extensions.size() > kMostChunkLine)
      return refuse(400, "the line of a chunk has more than 4096 bytes", error);
    if (size > most_body_)
      refuse(413, "the body has more than " + std::to_string(most_body_) + " bytes", error);
  }

  std::size_t on_chunk_body_impl(std::uint64_t, boost::beast::string_view bytes,
                                 error_code& error) override {
    return on_body_impl(bytes, error);
  }

  void on_finish_impl(error_code&) override {}

  std::size_t head_bytes_ = 0;
  std::optional<std::string> authority_;  // in the address itself
  std::optional<Unreadable> refusal_;
};

RequestReader::RequestReader() : parser_(std::make_unique<Parser>()) {}
RequestReader::~RequestReader() = default;
RequestReader::RequestReader(RequestReader&&) noexcept = default;
RequestReader& RequestReader::operator=(RequestReader&&) noexcept = default;

std::expected<std::size_t, Unreadable> RequestReader::read(std::string_view bytes) {
  return parser_->read(bytes);
}

bool RequestReader::has_begun() const {
  return parser_->has_begun_;
}

bool RequestReader::has_head() const {
  return parser_->is_header_done();
}

bool RequestReader::is_done() const {
  return parser_->is_done();
}

void RequestReader::limit_body(std::uint64_t most) {
  parser_->most_body_ = most;
  parser_->eager(true);
}

const RequestHead& RequestReader::head() const {
  return parser_->request_.head;
}

std::size_t RequestReader::body_bytes() const {
  return parser_->request_.body.size();
}

Request RequestReader::take() {
  return std::move(parser_->request_);
}

}  // namespace airlock::http
