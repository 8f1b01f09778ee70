// airlock-host: the only program with CPython in it. Started by airlock, with its socket as
// descriptor 3; as vetter and zygote without an environment.
#include <sys/auxv.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "guest/roles.h"
#include "os/channel.h"
#include "os/group_guard.h"
#include "python/frozen_library.h"
#include "wire/identity.h"
#include "wire/messages.h"

namespace {

// Which interpreter this is, with its build, compiler and library, for receipts. None is started.
int say_interpreter(airlock::Fd channel) {
  airlock::os::Channel out(std::move(channel));
  return out.send(airlock::python::interpreter_identity(), {}) ? 0 : 1;
}

int say_other_build(airlock::Fd channel) {
  airlock::os::Channel out(std::move(channel));
  out.send(airlock::wire::encode_trouble("airlock-host is of another build than airlock: copy both "
                                         "files of one build to the same folder"),
           {});
  return 1;
}

bool is_socket(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

// Where this program lies on the host is not for guests, and the kernel left it in our memory.
void forget_own_place() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel hands addresses over as numbers
  auto* name = reinterpret_cast<char*>(::getauxval(AT_EXECFN));
  if (name != nullptr) std::memset(name, 0, std::strlen(name));
}

}  // namespace

int main(int count, char** arguments) {
  constexpr int kChannel = 3;
  const std::string_view role = count >= 2 && count <= 4 ? arguments[1] : "";
  if (role == "guard") airlock::os::guard_group(airlock::Fd(kChannel));
  const bool is_zygote = role == "zygote" || role == "zygote-other-order";
  const bool is_known = role == "vetter" || role == "node" || role == "interpreter" || is_zygote;
  if (!is_known || !is_socket(kChannel)) {
    std::fputs("airlock-host is started by airlock, not by hand. Try: airlock check FILE\n",
               stderr);
    return 2;
  }
  if (count >= 3 && arguments[2] != airlock::wire::identity())
    return say_other_build(airlock::Fd(kChannel));
  forget_own_place();
  // Vetters and zygotes need no folder, and the one that we were started in may be gone. Where the
  // root cannot be entered either, the interpreter says what is missing.
  if (role != "node") [[maybe_unused]]
    const int entered = ::chdir("/");
  // No destructors and no atexit after the walls are up: there is nothing left to do and little
  // that is allowed.
  airlock::Fd channel(kChannel);
  if (role == "interpreter") ::_exit(say_interpreter(std::move(channel)));
  if (role == "node") ::_exit(airlock::guest::run_node_host(std::move(channel)));
  if (!is_zygote) ::_exit(airlock::guest::run_vetter(std::move(channel)));
  using airlock::CellCount, airlock::HashOrder;
  const bool makes_many = count == 4 && arguments[3] == std::string_view("many-cells");
  ::_exit(airlock::guest::run_zygote(std::move(channel),
                                     role == "zygote" ? HashOrder::kUsual : HashOrder::kOther,
                                     makes_many ? CellCount::kMany : CellCount::kFew));
}
