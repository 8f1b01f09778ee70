#include "present/mcp/era.h"

#include <algorithm>
#include <array>

#include "base/json_writer.h"

namespace airlock::mcp {

namespace {

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";
constexpr std::array<std::string_view, 8> kLogLevels = {"debug", "info",     "notice", "warning",
                                                        "error", "critical", "alert",  "emergency"};

std::unexpected<Fault> wrong_meta(std::string message) {
  return std::unexpected(Fault{.code = code::kInvalidParams,
                               .message = "Invalid params: " + std::move(message),
                               .data = "{\"supported\":" + versions_as_json() + "}"});
}

}  // namespace

Fault unsupported_version(std::string_view version) {
  const bool is_old = std::ranges::find(kHandshakeVersions, version) != kHandshakeVersions.end();
  return {.code = code::kUnsupportedVersion,
          .message = is_old ? "Unsupported protocol version: that one begins with an initialize "
                              "request, and has no version in '_meta'"
                            : "Unsupported protocol version",
          .data = "{\"supported\":" + versions_as_json() +
                  ",\"requested\":" + json_string(version) + "}"};
}

bool speaks_stateless(const Message& request) {
  return request.meta.has(kVersionKey);
}

std::optional<std::string> stateless_version(const Message& request) {
  return request.meta.text(kVersionKey);
}

std::expected<void, Fault> check_meta(const Message& request) {
  const auto version = request.meta.text(kVersionKey);
  if (!request.meta.has(kVersionKey))
    return wrong_meta("'_meta' has no '" + std::string(kVersionKey) +
                      "', and no initialize request came before");
  if (!version) return wrong_meta("'" + std::string(kVersionKey) + "' is to be a text");
  if (*version != kStatelessVersion) return std::unexpected(unsupported_version(*version));
  if (!JsonMembers::read(request.meta.raw(kCapabilitiesKey), kMessageDepth))
    return wrong_meta("'_meta' is to have '" + std::string(kCapabilitiesKey) +
                      "', an object (which may be empty)");
  if (!request.meta.has(kLogLevelKey)) return {};
  const auto level = request.meta.text(kLogLevelKey);
  if (!level || std::ranges::find(kLogLevels, *level) == kLogLevels.end())
    return wrong_meta("'" + std::string(kLogLevelKey) + "' is no level");
  return {};
}

std::string_view agreed_version(std::string_view asked) {
  const auto* found = std::ranges::find(kHandshakeVersions, asked);
  return found != kHandshakeVersions.end() ? *found : kHandshakeVersions.front();
}

std::string versions_as_json() {
  std::string out = "[\"" + std::string(kStatelessVersion) + "\"";
  for (const std::string_view version : kHandshakeVersions)
    out += ",\"" + std::string(version) + "\"";
  return out + "]";
}

}  // namespace airlock::mcp
