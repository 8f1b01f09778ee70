// The messages between airlock and a cell that holds a session. They follow "prepare" and "locked"
// (cell_messages.h) on the cell's own socket, in place of a load.
//
// Trust, ownership and threads: as in messages.h. A cell with native code can send any of the
// cell's messages at any time: each is bounded and judged by whoever receives it, and a forged one
// can do no more than the call that it pretends to be.
//
// clang-format off
//   open    = 'S' limits count { name:text doc:text signature:text is_async:byte }     once
//   piece   = 'I' ticket:wide number:number compiled:text source:text inputs:text      inputs: a JSON object
//   result  = 'a' call:number success:byte value:text error_type:text error:text       to a call, in any order
//
//   opened  = 's'                                                                      to an open
//   printed = 'o' records:text                                                         os/output_log.h
//   call    = 'c' call:number is_waiting:byte name:text arguments:text                 arguments: {"args": […], "kwargs": {…}}
//   waiting = 'w'                                                                      for any result, and does nothing else
//   outcome = 'd' ticket:wide bits:byte value:text shown:text error_type:text error:text
//             error_line:number traceback:text microseconds:number records:text        to a piece
//   limits  = output:number flood:number value:number shown:number call:number calls:number depth:number memory:number
// clang-format on
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/piece.h"

namespace airlock::wire {

struct OpenRequest {
  PieceLimits limits;  // without the times: the clock is outside
  std::vector<HostFunction> functions;
};

struct PieceRequest {
  std::uint64_t ticket = 0;
  std::uint32_t number = 0;
  std::string_view compiled;  // these point into the message
  std::string_view source;
  std::string_view inputs;
};

struct ResultMessage {
  std::uint32_t call = 0;
  CallResult result;
};

struct CallMessage {
  std::uint32_t call = 0;
  bool is_waiting = false;  // it does nothing until the result is there
  std::string name;
  std::string arguments;
};

struct PieceAnswer {
  std::uint64_t ticket = 0;
  PieceOutcome outcome;
  std::string records;  // what was printed and not sent before
};

std::string encode_open(const OpenRequest& open);
std::string encode_piece(const PieceRequest& piece);
std::string encode_result(std::uint32_t call, const CallResult& result);
std::string encode_opened();
std::string encode_printed(std::string_view records);
std::string encode_call(const CallMessage& call);
std::string encode_waiting();
std::string encode_piece_outcome(const PieceAnswer& answer);

std::optional<OpenRequest> decode_open(std::string_view message);
std::optional<PieceRequest> decode_piece(std::string_view message);
std::optional<ResultMessage> decode_result(std::string_view message);
bool is_opened(std::string_view message);
std::optional<std::string_view> decode_printed(std::string_view message);
std::optional<CallMessage> decode_call(std::string_view message);
bool is_waiting(std::string_view message);
std::optional<PieceAnswer> decode_piece_outcome(std::string_view message);

}  // namespace airlock::wire
