// The messages between airlock (the supervisor) and airlock-host as vetter or zygote. They travel
// over one socketpair as frames (os/channel.h checks the length before it allocates).
//
// Trust: each side decodes the other as hostile input. A decoder returns nothing for a message of
// another type, a length or count that does not fit, bytes left over, or text that will be shown
// and is not UTF-8; it never reads past the message. The caller then ends the conversation.
// Ownership: views in a decoded value point into the message, which must outlive it.
// Threads: pure functions, safe from any thread.
//
// clang-format off
//   message   = type:byte body
//   hello     = 'H' policy                       airlock to host, once, first
//   ready     = 'R' count { wall:text }          host to airlock: locked down; these walls stand
//   vet       = 'V' flags:byte piece:number raw:text   airlock to host; flags: stages and kind of text
//   verdict   = 'D' decision:byte stage:byte code:text compiled:text has_sets:byte lines findings
//   trouble   = 'T' text                         host to airlock: why it ends now
//   mistake   = 'M' text                         the same, when what it was asked for is at fault
//   lines     = count { line:number column:number }                   column is two's complement
//   findings  = count { rule:number severity:byte place item:text message:text suggestion:text }
//   place     = line:number column:number end_line:number end_column:number
// clang-format on
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/policy.h"
#include "model/text_kind.h"
#include "model/verdict.h"

namespace airlock::wire {

inline constexpr std::size_t kMaxRequest = 8 * 1024 * 1024;
inline constexpr std::size_t kMaxReply = 16 * 1024 * 1024;

enum class MessageType : std::uint8_t {
  kHello = 'H',
  kReady = 'R',
  kVet = 'V',
  kVerdict = 'D',
  kTrouble = 'T',
  kMistake = 'M'
};

// The type of a message, nothing for an empty or unknown one.
std::optional<MessageType> type_of(std::string_view message);

struct VetRequest {
  Stages stages;
  TextKind kind = TextKind::kAnswer;
  std::string_view raw;  // points into the message
};

std::string encode_hello(const Policy& policy);
std::string encode_ready(const std::vector<std::string>& walls);
std::string encode_vet(std::string_view raw, Stages stages, TextKind kind);
std::string encode_verdict(const Verdict& verdict);
std::string encode_trouble(std::string_view what);
std::string encode_mistake(std::string_view what);

std::optional<Policy> decode_hello(std::string_view message);
std::optional<std::vector<std::string>> decode_ready(std::string_view message);
std::optional<VetRequest> decode_vet(std::string_view message);
std::optional<Verdict> decode_verdict(std::string_view message);
std::optional<std::string> decode_trouble(std::string_view message);
std::optional<std::string> decode_mistake(std::string_view message);

}  // namespace airlock::wire
