// A client of the Model Context Protocol sends any bytes. What must hold:
// (1) every message has an answer that is one JSON object on one line, or none is due;
// (2) an answer repeats the id that was sent, or has none; (3) what is to be performed or cancelled
// has an id that stands in what was sent. What takes time (tools) is prepared here, and never
// performed.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "admit/json_members.h"
#include "admit/strict_json.h"
#include "present/mcp/service.h"
#include "require.h"

namespace {

using namespace airlock;

constexpr std::size_t kDepth = 100;

mcp::Service& service() {
  static const auto kResident = serve::Resident::make({.host_program = "",
                                                       .user_dirs = {},
                                                       .policies = {"extractor"},
                                                       .packages = {},
                                                       .workers = 1,
                                                       .idle_seconds = 1e6});
  static mcp::Service served(**kResident, mcp::airlock_offer());
  return served;
}

void check_answer(const mcp::Service::Answer& answer, std::string_view bytes) {
  fuzz::require(answer.text.find('\n') == std::string::npos);
  const auto members = JsonMembers::read(answer.text, kDepth);
  fuzz::require(members.has_value());
  fuzz::require(members->has("result") != members->has("error"));
  fuzz::require((answer.fault == 0) == members->has("result"));
  fuzz::require(bytes.find(members->raw("id")) != std::string_view::npos);
}

void check_message(std::string_view bytes, bool is_initialized) {
  mcp::Conversation conversation{.is_initialized = is_initialized};
  const auto accepted = service().accept(std::string(bytes), conversation);
  if (const auto* answer = std::get_if<mcp::Service::Answer>(&accepted)) {
    check_answer(*answer, bytes);
  } else if (const auto* asked = std::get_if<std::shared_ptr<mcp::Service::Asked>>(&accepted)) {
    fuzz::require(!(*asked)->id().empty() && bytes.find((*asked)->id()) != std::string_view::npos);
    if (!(*asked)->takes_time()) check_answer(service().perform(**asked, {}, {}), bytes);
  } else if (const auto* cancelled = std::get_if<mcp::Service::Cancelled>(&accepted)) {
    fuzz::require(bytes.find(cancelled->id) != std::string_view::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_message(bytes, false);
  check_message(bytes, true);
  return 0;
}
