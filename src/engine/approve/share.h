// Approved extractors between machines: out as a signed bundle, and in again, or run as they came.
//
// What another person has approved is taken because a key says so that this user trusts, and only
// under the conditions that it was approved under: the same policy, the same interpreter. The
// checks stand in verify_bundle(), in this order; the first that fails is the reason:
//   form and signature (bundle.h) → the key is trusted, and not revoked → the receipt is that of
//   the text → the policy is the same here → the interpreter is the same here
// Nothing is stored before all of them held; then all is, in one transaction.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/approve/bundle.h"
#include "model/draft.h"
#include "model/policy.h"
#include "model/signing_key.h"
#include "model/user_dirs.h"

namespace airlock {

// `extractor` as a bundle, signed with this user's key, which is made when there is none. The
// caller has seen that its receipt holds. Sample paths stay here: their hashes travel.
Result<std::string> export_extractor(const UserDirs& user_dirs, const ApprovedExtractor& extractor);

// A bundle that may run here and now.
struct VerifiedBundle {
  Bundle bundle = {};
  Policy policy = {};  // of a program
  KnownKey key = {};
};

// `bytes` are hostile. An Error: refused, with the reason and what to do; or airlock-host cannot be
// asked. Keeps nothing.
Result<VerifiedBundle> verify_bundle(const UserDirs& user_dirs, std::string_view bytes,
                                     const std::string& host_program);

// Under `name`, with the next version and a receipt of its own. An Error: nothing was imported.
Result<ApprovedExtractor> import_bundle(const UserDirs& user_dirs, const VerifiedBundle& verified,
                                        std::string_view name);

}  // namespace airlock
