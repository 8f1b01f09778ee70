#include "present/serve/request.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json_writer.h"
#include "base/nearest.h"

namespace airlock::serve {

namespace {

constexpr std::size_t kMostId = 200;

std::string begin_line(std::string_view id) {
  return "{\"id\":" + std::string(id.empty() ? "null" : id);
}

std::unexpected<Error> wrong_kind(std::string_view name, std::string_view what) {
  return bad_request("'" + std::string(name) + "' is to be " + std::string(what));
}

bool is_missing(const Request& request, std::string_view name) {
  return !request.members.has(name) || request.members.is_null(name);
}

}  // namespace

std::string_view type_of_error(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kRequest:
      return "Usage";
    case ErrorKind::kIsolation:
      return "NoIsolation";
    case ErrorKind::kRefused:
      return "Refused";
    case ErrorKind::kOurs:
      break;
  }
  return "Internal";
}

Result<Request> read_request(std::string line) {
  Request request;
  request.line = std::make_shared<const std::string>(std::move(line));
  auto members = JsonMembers::read(*request.line, kRequestDepth);
  if (!members)
    return bad_request(
        "a request is one JSON object on a line, in UTF-8, with no key twice and at most " +
        std::to_string(kRequestDepth) + " levels deep");
  request.members = std::move(*members);
  const std::string_view id = request.members.raw("id");
  const bool is_id = !id.empty() && id.size() <= kMostId &&
                     (id.front() == '"' || request.members.number("id").has_value());
  if (!is_id) return bad_request("a request has an 'id': a text or a number");
  request.id = std::string(id);
  request.what = request.members.text("do").value_or("");
  request.members.leave_out("id");
  request.members.leave_out("do");
  return request;
}

std::string result_line(std::string_view id, std::string_view json,
                        std::optional<bool> is_admitted) {
  std::string line = begin_line(id);
  line.reserve(line.size() + json.size() + 16);  // a line can be long: it is copied once
  if (is_admitted) line += *is_admitted ? ",\"admitted\":true" : ",\"admitted\":false";
  line += ",\"result\":";
  line += json;
  line += '}';
  return line;
}

std::string error_line(std::string_view id, std::string_view type, std::string_view message) {
  std::string out = begin_line(id) + ",\"error\":{\"type\":";
  append_raw_json_string(out, type);
  out += ",\"message\":";
  append_json_string(out, message);
  return out + "}}";
}

std::string error_line(std::string_view id, const Error& error) {
  return error_line(id, type_of_error(error.kind), error.message);
}

std::string printed_line(std::string_view id, OutputStream stream, std::string_view text) {
  std::string out = begin_line(id) + ",\"event\":\"printed\",\"stream\":\"";
  out += stream == OutputStream::kOutput ? "stdout" : "stderr";
  out += "\",\"text\":";
  append_raw_json_string(out, text);
  return out + "}";
}

std::string call_line(std::string_view id, std::uint32_t call, std::string_view name,
                      std::string_view arguments) {
  std::string out =
      begin_line(id) + ",\"event\":\"call\",\"call\":" + std::to_string(call) + ",\"name\":";
  append_raw_json_string(out, name);
  out += ",\"arguments\":";
  out += arguments;
  return out + "}";
}

Result<std::string> need_text(const Request& request, std::string_view name) {
  auto text = request.members.text(name);
  if (!text) return wrong_kind(name, "a text");
  return std::move(*text);
}

Result<std::optional<std::string>> maybe_text(const Request& request, std::string_view name) {
  if (is_missing(request, name)) return std::nullopt;
  return TRY(need_text(request, name));
}

Result<std::optional<double>> maybe_number(const Request& request, std::string_view name,
                                           double least, double most) {
  if (is_missing(request, name)) return std::nullopt;
  const auto number = request.members.number(name);
  if (!number || !std::isfinite(*number) || *number < least || *number > most) {
    std::string bounds = "a number from ";
    append_json_number(bounds, least);
    bounds += " to ";
    append_json_number(bounds, most);
    return wrong_kind(name, bounds);
  }
  return *number;
}

Result<bool> flag_or(const Request& request, std::string_view name, bool otherwise) {
  if (is_missing(request, name)) return otherwise;
  const auto flag = request.members.flag(name);
  if (!flag) return wrong_kind(name, "true or false");
  return *flag;
}

Result<std::vector<std::string>> need_texts(const Request& request, std::string_view name) {
  auto texts = request.members.texts(name);
  if (!texts) return wrong_kind(name, "a list of texts");
  return std::move(*texts);
}

Result<void> refuse_others(const Request& request, std::initializer_list<std::string_view> known) {
  for (const std::string_view name : request.members.names()) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::vector<std::string_view> words(known.begin(), known.end());
    const std::string_view near = nearest_word(name, words);
    return bad_request("'" + request.what + "' knows no '" + std::string(name) + "'" +
                       (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
  }
  return {};
}

}  // namespace airlock::serve
