#include "engine/approve/share.h"

#include <fcntl.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/sha256.h"
#include "base/utc_time.h"
#include "base/utf8.h"
#include "engine/approve/drafts.h"
#include "engine/approve/ed25519.h"
#include "engine/approve/receipt.h"
#include "engine/policy/policy_file.h"
#include "engine/policy/policy_hash.h"
#include "engine/records/with_store.h"
#include "os/files.h"
#include "os/replace_file.h"
#include "store/extractor_table.h"
#include "store/key_table.h"

namespace airlock {

namespace {

constexpr std::string_view kTomlSuffix = ".toml";
constexpr std::string_view kPolicyFolder = "policies";
constexpr std::size_t kLongestFileStem = 40;

bool is_policy_file_name(std::string_view policy) {
  return policy.contains('/') || policy.ends_with(kTomlSuffix);
}

// Only what is plain in every file system and message; the folder that it lies in stays at home.
std::string policy_stem(std::string_view file) {
  std::string_view name = file.substr(file.rfind('/') + 1);
  if (name.ends_with(kTomlSuffix)) name.remove_suffix(kTomlSuffix.size());
  std::string stem(name.substr(0, kLongestFileStem));
  std::ranges::replace_if(
      stem, [](char letter) { return !is_alnum(letter) && letter != '_' && letter != '-'; }, '_');
  return stem.empty() ? "policy" : stem;
}

Result<void> add_policy_text(Bundle& bundle) {
  ApprovedExtractor& extractor = bundle.extractor;
  if (!is_policy_file_name(extractor.policy)) return {};
  auto file = TRY(os::read_file(extractor.policy, kMostPolicyBytes));
  const auto policy = TRY(parse_policy(file.bytes, extractor.policy));
  // What is read now must be what the receipt was checked with a moment ago.
  if (policy_hash(policy) != extractor.receipt.policy_sha256)
    return refused("the policy " + extractor.policy +
                   " was changed meanwhile; nothing was exported");
  bundle.policy_text = std::move(file.bytes);
  extractor.policy = policy_stem(extractor.policy) + std::string(kTomlSuffix);
  return {};
}

Result<void> require_text(const std::string& text, std::string_view what) {
  if (!find_invalid_utf8(text)) return {};
  return refused("the " + std::string(what) + " is not UTF-8, which a bundle cannot hold");
}

std::unexpected<Error> untrusted(const Bundle& bundle) {
  return refused("the key that signed " + full_name(bundle.extractor) +
                 " is not trusted here: fingerprint " + fingerprint_of(bundle.public_key) +
                 "\nTo trust it, get the key itself from its owner (who sees it with airlock keys "
                 "show), compare this fingerprint, then: airlock keys trust KEY --name NAME");
}

Result<KnownKey> require_trusted_key(const UserDirs& user_dirs, const Bundle& bundle) {
  auto known = TRY((with_table<store::Keys, std::optional<KnownKey>>(
      user_dirs, std::optional<KnownKey>{},
      [&](store::Keys& keys) { return keys.find(bundle.public_key); })));
  if (!known) return untrusted(bundle);
  if (known->revoked)
    return refused("the key that signed " + full_name(bundle.extractor) + " was revoked on " +
                   utc_minute(*known->revoked) +
                   (known->revoked_why.empty() ? "" : " (" + known->revoked_why + ")") +
                   ": fingerprint " + fingerprint_of(bundle.public_key) +
                   "\nIt stays revoked: have it exported again with another key");
  return *std::move(known);
}

Result<Policy> policy_of_bundle(const Bundle& bundle) {
  const ApprovedExtractor& extractor = bundle.extractor;
  auto policy = bundle.policy_text.empty() ? load_policy(extractor.policy)
                                           : parse_policy(bundle.policy_text, extractor.policy);
  if (policy) {
    if (auto fits = require_for_extractors(*policy); !fits)
      policy = std::unexpected(std::move(fits).error());
  }
  if (!policy)
    return refused("the policy of " + full_name(extractor) +
                   " cannot be used here: " + policy.error().message);
  const std::string here = policy_hash(*policy);
  if (here == extractor.receipt.policy_sha256) return policy;
  return refused("the policy '" + extractor.policy +
                 "' is another one here: " + full_name(extractor) + " was approved under " +
                 extractor.receipt.policy_sha256 + ", and here it is " + here +
                 "\nThe two sides have different versions of airlock. Where it was approved, with "
                 "the version of here: airlock extractors reapprove " +
                 extractor.name + ", then export it again");
}

Result<void> require_conditions(const ApprovedExtractor& extractor, const Conditions& now) {
  if (now.policy_sha256 != extractor.receipt.policy_sha256)
    return refused("the receipt of " + full_name(extractor) +
                   " names a policy that a rule has not");
  if (now.interpreter == extractor.receipt.interpreter) return {};
  return refused(full_name(extractor) + " was approved for another interpreter: " +
                 extractor.receipt.interpreter + "\nThe interpreter here is " + now.interpreter +
                 "\nWhere it was approved, with the version of airlock of here: airlock extractors "
                 "reapprove " +
                 extractor.name + ", then export it again");
}

// The text of a policy is kept as a file by its hash: whoever has it already has the same bytes, so
// it may be there before the extractor is, and stay when that fails.
Result<std::string> keep_policy(const store::Database& database, const Bundle& bundle) {
  if (bundle.policy_text.empty()) return bundle.extractor.policy;
  const std::string name = std::string(kPolicyFolder) + "/" + policy_stem(bundle.extractor.policy) +
                           "-" + sha256_hex(bundle.policy_text) + std::string(kTomlSuffix);
  const Fd folder(::fcntl(database.folder_descriptor(), F_DUPFD_CLOEXEC, 3));
  if (!folder.is_open()) return bad_request_errno("write " + name);
  TRY(as(ErrorKind::kRequest, within("keep the policy of the bundle",
                                     os::place_file_beneath(folder, name, bundle.policy_text))));
  return database.folder() + "/" + name;
}

}  // namespace

Result<std::string> export_extractor(const UserDirs& user_dirs,
                                     const ApprovedExtractor& extractor) {
  Bundle bundle{.extractor = extractor};
  // People stay at home, as paths do: on the other side a key vouches.
  bundle.extractor.review = {};
  bundle.extractor.author.clear();
  bundle.extractor.model.clear();
  bundle.extractor.draft.clear();
  TRY(add_policy_text(bundle));
  TRY(require_text(extractor.text, "text of " + full_name(extractor)));
  TRY(require_text(bundle.policy_text, "policy " + extractor.policy));
  for (const std::string& path : extractor.samples)
    bundle.sample_hashes.push_back(sha256_hex(path));
  // A receipt covers the policy's name, which on the other side is not a place on this disk.
  bundle.extractor.receipt = make_receipt(
      bundle.extractor, {extractor.receipt.policy_sha256, extractor.receipt.interpreter});
  const auto seed = TRY(with_own_store<store::Seed>(user_dirs, [&](store::Database& database) {
    return store::Keys(database, store::Clock()).own_seed(public_key_of);
  }));
  bundle.public_key = public_key_of(seed.bytes());
  std::string text = write_bundle(bundle, seed.bytes());
  if (text.size() > kMostBundleBytes)
    return refused(full_name(extractor) + " is too large for a bundle: at most " +
                   std::to_string(kMostBundleBytes) + " bytes");
  return text;
}

Result<VerifiedBundle> verify_bundle(const UserDirs& user_dirs, std::string_view bytes,
                                     const std::string& host_program) {
  VerifiedBundle verified;
  verified.bundle = TRY(read_bundle(bytes));
  const ApprovedExtractor& extractor = verified.bundle.extractor;
  verified.key = TRY(require_trusted_key(user_dirs, verified.bundle));
  if (!has_own_receipt(extractor))
    return refused("the receipt in the bundle is not that of " + full_name(extractor) +
                   ": it does not fit the text and its own parts. Have it exported again");
  Conditions now;
  if (extractor.kind == OutputKind::kPython) {
    verified.policy = TRY(policy_of_bundle(verified.bundle));
    now = TRY(present_conditions(verified.policy, host_program));
  } else {
    now = TRY(present_conditions(extractor.kind, extractor.policy, host_program));
  }
  TRY(require_conditions(extractor, now));
  return verified;
}

Result<ApprovedExtractor> import_bundle(const UserDirs& user_dirs, const VerifiedBundle& verified,
                                        std::string_view name) {
  if (std::string trouble = name_trouble(name); !trouble.empty())
    return bad_request(std::move(trouble));
  const ApprovedExtractor& came = verified.bundle.extractor;
  const Conditions conditions{came.receipt.policy_sha256, came.receipt.interpreter};
  const auto seal = [&](const ApprovedExtractor& one) { return make_receipt(one, conditions); };
  return with_own_store<ApprovedExtractor>(
      user_dirs, [&](store::Database& database) -> Result<ApprovedExtractor> {
        ApprovedExtractor extractor{.name = std::string(name),
                                    .kind = came.kind,
                                    .text = came.text,
                                    .policy = TRY(keep_policy(database, verified.bundle)),
                                    .signed_by = verified.bundle.public_key,
                                    .came_as = full_name(came)};
        return store::Extractors(database, store::Clock()).add(std::move(extractor), nullptr, seal);
      });
}

}  // namespace airlock
