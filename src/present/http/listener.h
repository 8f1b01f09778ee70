// A TCP socket that listens.
#pragma once

#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "present/http/address.h"

namespace airlock::http {

// Who has come.
struct Accepted {
  Fd socket;           // does not wait
  std::string peer;    // its address, for people
  std::string client;  // who it is to the limits: the address, of IPv6 its /64
};

class Listener {
 public:
  // An Error: the address is not ours, or taken.
  static Result<Listener> open(ListenAddress address);

  // With the port that it really is.
  const ListenAddress& address() const { return address_; }
  int descriptor() const { return socket_.get(); }
  // Nothing: nobody waits, or there is no descriptor left for one (errno).
  std::optional<Accepted> accept() const;
  void close() { socket_.reset(); }
  bool is_open() const { return socket_.is_open(); }

 private:
  Listener(Fd socket, ListenAddress address)
      : socket_(std::move(socket)), address_(std::move(address)) {}
  Fd socket_;
  ListenAddress address_;
};

}  // namespace airlock::http
