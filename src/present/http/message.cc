#include "present/http/message.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "base/json_writer.h"

namespace airlock::http {

namespace {

constexpr std::array<std::pair<std::string_view, Method>, 5> kMethodWords = {{
    {"GET", Method::kGet},
    {"HEAD", Method::kHead},
    {"POST", Method::kPost},
    {"DELETE", Method::kDelete},
    {"OPTIONS", Method::kOptions},
}};

struct Reason {
  int status;
  std::string_view words;
};

constexpr std::array kReasons = {
    Reason{200, "OK"},
    Reason{202, "Accepted"},
    Reason{204, "No Content"},
    Reason{303, "See Other"},
    Reason{304, "Not Modified"},
    Reason{400, "Bad Request"},
    Reason{401, "Unauthorized"},
    Reason{403, "Forbidden"},
    Reason{404, "Not Found"},
    Reason{405, "Method Not Allowed"},
    Reason{406, "Not Acceptable"},
    Reason{408, "Request Timeout"},
    Reason{409, "Conflict"},
    Reason{410, "Gone"},
    Reason{411, "Length Required"},
    Reason{413, "Content Too Large"},
    Reason{414, "URI Too Long"},
    Reason{415, "Unsupported Media Type"},
    Reason{417, "Expectation Failed"},
    Reason{422, "Unprocessable Content"},
    Reason{429, "Too Many Requests"},
    Reason{431, "Request Header Fields Too Large"},
    Reason{500, "Internal Server Error"},
    Reason{501, "Not Implemented"},
    Reason{503, "Service Unavailable"},
    Reason{505, "HTTP Version Not Supported"},
};

// Sent with every response that does not say otherwise: what is answered is for the one who asked,
// and is what it says it is.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kAlways = {{
    {"Cache-Control", "no-store"},
    {"X-Content-Type-Options", "nosniff"},
}};

void append_header(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  out += value;
  out += "\r\n";
}

bool says(const Response& response, std::string_view name) {
  return std::ranges::any_of(response.more, [&](const Header& one) { return one.name == name; });
}

// "Mon, 16 Nov 2026 13:50:46 GMT"
std::string date_text(std::int64_t milliseconds) {
  const std::time_t seconds = milliseconds / 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", parts);
}

bool may_have_body(int status) {
  return status >= 200 && status != 204 && status != 304;
}

}  // namespace

Method method_of(std::string_view word) {
  const auto* found =
      std::ranges::find(kMethodWords, word, &std::pair<std::string_view, Method>::first);
  return found == kMethodWords.end() ? Method::kOther : found->second;
}

std::string_view word_of(Method method) {
  const auto* found =
      std::ranges::find(kMethodWords, method, &std::pair<std::string_view, Method>::second);
  return found == kMethodWords.end() ? "OTHER" : found->first;
}

const std::string* RequestHead::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, &Header::name);
  return found == headers.end() ? nullptr : &found->value;
}

std::size_t RequestHead::count(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count(headers, name, &Header::name));
}

std::string_view reason_of(int status) {
  const auto* found = std::ranges::find(kReasons, status, &Reason::status);
  return found == kReasons.end() ? std::string_view() : found->words;
}

Response json_response(std::string json, int status) {
  return {.status = status, .content_type = std::string(kJsonType), .body = std::move(json)};
}

Response error_response(int status, std::string_view type, std::string_view message) {
  std::string json = "{\"error\":{\"type\":";
  append_raw_json_string(json, type);
  json += ",\"message\":";
  append_json_string(json, message);
  json += "}}";
  return json_response(std::move(json), status);
}

std::string head_text(const Response& response, BodyForm form, AfterThis after, std::int64_t date) {
  std::string out = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason_of(response.status));
  append_header(out, "Date", date_text(date));
  if (!response.content_type.empty()) append_header(out, "Content-Type", response.content_type);
  if (form == BodyForm::kChunked) {
    append_header(out, "Transfer-Encoding", "chunked");
  } else if (may_have_body(response.status)) {
    append_header(out, "Content-Length", std::to_string(response.body.size()));
  }
  for (const auto& [name, value] : kAlways) {
    if (!says(response, name)) append_header(out, name, value);
  }
  for (const Header& one : response.more) append_header(out, one.name, one.value);
  if (after == AfterThis::kClose) append_header(out, "Connection", "close");
  out += "\r\n";
  return out;
}

void append_chunk(std::string& out, std::string_view bytes) {
  out += fmt::format("{:x}\r\n", bytes.size());
  out += bytes;
  out += "\r\n";
}

std::string json_on_one_line(std::string json) {
  bool is_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char one = json[i];
    if (is_string && one == '\\') {
      ++i;
    } else if (one == '"') {
      is_string = !is_string;
    } else if (!is_string && (one == '\n' || one == '\r')) {
      json[i] = ' ';
    }
  }
  return json;
}

}  // namespace airlock::http
