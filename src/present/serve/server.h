// The server: connections over standard input and output, a socket and HTTP, until it is told to
// end (a signal, the end of its parent, the end of standard input). Then pieces under way are
// ended, clients are told, and nothing is left.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "present/serve/resident.h"

namespace airlock::serve {

struct Doors {
  // Who speaks over standard input and output with the program that started this one, until that
  // one has gone or `stop` becomes readable. Empty: nobody does.
  std::function<void(int stop)> stdio;
  std::optional<std::string> socket_path;
  // Another door, on a thread of its own until `stop` becomes readable; empty: there is none.
  std::function<void(int stop)> http;
};

// Our own protocol (docs/protocol.md) over standard input and output.
std::function<void(int stop)> own_protocol_over_stdio(Resident& resident);

// Returns when the server has ended in good order: the signal that ended it, or 0. An Error: a door
// could not be opened, or no room could be warmed; nothing was served then.
Result<int> serve(Resident& resident, const Doors& doors);

}  // namespace airlock::serve
