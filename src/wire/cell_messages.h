// What airlock says to the zygote and to a cell, and what they answer. Everything that a cell says
// is hostile.
//
//   to the zygote:  cell   = 'C'                     a descriptor comes along: the cell's end of
//   its own socket
//                   reap   = 'W' id:number           the cell has ended: how?
//   from it:        born   = 'B' id:number           a descriptor comes along: the pidfd
//                   own    = 'F' place:text          a descriptor comes along: a folder that cells
//                                                    write to; after "ready"
//                   ended  = 'E' signalled:byte number:number cpu_ms:number peak_kb:number
//   to a cell:      prepare = 'R' memory_bytes:number cpu_seconds:number   raise the walls; the
//                             shared notes come along as a descriptor
//                   load   = 'L' ticket:wide limits compiled:text
//                   path   = 'P' ticket:wide path:text
//                   attempt = 'X' crime:text process:number shared_memory:number host_name:text
//                             file:text              instead of "prepare": the doctor's
//   from it:        locked = 'K' count { wall:text }     nothing of the guest has run before this;
//                             the listener comes along as a descriptor, where calls are notified
//                   outcome = 'O' ticket:wide …          one for the load, one for each path
//                   answer = 'A' errno:number            what the kernel said to an attempt
//
// A ticket is a number that nobody can guess, drawn for each question; the answer has to repeat it.
// So what was said before the question, or instead of the answer by code that cannot read the
// cell's memory, is not taken for the answer. What was denied is in no message: the supervisor
// knows it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/guest_outcome.h"

namespace airlock::wire {

inline constexpr std::size_t kMaxCellRequest = 16 * 1024 * 1024;
inline constexpr std::size_t kMaxOutcome = 4 * 1024 * 1024;

struct Ended {
  bool was_signalled = false;
  std::uint32_t number = 0;
  std::uint32_t cpu_ms = 0;
  std::uint32_t peak_kb = 0;
};

// What the kernel holds a cell to, from before its code arrives.
struct Prepare {
  std::uint32_t memory_bytes = 0;
  std::uint32_t cpu_seconds = 0;
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
