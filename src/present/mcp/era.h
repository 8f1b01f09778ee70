// Which revision of the protocol a message speaks. There are two eras, and one client may speak
// both: up to 2025-11-25 a connection begins with `initialize`, which says the version once; from
// 2026-07-28 on there is no beginning, and every request says its version and what the client can
// do in `_meta`. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "present/mcp/message.h"

namespace airlock::mcp {

enum class Era : std::uint8_t { kHandshake, kStateless };

inline constexpr std::string_view kStatelessVersion = "2026-07-28";
// The newest first: it is the answer to a version that we do not speak.
inline constexpr std::array<std::string_view, 2> kHandshakeVersions = {"2025-11-25", "2025-06-18"};

// What was agreed before, by whoever is at the other end: of a connection, or by a transport that
// says so with each message.
struct Conversation {
  bool is_initialized = false;
  // Whose it is, where several speak to one service: sessions of that name are of this one alone.
  std::string owner = {};
};

// Whether `_meta` has a version, which may be any.
bool speaks_stateless(const Message& request);
// That version; nothing: there is none, or it is no text.
std::optional<std::string> stateless_version(const Message& request);
// Whether `_meta` is as the revision that it names wants it.
std::expected<void, Fault> check_meta(const Message& request);
// Why a version that is not spoken is refused, with those that are.
Fault unsupported_version(std::string_view version);
// The one to go on with.
std::string_view agreed_version(std::string_view asked);
// A list, as JSON.
std::string versions_as_json();

}  // namespace airlock::mcp
