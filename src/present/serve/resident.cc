#include "present/serve/resident.h"

#include <utility>

#include "engine/policy/policy_file.h"

namespace airlock::serve {

namespace {

// A piece that waits for a host function holds its thread: far more of them than work at once.
constexpr std::size_t kMostThreads = 512;

}  // namespace

Resident::Resident(ServeOptions options, std::map<std::string, Policy> policies)
    : options_(std::move(options)),
      policies_(std::move(policies)),
      rooms_(options_.host_program),
      slots_(options_.workers),
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

Result<const Policy*> Resident::policy(const std::string& name) const {
  const auto found = policies_.find(name);
  if (found != policies_.end()) return &found->second;
  std::string known;
  for (const auto& [other, policy] : policies_) known += (known.empty() ? "" : ", ") + other;
  return bad_request("there is no policy '" + name + "' here; there are: " + known);
}

}  // namespace airlock::serve
