// The review as a web site without a transport: requests as values in, responses as values out. It
// knows who is signed in, calls the engine, and renders. Whoever has a transport (present/http)
// hands requests over after it has looked at Host and Origin.
//
// (1) Without the cookie of somebody who is signed in there are the sign-in page and the assets,
// and
//     nothing else; nothing says whether a draft or an extractor is there.
// (2) Every change is a POST with the form's token, and is done by the engine as a whole or not at
//     all.
// (3) What is approved is what was shown: the form says what was seen (engine/approve/seen.h),
//     and the engine compares it.
// (4) What runs code for a page ends when nobody waits for the page any more.
//
// Any thread; requests at the same time are fine.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/user_dirs.h"
#include "present/page/form.h"
#include "present/page/pages.h"
#include "present/page/sign_in.h"

namespace airlock {
class Supply;
}

namespace airlock::page {

struct PageRequest {
  std::string method;  // "GET", "HEAD", "POST"
  std::string path;    // "/drafts/1f00ab12", as it was sent
  std::string query = {};
  std::string cookies = {};  // the Cookie header
  std::string body = {};
  bool is_secure = false;     // a proxy in front of us speaks TLS
  std::stop_token stop = {};  // requested when nobody waits for the answer, or the server ends
};

struct PageResponse {
  int status = 200;
  std::string content_type = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
};

struct SiteOptions {
  UserDirs user_dirs;
  std::string host_program;
  Supply* supply = nullptr;  // may be null: processes of its own
  // What happened lately that is in no store, for the tail; may be empty.
  std::function<std::vector<TailEvent>()> lately = {};
  // Called with the path of a link that signs in ("/sign-in?key=…") whenever there is a new one;
  // may be empty.
  std::function<void(const std::string& path)> on_new_link = {};
};

class Site {
 public:
  explicit Site(SiteOptions options);

  // The path of the link that works now.
  std::string sign_in_path() const;

  PageResponse answer(const PageRequest& request);

  // Whether these are the cookies of somebody who is signed in, and what everybody else is answered
  // but for the sign-in page and the assets. Both take no time.
  bool is_signed_in(std::string_view cookies) const;
  PageResponse ask_to_sign_in() const;

 private:
  // A request of somebody who is signed in.
  struct Visit {
    const PageRequest& request;
    Viewer viewer;
    std::string cookie;
    Fields query;
  };

  PageResponse sign_in(const PageRequest& request);
  PageResponse look(const Visit& visit);
  PageResponse change(const Visit& visit);
  PageResponse waiting(const Visit& visit);
  // `decision`: the one of which something was typed.
  PageResponse draft(const Visit& visit, const std::string& id, Decision decision,
                     const Typed& typed, int status);
  PageResponse approve(const Visit& visit, const std::string& id, const Fields& form);
  PageResponse reject(const Visit& visit, const std::string& id, const Fields& form);
  // Typed by somebody with a name: it is proposed the next time.
  void remember_name(const Visit& visit, const ReviewNote& review);
  // After a decision that could not be taken: the draft once more with the reason, or what became
  // of it.
  PageResponse not_decided(const Visit& visit, const std::string& id, Decision decision,
                           Typed typed, const Error& error);
  PageResponse extractor(const Visit& visit, std::string_view word);
  PageResponse tail(const Visit& visit);

  SiteOptions options_;
  std::string cookie_name_;  // of this server's own: cookies do not tell ports apart
  SignIns sign_ins_;
};

}  // namespace airlock::page
