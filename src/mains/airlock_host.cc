// airlock-host: the only program with CPython in it. Started by airlock, with its socket as
// descriptor 3 and no environment.
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>
#include <utility>

#include "guest/vetter_host.h"
#include "guest/zygote_host.h"

namespace {

bool is_socket(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

}  // namespace

int main(int count, char** arguments) {
  constexpr int kChannel = 3;
  const std::string_view role = count == 2 ? arguments[1] : "";
  const bool is_zygote = role == "zygote" || role == "zygote-other-order";
  if ((role != "vetter" && !is_zygote) || !is_socket(kChannel)) {
    std::fputs("airlock-host is started by airlock, not by hand. Try: airlock check FILE\n",
               stderr);
    return 2;
  }
  // No destructors and no atexit after the walls are up: there is nothing left to do and little
  // that is allowed.
  airlock::Fd channel(kChannel);
  if (!is_zygote) ::_exit(airlock::guest::run_vetter(std::move(channel)));
  ::_exit(airlock::guest::run_zygote(std::move(channel), role == "zygote"
                                                             ? airlock::HashOrder::kUsual
                                                             : airlock::HashOrder::kOther));
}
