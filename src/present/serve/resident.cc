#include "present/serve/resident.h"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/policy/policy_file.h"

namespace airlock::serve {

namespace {

// For what is done beside the requests.
constexpr std::size_t kMostThreads = 4;

// Descriptors of one session: its cell's socket, handle, notes, listener, folder, and a bell.
constexpr std::size_t kOfSession = 8;
constexpr std::size_t kOfServer = 300;

// As many descriptors as this process may have; how many sessions that is enough for.
std::size_t raise_descriptor_limit(std::size_t more_clients) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
  constexpr rlim_t kEnough = 65'536;
  limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, kEnough));
  ::setrlimit(RLIMIT_NOFILE, &limit);
  const auto all = static_cast<std::size_t>(std::min(limit.rlim_cur, kEnough));
  // Of few descriptors clients have a quarter (present/http takes no more).
  const std::size_t taken = kOfServer + std::min(more_clients, all / 4);
  return all > taken + kOfSession ? (all - taken) / kOfSession : 1;
}

}  // namespace

Resident::Resident(ServeOptions options, std::map<std::string, Policy> policies)
    : options_(std::move(options)),
      policies_(std::move(policies)),
      rooms_(options_.host_program),
      extractors_(rooms_, options_.host_program),
      slots_(options_.workers),
      most_sessions_(raise_descriptor_limit(options_.more_clients)),
      threads_(kMostThreads) {}

Result<std::unique_ptr<Resident>> Resident::make(ServeOptions options) {
  std::map<std::string, Policy> policies;
  for (const std::string& name : options.policies) {
    Policy policy = TRY(load_policy(name));
    std::string known_as = policy.name;
    policies.emplace(std::move(known_as), std::move(policy));
  }
  return std::unique_ptr<Resident>(new Resident(std::move(options), std::move(policies)));
}

Result<Resident::Counted> Resident::count_session() {
  if (++open_sessions_ <= most_sessions_) return Counted(open_sessions_);
  --open_sessions_;
  return std::unexpected(
      Error{.message = std::to_string(most_sessions_) +
                       " sessions are open, as many as the limit of open files is enough for "
                       "(ulimit -n): close one, or raise it where the server is started",
            .kind = ErrorKind::kRequest,
            .number = EMFILE});
}

Result<const Policy*> Resident::policy(const std::string& name) const {
  const auto found = policies_.find(name);
  if (found != policies_.end()) return &found->second;
  std::string known;
  for (const auto& [other, policy] : policies_) known += (known.empty() ? "" : ", ") + other;
  return bad_request("there is no policy '" + name + "' here; there are: " + known);
}

}  // namespace airlock::serve
