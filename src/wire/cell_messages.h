// The messages between airlock and a zygote, and between airlock and a cell.
//
// Two sockets: the zygote's, opened when it starts, and one for each cell, whose far end the zygote
// hands to the cell that it forks. A descriptor may come along with a frame where the grammar says
// so.
//
// Trust: nothing that a cell sends after "locked" is believed; it may be written by the guest. What
// a zygote sends is decoded just as strictly, but it has never seen guest code. Tickets are nonces:
// 64 random bits, drawn for each question, which the answer must repeat. So a message that was sent
// before the question was asked is not taken for its answer. What was denied by the kernel is in no
// message: the supervisor counts it itself (run/denial_log.h).
//
// clang-format off
// to the zygote:
//   cell    = 'C'                      with a descriptor: the cell's end of its socket
//   reap    = 'W' id:number            the cell has ended: how?
//   forget  = 'G' id:number            the cell was killed; nobody asks how it ended, and nothing is answered
// from the zygote:
//   born    = 'B' id:number            with a descriptor: the cell's pidfd
//   own     = 'F' place:text           with a descriptor: a folder that cells write to; after "ready"
//   ended   = 'E' signalled:byte number:number peak_kb:number
// to a cell:
//   prepare = 'R' memory_bytes:number cpu_seconds:number out_bytes:number
//             count { name:text path:text device:wide inode:wide }
//                                      raise the walls; with a descriptor: the shared notes
//   load    = 'L' ticket:wide limits compiled:text
//   path    = 'P' ticket:wide path:text
//   attempt = 'X' crime:text process:number shared_memory:number host_name:text file:text
//                                      instead of "prepare", from the doctor
// from a cell:
//   locked  = 'K' count { wall:text }  no guest code has run before this; with a descriptor where
//                                      denied calls are held: their listener
//   outcome = 'O' ticket:wide …        one for the load, one for each path
//   answer  = 'A' errno:number         what the kernel answered to an attempt
// clang-format on
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/guest_outcome.h"
#include "model/piece.h"

namespace airlock::wire {

inline constexpr std::size_t kMaxCellRequest = 16 * 1024 * 1024;
inline constexpr std::size_t kMaxOutcome = 4 * 1024 * 1024;

struct Ended {
  bool was_signalled = false;
  std::uint32_t number = 0;
  std::uint32_t peak_kb = 0;
};

// What the kernel holds a cell to, from before its code arrives.
struct Prepare {
  std::uint32_t memory_bytes = 0;
  std::uint32_t cpu_seconds = 0;
  // Of a cell that holds a session: how much its /out may hold, and what is shown in /data.
  std::uint32_t out_bytes = 0;
  std::vector<SessionFile> files = {};
};

struct LoadRequest {
  std::uint64_t ticket = 0;
  RunLimits limits;
  std::string_view compiled;  // points into the message
};

struct PathRequest {
  std::uint64_t ticket = 0;
  std::string_view path;  // points into the message
};

struct Outcome {
  std::uint64_t ticket = 0;
  GuestOutcome outcome;  // without denials
};

// Which crime to commit, and on what (jail/crimes.h).
struct CrimeRequest {
  std::string crime;
  std::uint32_t process = 0;
  std::uint32_t shared_memory = 0;
  std::string host_name;
  std::string file;
};

std::string encode_cell();
std::string encode_own_folder(std::string_view place);
std::string encode_reap(std::uint32_t id);
std::string encode_forget(std::uint32_t id);
std::string encode_born(std::uint32_t id);
std::string encode_ended(const Ended& ended);
std::string encode_prepare(const Prepare& prepare);
std::string encode_load(std::uint64_t ticket, const RunLimits& limits, std::string_view compiled);
std::string encode_path(std::uint64_t ticket, std::string_view path);
std::string encode_attempt(const CrimeRequest& attempt);
std::string encode_answer(std::uint32_t error);
std::string encode_locked(const std::vector<std::string>& walls);
std::string encode_outcome(std::uint64_t ticket, const GuestOutcome& outcome);

bool is_cell(std::string_view message);
std::optional<std::string> decode_own_folder(std::string_view message);
std::optional<std::uint32_t> decode_reap(std::string_view message);
std::optional<std::uint32_t> decode_forget(std::string_view message);
std::optional<std::uint32_t> decode_born(std::string_view message);
std::optional<Ended> decode_ended(std::string_view message);
std::optional<Prepare> decode_prepare(std::string_view message);
std::optional<LoadRequest> decode_load(std::string_view message);
std::optional<PathRequest> decode_path(std::string_view message);
std::optional<CrimeRequest> decode_attempt(std::string_view message);
std::optional<std::uint32_t> decode_answer(std::string_view message);
std::optional<std::vector<std::string>> decode_locked(std::string_view message);
std::optional<Outcome> decode_outcome(std::string_view message);

}  // namespace airlock::wire
