// libcurl, loaded with dlopen() when the first question is asked. It brings more than thirty
// libraries along; commands that ask nobody must not wait for them
// (docs/decisions/0013-models-over-libcurl.md). Used by http_model.cc, which keeps the one copy,
// and by http.cc, which is handed it.
#pragma once

#include <curl/curl.h>

#include "base/result.h"

namespace airlock::llm {

// Its functions under their own names. Loaded once in a process, it stays loaded.
struct CurlLibrary {
  decltype(&::curl_global_init) global_init = nullptr;
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_setopt) easy_setopt = nullptr;
  decltype(&::curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_easy_strerror) easy_strerror = nullptr;
  decltype(&::curl_slist_append) slist_append = nullptr;
  decltype(&::curl_slist_free_all) slist_free_all = nullptr;
  decltype(&::curl_multi_init) multi_init = nullptr;
  decltype(&::curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&::curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&::curl_multi_perform) multi_perform = nullptr;
  decltype(&::curl_multi_poll) multi_poll = nullptr;
  decltype(&::curl_multi_wakeup) multi_wakeup = nullptr;
  decltype(&::curl_multi_info_read) multi_info_read = nullptr;
  decltype(&::curl_multi_cleanup) multi_cleanup = nullptr;

  // An Error names the package that is missing.
  static Result<CurlLibrary> load();
};

}  // namespace airlock::llm
