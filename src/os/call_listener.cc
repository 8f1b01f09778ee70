#include "os/call_listener.h"

#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>

#include <cerrno>

namespace airlock::os {

std::optional<WaitingCall> CallListener::next() {
  while (is_open()) {
    pollfd waiting{listener_.get(), POLLIN, 0};
    if (::poll(&waiting, 1, 0) <= 0) return std::nullopt;
    // POLLHUP alone: the last process with this filter has ended.
    if ((waiting.revents & POLLIN) == 0) {
      listener_.reset();  // nobody is left who could call
      return std::nullopt;
    }
    seccomp_notif call{};  // the kernel insists on zeros
    if (::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, &call) == 0)
      return WaitingCall{call.id, static_cast<std::uint32_t>(call.data.nr), call.data.args[0],
                         static_cast<std::int32_t>(call.pid)};
    // Killed between the two questions, or a signal of ours: look again.
    if (errno != ENOENT && errno != EINTR) return std::nullopt;
  }
  return std::nullopt;
}

void CallListener::refuse(const WaitingCall& call, int error) {
  answer(call, error, 0);
}

void CallListener::allow(const WaitingCall& call) {
  answer(call, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
}

void CallListener::answer(const WaitingCall& call, int error, std::uint32_t flags) {
  if (!is_open()) return;
  seccomp_notif_resp reply{};
  reply.id = call.id;
  // The kernel wants it negative. ENOENT here means that the caller died meanwhile: nothing to do.
  reply.error = -error;
  reply.flags = flags;
  while (::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, &reply) != 0 && errno == EINTR) {
  }
}

}  // namespace airlock::os
