#include "llm/curl_library.h"

#include <dlfcn.h>

#include <string>

namespace airlock::llm {

namespace {

// The ABI of all versions since 2006; which version it is shows in the functions it has.
constexpr const char* kName = "libcurl.so.4";

// False when the library has no such function: it is older than we need.
template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

Result<CurlLibrary> CurlLibrary::load() {
  // Never unloaded: its TLS library leaves work for the end of the process.
  void* library = ::dlopen(kName, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr)
    return bad_request(
        "models are asked through libcurl, which is not installed here: apt-get install libcurl4");
  CurlLibrary curl;
  const bool is_whole = find(library, "curl_global_init", curl.global_init) &&
                        find(library, "curl_easy_init", curl.easy_init) &&
                        find(library, "curl_easy_setopt", curl.easy_setopt) &&
                        find(library, "curl_easy_getinfo", curl.easy_getinfo) &&
                        find(library, "curl_easy_cleanup", curl.easy_cleanup) &&
                        find(library, "curl_easy_strerror", curl.easy_strerror) &&
                        find(library, "curl_slist_append", curl.slist_append) &&
                        find(library, "curl_slist_free_all", curl.slist_free_all) &&
                        find(library, "curl_multi_init", curl.multi_init) &&
                        find(library, "curl_multi_add_handle", curl.multi_add_handle) &&
                        find(library, "curl_multi_remove_handle", curl.multi_remove_handle) &&
                        find(library, "curl_multi_perform", curl.multi_perform) &&
                        find(library, "curl_multi_poll", curl.multi_poll) &&
                        find(library, "curl_multi_wakeup", curl.multi_wakeup) &&
                        find(library, "curl_multi_info_read", curl.multi_info_read) &&
                        find(library, "curl_multi_cleanup", curl.multi_cleanup);
  if (!is_whole)
    return bad_request(
        "the libcurl on this machine is too old (7.85 is needed): apt-get install libcurl4");
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    return bad_request("libcurl could not be started");
  return curl;
}

}  // namespace airlock::llm
