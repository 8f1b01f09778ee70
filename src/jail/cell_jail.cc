// (1) Order matters: namespaces and the private root come first, while the process still has the
//     capabilities for them; capabilities are dropped next; die-with-parent is set after that,
//     because the kernel clears it when credentials change; Landlock needs no-new-privileges before
//     it.
// (2) A cell gets its limits before its filter: the filter allows no call that could change them.
// (3) The names that come back are what was really raised, in this run. The tier is computed from
//     them (walls.h), so a wall that is not named does not count.
#include "jail/cell_jail.h"

#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "jail/crimes.h"
#include "jail/steps.h"
#include "jail/walls.h"
#include "model/thread_variables.h"
#include "os/landlock.h"
#include "os/namespaces.h"

namespace airlock::jail {

namespace {

// As large as it commonly is; a host without a limit gets one.
constexpr std::uint64_t kStack = 8UL * 1024 * 1024;
// What the C library maps without it being data: guard pages, alignment of its heaps. So the limit
// that gives a MemoryError in good order is reached first.
constexpr std::uint64_t kSlack = 64UL * 1024 * 1024;

}  // namespace

Result<os::Namespaces> enter_namespaces() {
  // Before the interpreter asks for the zone, once.
  if (::setenv(kZoneVariable, kZone, 1) != 0) return fail_errno("set the time zone");
  ::tzset();
  auto namespaces = TRY(within("leave the host", os::enter_namespaces()));
  return namespaces;
}

namespace {

std::unexpected<Error> no_own_root() {
  return fail("this host offers no root of its own to code that may read files. " +
              std::string(remedy_of(WallId::kEmptyRoot)) + " `airlock doctor` tests each wall.");
}

// An empty environment, and the namespaces that were entered before.
Result<std::vector<std::string>> begin_lock_down(const os::Namespaces& namespaces,
                                                 bool may_open_files) {
  std::vector<std::string> walls;
  if (::clearenv() != 0) return fail("empty the environment");
  // For code that may open files there is no zone: where its file would be, there is none.
  if (!may_open_files && ::setenv(kZoneVariable, kZone, 1) != 0)
    return fail_errno("keep the time zone");
  for (const char* const name : kThreadVariables) {
    if (may_open_files && ::setenv(name, kOneThread, 1) != 0)
      return fail_errno("ask for one thread");
  }
  walls.emplace_back(name_of(WallId::kEmptyEnvironment));
  if (namespaces.own_users) walls.emplace_back(name_of(WallId::kUserNamespace));
  if (namespaces.own_processes) walls.emplace_back(name_of(WallId::kPidNamespace));
  if (namespaces.own_network) walls.emplace_back(name_of(WallId::kNetNamespace));
  if (namespaces.own_ipc) walls.emplace_back(name_of(WallId::kIpcNamespace));
  if (namespaces.own_names) walls.emplace_back(name_of(WallId::kUtsNamespace));
  return walls;
}

Result<void> bind_to_parent(std::vector<std::string>& walls) {
  // Late: the kernel forgets it when a process changes its user or its powers.
  TRY(die_with_parent());
  walls.emplace_back(name_of(WallId::kDieWithParent));
  TRY(forbid_new_privileges());
  walls.emplace_back(name_of(WallId::kNoNewPrivileges));
  TRY(forbid_dumps());
  walls.emplace_back(name_of(WallId::kNoDump));
  return {};
}

Result<void> raise_landlock(std::span<const os::MountedFolder> folders,
                            std::vector<std::string>& walls) {
  if (os::landlock_version() == 0) return {};
  TRY(os::landlock_deny_all_but(folders));
  walls.emplace_back(name_of(WallId::kLandlock));
  return {};
}

}  // namespace

Result<std::vector<std::string>> lock_down_zygote(const os::Namespaces& namespaces,
                                                  std::span<const os::MountedFolder> folders) {
  auto walls = TRY(begin_lock_down(namespaces, !folders.empty()));
  Result<bool> is_empty = false;
  if (namespaces.own_mounts) is_empty = os::pivot_to_private_root(folders);
  if (!is_empty) return std::unexpected(std::move(is_empty).error().within("empty the root"));
  if (*is_empty) {
    TRY(test_wall_at_start(WallId::kEmptyRoot));
    walls.emplace_back(folders.empty() ? name_of(WallId::kEmptyRoot) : kOwnRoot);
  } else if (!folders.empty()) {
    return no_own_root();
  }
  TRY(drop_all_capabilities());
  walls.emplace_back(name_of(WallId::kNoCapabilities));
  TRY(bind_to_parent(walls));
  TRY(raise_landlock(folders, walls));
  return walls;
}

Result<std::vector<std::string>> lock_down_session_zygote(
    const os::Namespaces& namespaces, std::span<const os::MountedFolder> folders) {
  auto walls = TRY(begin_lock_down(namespaces, true));
  if (!namespaces.own_users) return no_own_root();
  const bool has_root =
      TRY(within("empty the root", os::pivot_to_private_root(folders, os::HostTree::kKept)));
  if (!has_root) return no_own_root();
  TRY(keep_power_to_mount());
  TRY(bind_to_parent(walls));
  return walls;
}

// Mounts come first, while there is the power to make them: behind Landlock there is none.
Result<Fd> lock_down_session(const SessionFolders& folders, std::vector<std::string>& walls) {
  auto out = TRY(os::mount_session_folders(folders.files, folders.out_bytes));
  TRY(test_wall_at_start(WallId::kEmptyRoot));
  walls.emplace_back(kOwnRoot);
  TRY(give_up_power_to_mount());
  walls.emplace_back(name_of(WallId::kNoCapabilities));
  std::vector<os::MountedFolder> allowed(folders.of_zygote.begin(), folders.of_zygote.end());
  for (os::MountedFolder& folder : os::session_folders(folders.out_bytes))
    allowed.push_back(std::move(folder));
  TRY(raise_landlock(allowed, walls));
  return out;
}

CellLimits limits_for(const Mapped& mapped, std::uint64_t memory_bytes, std::uint32_t cpu_seconds) {
  return {.data_bytes = mapped.data + memory_bytes,
          .address_bytes = mapped.all + memory_bytes + kStack + kSlack,
          .cpu_seconds = cpu_seconds};
}

Result<LockedCell> lock_down_cell(grant::OnlyOurCode, const CellLimits& limits,
                                  std::vector<std::string> walls) {
  TRY(die_with_parent());
  TRY(limit(RLIMIT_CORE, 0, "forbid core files"));
  TRY(limit(RLIMIT_FSIZE, limits.file_bytes, "limit the size of files"));
  TRY(limit_at_most(RLIMIT_NOFILE, limits.descriptors, "forbid new descriptors"));
  if (!limits.may_have_threads) TRY(limit(RLIMIT_NPROC, 0, "forbid new processes"));
  TRY(limit(RLIMIT_MEMLOCK, 0, "forbid locked memory"));
  TRY(limit(RLIMIT_MSGQUEUE, 0, "forbid message queues"));
  TRY(limit_at_most(RLIMIT_STACK, kStack, "limit the stack"));
  TRY(limit_at_most(RLIMIT_CPU, limits.cpu_seconds, "limit processor time"));
  TRY(limit_at_most(RLIMIT_AS, limits.address_bytes, "limit mapped memory"));
  TRY(limit_at_most(RLIMIT_DATA, limits.data_bytes, "limit memory"));
  for (const WallId wall :
       {WallId::kOwnProcess, WallId::kOwnDescriptors, WallId::kDeadline, WallId::kLimits})
    walls.emplace_back(name_of(wall));
  return LockedCell{.walls = std::move(walls), .listener = {}, .out = {}};
}

Result<LockedCell> lock_down_cell(const SeccompFilter& filter, const CellLimits& limits,
                                  std::vector<std::string> walls) {
  auto locked = lock_down_cell(grant::OnlyOurCode(), limits, std::move(walls));
  if (!locked) return locked;
  auto listener = TRY(load_filter(filter));
  locked->listener = std::move(listener);
  locked->walls.emplace_back(name_of(WallId::kSeccomp));
  return locked;
}

}  // namespace airlock::jail
