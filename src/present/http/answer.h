// How a route answers: with a whole response, or with a stream of pieces as they come. All of it is
// called by the one thread that performs the request.
#pragma once

#include <stop_token>
#include <string_view>

#include "present/http/message.h"

namespace airlock::http {

class Answer {
 public:
  Answer() = default;
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;
  virtual ~Answer() = default;

  // Once. A route that returns without having sent or begun anything has failed (500).
  virtual void send(Response response) = 0;

  // Instead of it: status and headers now, then pieces, then return. The body of `head` is not
  // used.
  virtual void begin(Response head) = 0;
  // Waits while the client has too much to read yet. False: it has gone or was given up, or the
  // server ends; nobody hears what is written from now on.
  virtual bool write(std::string_view bytes) = 0;
  // Whether write() would not wait: who holds something that others wait for lets go of it first.
  virtual bool has_room() = 0;
  // The stream ends here, and the client can tell that it is not whole.
  virtual void break_off() = 0;

  // Requested when the client has gone or the server ends: what is being done for it is to stop.
  virtual std::stop_token stop() = 0;
};

}  // namespace airlock::http
