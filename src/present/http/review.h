// The review page behind an address: its routes, and what goes between it and the transport.
//
// Whoever follows the link that is printed on standard error is signed in; a link works once, and
// the next one is printed when it was used. Looking at a draft and approving one run code: they
// wait for a slot, as all work does.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "present/http/routes.h"
#include "present/page/site.h"
#include "present/serve/resident.h"

namespace airlock::http {

class Review {
 public:
  // `resident` outlives it. `tell` is called with the path of each new link.
  Review(serve::Resident& resident, std::function<void(const std::string& path)> tell);

  void add_routes(RouteTable& routes);
  std::string sign_in_path() const { return site_.sign_in_path(); }

 private:
  void perform(const Request& request, Answer& answer);
  Response respond(const Request& request, const std::stop_token& stop);

  serve::Resident& resident_;
  page::Site site_;
};

}  // namespace airlock::http
