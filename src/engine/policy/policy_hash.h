// A policy as one hash: of what it allows, not of why. Two policies with the same hash judge and
// run every program alike. Receipts rest on it, so a change of what is hashed, or in
// which order, revokes every receipt there is.
#pragma once

#include <string>

#include "model/policy.h"

namespace airlock {

// SHA-256 over names in a fixed order. Reasons, advice, the summary and how entries are grouped do
// not count: a better comment in a policy revokes no receipt.
std::string policy_hash(const Policy& policy);

}  // namespace airlock
