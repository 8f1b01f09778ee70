// Policies, told to people and programs. Each is a pure function: the policy in, the bytes for
// stdout out. Every entry is printed with its reason, from the tables that the scan itself uses.
#pragma once

#include <span>
#include <string>

#include "model/policy.h"
#include "present/report/style.h"

namespace airlock::cli {

// `airlock policy list`: one policy a line, aligned, in the order given.
std::string policy_list_as_text(std::span<const Policy> policies, Colour colour);
// [{"name": …, "summary": …}, …]
std::string policy_list_as_json(std::span<const Policy> policies);

// `airlock policy show`: entries that share a reason are shown together; at most 100 columns.
std::string policy_as_text(const Policy& policy, Colour colour);
// The fields of model/policy.h under their own names; `instead` is null where there is nothing.
std::string policy_as_json(const Policy& policy);

}  // namespace airlock::cli
