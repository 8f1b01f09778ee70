// Sessions take any bytes from a cell, and requests any bytes from a client. What must hold:
// (1) what a decoder of session messages accepts is stable: encoding and decoding it changes
// nothing; (2) the reader of printed records hands out no more bytes than it was given, and what
// the inner door
//     lets through as a value or a call is JSON within its limits;
// (3) a request that is read keeps each member's text, which stands in the line that was sent.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "admit/json_members.h"
#include "admit/piece_door.h"
#include "os/output_log.h"
#include "present/serve/request.h"
#include "require.h"
#include "wire/session_messages.h"

namespace {

using namespace airlock;

void check_messages(std::string_view message) {
  using namespace wire;
  fuzz::check_stable(message, decode_open, encode_open);
  fuzz::check_stable(message, decode_piece, encode_piece);
  fuzz::check_stable(message, decode_result,
                     [](const ResultMessage& one) { return encode_result(one.call, one.result); });
  fuzz::check_stable(message, decode_printed, encode_printed);
  fuzz::check_stable(message, decode_call, encode_call);
  fuzz::check_stable(message, decode_piece_outcome, encode_piece_outcome);
}

void check_records(std::string_view records) {
  os::OutputReader reader;
  std::size_t given = 0;
  static_cast<void>(reader.receive(records, [&](std::uint8_t stream, std::string_view text) {
    fuzz::require(stream <= 1);
    given += text.size();
  }));
  fuzz::require(given <= records.size());
}

void check_door(std::string_view message) {
  PieceLimits limits;
  limits.value_bytes = 4096;
  limits.depth = 8;
  PieceDoor door(limits);
  if (auto answer = wire::decode_piece_outcome(message)) {
    const PieceAnswer judged = door.judge(RawPiece(std::move(answer->outcome), {}));
    if (judged.value) fuzz::require(judged.value->size() <= 4096 && door.is_value(*judged.value));
  }
  if (auto call = wire::decode_call(message)) {
    const std::vector<HostFunction> functions = {{"f", "", "", false}};
    const auto judged = door.judge(RawCall(call->call, call->name, call->arguments), functions);
    if (judged) fuzz::require(judged->name == "f" && door.is_object(judged->arguments));
  }
}

void check_request(std::string_view line) {
  const auto request = serve::read_request(std::string(line));
  if (!request) return;
  for (const std::string_view name : request->members.names()) {
    const std::string_view raw = request->members.raw(name);
    fuzz::require(!raw.empty() && request->line->find(raw) != std::string::npos);
    static_cast<void>(request->members.text(name));
    static_cast<void>(request->members.number(name));
    static_cast<void>(request->members.texts(name));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_messages(bytes);
  check_records(bytes);
  check_door(bytes);
  check_request(bytes);
  return 0;
}
